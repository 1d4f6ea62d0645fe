import type { JsonObject } from "../../base/json.ts";

/** Something to tell about an import. The host translates the template. */
export interface ImportNote {
  readonly template: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** A server as it was found, before its spelling is ours. */
export interface FoundServer {
  /** Undefined when the text gives it no name. */
  readonly name: string | undefined;
  readonly entry: JsonObject;
  readonly inputs: readonly JsonObject[];
}

/** What reading one kind of text gave; undefined when the text is not of that kind. */
export type Found =
  | { readonly kind: "found"; readonly servers: readonly FoundServer[] }
  | { readonly kind: "failed"; readonly problem: ImportNote };

/** What can be said about an import. */
export const IMPORT_NOTES = {
  empty: "There is nothing to import.",
  "too-long": "The text is longer than {limit} characters.",
  unknown:
    "No server was found in the text. Paste the JSON of another client, a command such as “npx …” or an address.",
  "no-servers": "The JSON holds no servers.",
  syntax: "The JSON is broken in line {line}, column {column}.",
  toml: "This is TOML, as Codex uses it. It is not supported; enter the command or the address itself.",
  yaml: "This is YAML. It is not supported; enter the command or the address itself.",
  "unclosed-quote": "A quotation mark is not closed.",
  "shell-syntax":
    "The command needs a shell because of {found}. Enter it as “sh” with the arguments “-c” and the command.",
  "incomplete-command": "The command names no server to start and no address.",
  sse: "It was written for the old HTTP+SSE transport, which is not supported. It may need another address, often ending in /mcp.",
  dropped: "“{key}” has no counterpart here and was left out.",
  approvals: "“{key}” was left out: approvals are not taken over.",
  "default-value": "The default value in {placeholder} was left out.",
  split: "The command held its arguments; they were separated.",
  unusable: "“{name}” was left out: it has neither a command nor an address.",
} as const;

export function createNote(code: keyof typeof IMPORT_NOTES, args: ImportNote["args"] = {}): ImportNote {
  return { template: IMPORT_NOTES[code], args };
}
