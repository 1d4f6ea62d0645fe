import { splitCommandLine } from "../commandLine.ts";
import { findServers } from "./findServers.ts";
import { createNote, type Found } from "./importNotes.ts";
import type { JsonObject } from "../../base/json.ts";
import { readJsonText } from "./readJsonText.ts";

/** Programs that start servers. A text that begins with another word is taken for prose. */
const LAUNCHERS =
  /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|node|deno|tsx|ts-node|uvx?|pipx|python[\d.]*|py|docker|podman|nerdctl|dotnet|dnx|java|go|cargo|ruby|php|perl|cmd|powershell|pwsh|sh|bash|zsh|env|mcp-\S+|\S*-mcp|\S*mcp-server\S*)(?:\.exe|\.cmd)?$/i;
const ASSIGNMENT = /^([A-Za-z_]\w*)=([\s\S]*)$/;

/** Reads a command such as `npx -y server`, or another client's own command for adding a server. */
export function importCommandLine(text: string): Found | undefined {
  const line = text
    .split(/\r?\n/)
    .filter((part) => !/^\s*(?:#|$)/.test(part))
    .join("\n")
    .replace(/^\s*[$>%]\s+/, "");
  const first = /^\s*(\S+)/.exec(line)?.[1] ?? "";
  const isAdd = /^\s*\S+\s+mcp\s+add(?:-json)?\s/.test(line) || /\s--add-mcp\s/.test(line);
  if (!isAdd && !LAUNCHERS.test(first) && !isPath(first) && !ASSIGNMENT.test(first)) return undefined;
  const split = splitCommandLine(line);
  if (split.kind === "unclosed-quote") return { kind: "failed", problem: createNote("unclosed-quote") };
  if (split.kind === "shell-syntax")
    return { kind: "failed", problem: createNote("shell-syntax", { found: split.found }) };
  const { words } = split;
  if (words.includes("--add-mcp")) return readJsonArgument(words[words.indexOf("--add-mcp") + 1], undefined);
  if (words[1] === "mcp" && words[2] === "add-json") {
    const [name, json] = words
      .slice(3)
      .filter(
        (word, index, rest) => !word.startsWith("-") && !/^(?:-s|--scope)$/.test(rest[index - 1] ?? ""),
      );
    return readJsonArgument(json, name);
  }
  if (words[1] === "mcp" && words[2] === "add") return readAddCommand(words.slice(3));
  return foundCommand(undefined, words, {});
}

function isPath(word: string): boolean {
  return /^(?:\.{0,2}\/|~\/|[A-Za-z]:[\\/])\S/.test(word);
}

function readJsonArgument(json: string | undefined, name: string | undefined): Found {
  const read = readJsonText(json ?? "");
  const servers = read?.kind === "object" ? findServers(read.value) : [];
  if (servers.length === 0) return { kind: "failed", problem: createNote("incomplete-command") };
  return { kind: "found", servers: servers.map((server) => ({ ...server, name: server.name ?? name })) };
}

/** Options of `mcp add` with a value, over the clients that have it. */
const VALUE_OPTIONS: Readonly<Record<string, "type" | "env" | "header" | "url" | "ignored">> = {
  "-t": "type",
  "--transport": "type",
  "--type": "type",
  "-e": "env",
  "--env": "env",
  "-H": "header",
  "--header": "header",
  "--url": "url",
  "-s": "ignored",
  "--scope": "ignored",
  "--timeout": "ignored",
  "--description": "ignored",
  "--client-id": "ignored",
  "--callback-port": "ignored",
  "--bearer-token-env-var": "ignored",
};

interface AddCommand {
  type: string | undefined;
  url: string | undefined;
  readonly env: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly words: string[];
}

/** `claude mcp add [options] NAME [--] COMMAND [ARGS…]`, or an address in place of the command. */
function readAddCommand(args: readonly string[]): Found {
  const add: AddCommand = { type: undefined, url: undefined, env: {}, headers: {}, words: [] };
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  let position = 0;
  // Without a `--`, everything after the command belongs to the command.
  while (position < own.length && add.words.length < 2) position += takeAddWord(add, own, position);
  const isUrl = /^https?:\/\//i.test(add.words[1] ?? "");
  while (isUrl && position < own.length) position += takeAddWord(add, own, position);
  const command = [...add.words.slice(1), ...own.slice(position), ...(end < 0 ? [] : args.slice(end + 1))];
  const [name] = add.words;
  const url = add.url ?? (isUrl ? command[0] : undefined);
  if (name === undefined) return { kind: "failed", problem: createNote("incomplete-command") };
  if (url === undefined) return foundCommand(name, command, add.env);
  const entry: JsonObject = {
    ...(add.type === undefined ? {} : { type: add.type }),
    url,
    headers: add.headers,
  };
  return { kind: "found", servers: [{ name, entry, inputs: [] }] };
}

/** Takes one word, or an option with its value; gives how many words that were. */
function takeAddWord(add: AddCommand, words: readonly string[], position: number): number {
  const word = words[position] ?? "";
  const inline = /^(--[\w-]+)=([\s\S]*)$/.exec(word);
  const kind = VALUE_OPTIONS[inline?.[1] ?? word];
  if (kind === undefined) {
    if (!word.startsWith("-")) add.words.push(word);
    return 1;
  }
  takeAddOption(add, kind, inline?.[2] ?? words[position + 1] ?? "");
  return inline === null ? 2 : 1;
}

function takeAddOption(
  add: AddCommand,
  kind: "type" | "env" | "header" | "url" | "ignored",
  value: string,
): void {
  switch (kind) {
    case "type":
    case "url":
      add[kind] = value;
      return;
    case "env":
    case "header": {
      const pair = kind === "env" ? ASSIGNMENT.exec(value) : /^([^:\s]+)\s*:\s*([\s\S]*)$/.exec(value);
      const target = kind === "env" ? add.env : add.headers;
      if (pair !== null) target[pair[1] ?? ""] = pair[2] ?? "";
      return;
    }
    case "ignored":
      return;
  }
}

/** A command with `NAME=value` before it, as shells and `env` have it. */
function foundCommand(
  name: string | undefined,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Found {
  const variables: Record<string, string> = { ...env };
  let start = words[0] === "env" ? 1 : 0;
  for (; start < words.length; start += 1) {
    const assignment = ASSIGNMENT.exec(words[start] ?? "");
    if (assignment === null) break;
    variables[assignment[1] ?? ""] = assignment[2] ?? "";
  }
  const [command, ...args] = words.slice(start);
  if (command === undefined) return { kind: "failed", problem: createNote("incomplete-command") };
  const entry: JsonObject = {
    command,
    args,
    ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
  };
  return { kind: "found", servers: [{ name, entry, inputs: [] }] };
}
