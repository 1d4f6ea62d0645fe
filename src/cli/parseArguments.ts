import { parseArgs } from "node:util";
import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import { parseAnswers, type ScriptedAnswer } from "./scriptedInput.ts";

export type OutputFormat = "text" | "json";

/** What the command line asks for. */
export type Invocation =
  | { readonly kind: "help" }
  | { readonly kind: "usage"; readonly problem: string; readonly format: OutputFormat }
  | RunInvocation;

/** A command to be carried out on one server. */
export interface RunInvocation {
  readonly kind: "run";
  readonly command: "test" | "tools" | "call";
  readonly server: string;
  readonly config: string;
  readonly format: OutputFormat;
  readonly verbose: boolean;
  /** Milliseconds for connecting and for the call; undefined leaves the settings of the server. */
  readonly timeoutMs: number | undefined;
  /** Undefined declares no elicitation. */
  readonly answers: readonly ScriptedAnswer[] | undefined;
  /** For `call`. */
  readonly tool: string;
  /** For `call`; `stdin` means that they are still to be read. */
  readonly args: JsonObject | "stdin";
}

export const USAGE = `Usage: signalbox test  NAME --config FILE
       signalbox tools NAME --config FILE
       signalbox call  NAME TOOL [JSON] --config FILE

  test    connects and says how
  tools   lists the tools
  call    calls a tool with a JSON object of arguments; - reads them from standard input

  --config FILE        JSON with comments that holds a map "servers", as the setting signalbox.servers does
  --format text|json   what is written to standard output (default text)
  --timeout SECONDS    limit for connecting and for the call, in place of the server's own
  --answers JSON       answers to what the server asks for: an array with one entry for each round,
                       an object of form values or "decline" or "cancel"; without it nothing can be asked
  --verbose            log to standard error
  --help               this text

  Placeholders: \${secret:NAME} is read from the variable SIGNALBOX_SECRET_NAME and \${input:id} from
  SIGNALBOX_INPUT_ID; \${workspaceFolder} is the current directory.

  Exit codes: 0 done, 1 the server or the tool failed, 2 wrong usage or configuration, 130 interrupted.
`;

/** Reads the command line, without node and the script. Never throws. */
export function parseArguments(argv: readonly string[]): Invocation {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        config: { type: "string" },
        format: { type: "string", default: "text" },
        timeout: { type: "string" },
        answers: { type: "string" },
        verbose: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    return usage(
      error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error),
      argv.includes("json") ? "json" : "text",
    );
  }
  const { values, positionals } = parsed;
  if (values.help || argv.length === 0) return { kind: "help" };
  const { format } = values;
  if (format !== "text" && format !== "json")
    return usage(`--format must be text or json, not ${format}.`, "text");
  const target = readTarget(positionals);
  if (typeof target === "string") return usage(target, format);
  if (values.config === undefined) return usage("--config FILE is missing.", format);
  const timeoutMs = readTimeout(values.timeout);
  if (timeoutMs === "bad") return usage("--timeout must be a number of seconds from 0.1 to 86400.", format);
  const answers = values.answers === undefined ? undefined : parseAnswers(values.answers);
  if (typeof answers === "string") return usage(answers, format);
  return {
    kind: "run",
    ...target,
    config: values.config,
    format,
    verbose: values.verbose,
    timeoutMs,
    answers,
  };
}

function usage(problem: string, format: OutputFormat): Invocation {
  return { kind: "usage", problem, format };
}

type Target = Pick<RunInvocation, "command" | "server" | "tool" | "args">;

/** The positional arguments, or what is wrong with them. */
function readTarget([command, server, ...rest]: readonly string[]): Target | string {
  if (command !== "test" && command !== "tools" && command !== "call") {
    return command === undefined
      ? "A command is missing: test, tools or call."
      : `There is no command ${JSON.stringify(command)}: use test, tools or call.`;
  }
  if (server === undefined) return "The name of a server is missing.";
  if (command !== "call") {
    return rest[0] === undefined
      ? { command, server, tool: "", args: {} }
      : `${JSON.stringify(rest[0])} is one argument too many.`;
  }
  const [tool, json, extra] = rest;
  if (tool === undefined) return "The name of a tool is missing.";
  if (extra !== undefined)
    return `${JSON.stringify(extra)} is one argument too many. Quote the JSON as one argument.`;
  if (json === "-") return { command, server, tool, args: "stdin" };
  const args = parseToolArguments(json ?? "{}");
  return typeof args === "string" ? args : { command, server, tool, args };
}

/** The arguments of a tool, or what is wrong with the text. */
export function parseToolArguments(text: string): JsonObject | string {
  try {
    const value: unknown = parseJson(text);
    return isJsonObject(value) ? value : "The arguments of a tool must be a JSON object.";
  } catch (error) {
    return `The arguments of the tool are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function readTimeout(text: string | undefined): number | undefined | "bad" {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  return text.trim() !== "" && seconds >= 0.1 && seconds <= 86_400 ? Math.round(seconds * 1000) : "bad";
}
