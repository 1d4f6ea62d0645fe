import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";

/** What is to be done on which server: the arguments of the command line that are not options. */
export interface Target {
  readonly command:
    "test" | "tools" | "call" | "resources" | "read" | "prompts" | "prompt" | "skills" | "skill" | "complete";
  readonly server: string;
  /** The tool, prompt, skill, URI or template; empty for commands without one. */
  readonly target: string;
  /** For `skill`: one of its files, where it is not SKILL.md. */
  readonly file?: string | undefined;
  /** Arguments or values; `stdin` means that they are still to be read. Undefined where none were given. */
  readonly args: JsonObject | "stdin" | undefined;
  /** For `complete`. */
  readonly completion?: CompletionRequest;
}

export interface CompletionRequest {
  readonly kind: "prompt" | "template";
  readonly argument: string;
  readonly value: string;
}

export type CommandName = Target["command"];

/**
 * What is wrong with the arguments of a command, if anything: those of prompts are texts, and the values of templates
 * may be lists of texts too. Arguments of a tool are the tool's business.
 */
export function checkArguments(command: CommandName, args: JsonObject): string | undefined {
  if (command === "call") return undefined;
  for (const [name, value] of Object.entries(args)) {
    const isList =
      command === "read" && Array.isArray(value) && value.every((item) => typeof item === "string");
    if (typeof value !== "string" && !isList) return `The value of ${JSON.stringify(name)} must be a text.`;
  }
  return undefined;
}

/** What each command takes after the name of the server. */
const COMMANDS: Readonly<Record<CommandName, { readonly target?: string; readonly takesJson?: true }>> = {
  test: {},
  tools: {},
  call: { target: "tool", takesJson: true },
  resources: {},
  read: { target: "resource", takesJson: true },
  prompts: {},
  prompt: { target: "prompt", takesJson: true },
  skills: {},
  skill: { target: "skill" },
  complete: {},
};

const NAMES = Object.keys(COMMANDS);

/** Reads the positional arguments; a text says what is wrong with them. */
export function readTarget([command, server, ...rest]: readonly string[]): Target | string {
  const names = `${NAMES.slice(0, -1).join(", ")} or ${NAMES.at(-1) ?? ""}`;
  if (command === undefined) return `A command is missing: ${names}.`;
  if (!isCommand(command)) return `There is no command ${JSON.stringify(command)}: use ${names}.`;
  if (server === undefined) return "The name of a server is missing.";
  if (command === "complete") return readCompletion(server, rest);
  const { target: what, takesJson } = COMMANDS[command];
  const [first, json, ...more] = rest;
  if (what === undefined)
    return first === undefined ? { command, server, target: "", args: undefined } : tooMany(first);
  if (first === undefined) return `The name of a ${what} is missing.`;
  if (command === "skill")
    return more[0] === undefined
      ? { command, server, target: first, args: undefined, file: json }
      : tooMany(more[0]);
  const extra = takesJson === true ? more[0] : json;
  if (extra !== undefined) return tooMany(extra);
  const args = readJson(json);
  return typeof args === "string" && args !== "stdin" ? args : { command, server, target: first, args };
}

function readCompletion(server: string, rest: readonly string[]): Target | string {
  const [kind, target, argument, value, json, extra] = rest;
  if (kind !== "prompt" && kind !== "template") return "Say what is completed: prompt or template.";
  if (target === undefined) return `The name of a ${kind} is missing.`;
  if (argument === undefined) return "The name of an argument is missing.";
  if (extra !== undefined) return tooMany(extra);
  const args = readJson(json);
  if (typeof args === "string" && args !== "stdin") return args;
  return { command: "complete", server, target, args, completion: { kind, argument, value: value ?? "" } };
}

function isCommand(text: string): text is CommandName {
  return Object.hasOwn(COMMANDS, text);
}

function tooMany(extra: string): string {
  return `${JSON.stringify(extra)} is one argument too many. Quote the JSON as one argument.`;
}

function readJson(text: string | undefined): JsonObject | string | undefined {
  if (text === "-") return "stdin";
  return text === undefined ? undefined : readJsonArguments(text);
}

/** The arguments of a tool or prompt, the values of a template, or what is wrong with the text. */
export function readJsonArguments(text: string): JsonObject | string {
  try {
    const value: unknown = parseJson(text);
    return isJsonObject(value) ? value : "The arguments must be a JSON object.";
  } catch (error) {
    return `The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
