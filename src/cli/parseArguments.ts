import { parseArgs } from "node:util";
import { readTarget, type Target } from "./readTarget.ts";
import { parseAnswers, type ScriptedAnswer } from "./scriptedInput.ts";

export type OutputFormat = "text" | "json";

/** What the command line asks for. */
export type Invocation =
  | { readonly kind: "help" }
  | { readonly kind: "usage"; readonly problem: string; readonly format: OutputFormat }
  | RunInvocation;

/** A command to be carried out on one server. */
export interface RunInvocation extends Target {
  readonly kind: "run";
  readonly config: string;
  readonly format: OutputFormat;
  readonly verbose: boolean;
  /** Lets calls become tasks, whatever the settings of the server say. */
  readonly tasks: boolean;
  /** Milliseconds for connecting and for the call; undefined leaves the settings of the server. */
  readonly timeoutMs: number | undefined;
  /** Undefined declares no elicitation. */
  readonly answers: readonly ScriptedAnswer[] | undefined;
}

export const USAGE = `Usage: signalbox COMMAND NAME … --config FILE

  test NAME                   connects and says how
  tools NAME                  lists the tools
  call NAME TOOL [JSON]       calls a tool with a JSON object of arguments
  resources NAME              lists the resources and their templates
  read NAME URI [JSON]        reads a resource; with JSON the URI is a template that takes these values
  prompts NAME                lists the prompts
  prompt NAME PROMPT [JSON]   gets a prompt with a JSON object of texts as arguments
  skills NAME                 lists the skills
  skill NAME SKILL [FILE]     reads SKILL.md, or another file of a skill, and verifies it
  complete NAME prompt|template TARGET ARGUMENT [VALUE] [JSON]
                              proposes values for an argument; JSON holds the arguments that are known

  - in place of JSON reads it from standard input.

  --config FILE        JSON with comments that holds a map "servers", as the setting signalbox.servers does
  --format text|json   what is written to standard output (default text)
  --timeout SECONDS    limit for connecting and for the call, in place of the server's own
  --answers JSON       answers to what the server asks for: an array with one entry for each round,
                       an object of form values or "decline" or "cancel"; without it nothing can be asked
  --tasks              lets the server carry the call out as a task, and waits for it
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
        tasks: { type: "boolean", default: false },
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
    tasks: values.tasks,
    timeoutMs,
    answers,
  };
}

function usage(problem: string, format: OutputFormat): Invocation {
  return { kind: "usage", problem, format };
}

function readTimeout(text: string | undefined): number | undefined | "bad" {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  return text.trim() !== "" && seconds >= 0.1 && seconds <= 86_400 ? Math.round(seconds * 1000) : "bad";
}
