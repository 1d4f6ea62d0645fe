import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { splitCommandLine } from "../commandLine.ts";
import { createNote, type ImportNote } from "./importNotes.ts";
import { nameFromCommand, nameFromUrl } from "./suggestName.ts";

const URL_KEYS = ["url", "serverUrl", "httpUrl", "endpoint"] as const;

/** True when an object describes one server, in any client's spelling. */
export function isEntryLike(value: JsonObject): boolean {
  const { command } = value;
  const hasCommand =
    typeof command === "string" ||
    Array.isArray(command) ||
    (isJsonObject(command) && typeof command["path"] === "string");
  return hasCommand || URL_KEYS.some((key) => typeof value[key] === "string");
}

/** Keys that mean something in our settings as well; they are taken over as they are. */
const SAME_KEYS = [
  "description",
  "cwd",
  "envFile",
  "autostart",
  "protocol",
  "minimumProtocol",
  "timeouts",
  "limits",
  "chat",
  "inheritEnv",
  "proxy",
  "tls",
  "http2",
  "tools",
  "enabled",
  "disabled",
];
const RENAMED_KEYS: Readonly<Record<string, string>> = {
  workingDirectory: "cwd",
  working_directory: "cwd",
  environment: "env",
  envs: "env",
  http_headers: "headers",
  requestHeaders: "headers",
  includeTools: "tools",
  enabled_tools: "tools",
};
/** Another client's permissions. Taking them over would approve something that was never shown here. */
const APPROVAL_KEYS = ["autoApprove", "alwaysAllow", "trust", "autoApproved", "alwaysAllowed"];
/** Keys whose meaning is expressed otherwise here, or that are about the other client alone. */
const SILENT_KEYS = [
  "type",
  "transport",
  "transportType",
  "command",
  "args",
  "source",
  "name",
  "gallery",
  "version",
  "$schema",
  "inputs",
  "title",
  "icon",
];

/** An entry in our spelling, with what there is to tell about the change. */
export interface NormalizedEntry {
  readonly entry: JsonObject;
  readonly warnings: readonly ImportNote[];
  /** A name made from the package, the program or the host. */
  readonly suggestedName: string;
}

/** Translates one server of another client into an entry of our settings. */
export function normalizeEntry(found: JsonObject): NormalizedEntry {
  const warnings: ImportNote[] = [];
  const renamed = Object.fromEntries(
    Object.entries(found).map(([key, value]) => [RENAMED_KEYS[key] ?? key, value]),
  );
  const url = URL_KEYS.map((key) => renamed[key]).find((value) => typeof value === "string");
  const kind = typeof url === "string" ? readHttp(renamed, url, warnings) : readStdio(renamed, warnings);
  const entry: Record<string, JsonValue | undefined> = { ...kind };
  for (const [key, value] of Object.entries(renamed)) {
    if (key in entry || SILENT_KEYS.includes(key) || (URL_KEYS as readonly string[]).includes(key)) continue;
    if (SAME_KEYS.includes(key)) entry[key] = value;
    else if (key === "timeout" && typeof value === "number")
      entry["timeouts"] = { request: toSeconds(value) };
    else if (APPROVAL_KEYS.includes(key)) warnings.push(createNote("approvals", { key }));
    else if (!isEmpty(value)) warnings.push(createNote("dropped", { key }));
  }
  if (entry["enabled"] === true) delete entry["enabled"];
  if (entry["disabled"] === false) delete entry["disabled"];
  const suggestedName =
    typeof url === "string"
      ? nameFromUrl(url)
      : nameFromCommand([...stringsOf([kind["command"] ?? null]), ...stringsOf(kind["args"])]);
  return { entry: expandForeignVariables(entry, warnings), warnings, suggestedName };
}

function readHttp(entry: JsonObject, url: string, warnings: ImportNote[]): JsonObject {
  const type = [entry["type"], entry["transport"], entry["transportType"]].find(
    (value) => typeof value === "string",
  );
  if (type === "sse" || (type === undefined && /\/sse\/?$/.test(url))) warnings.push(createNote("sse"));
  const headers = textRecord(entry["headers"]);
  return { type: "http", url, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

function readStdio(entry: JsonObject, warnings: ImportNote[]): JsonObject {
  const { command } = entry;
  const inner = isJsonObject(command) ? command : {};
  const words = Array.isArray(command)
    ? stringsOf(command)
    : [...stringsOf([(typeof command === "string" ? command : inner["path"]) ?? null])];
  let args = [...words.slice(1), ...stringsOf(entry["args"]), ...stringsOf(inner["args"])];
  let program = words[0] ?? "";
  const split = args.length === 0 && /\s/.test(program.trim()) ? splitCommandLine(program) : undefined;
  // A path with blanks is one word; a launcher followed by blanks is a whole command line.
  if (
    split?.kind === "words" &&
    /^(?:npx|uvx?|bunx?|node|deno|docker|podman|python[\d.]*|pipx|npm|pnpm)$/.test(split.words[0] ?? "")
  ) {
    [program = "", ...args] = split.words;
    warnings.push(createNote("split"));
  }
  const env = { ...nullableRecord(inner["env"]), ...nullableRecord(entry["env"]) };
  return {
    type: "stdio",
    command: program,
    ...(args.length === 0 ? {} : { args }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

function stringsOf(value: JsonValue | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).flatMap((item) =>
    typeof item === "string" || typeof item === "number" ? [String(item)] : [],
  );
}

function textRecord(value: JsonValue | undefined): Record<string, string> {
  const entries = Object.entries(nullableRecord(value));
  return Object.fromEntries(entries.flatMap(([name, text]) => (text === null ? [] : [[name, text]])));
}

function nullableRecord(value: JsonValue | undefined): Record<string, string | null> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, string | null][] => {
      if (item === null || typeof item === "string") return [[name, item]];
      return typeof item === "number" || typeof item === "boolean" ? [[name, String(item)]] : [];
    }),
  );
}

/** Some clients count seconds, others milliseconds; no one waits a quarter of an hour, no one only a second. */
function toSeconds(timeout: number): number {
  return timeout >= 1000 ? timeout / 1000 : timeout;
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** `${NAME}` and `${NAME:-default}` mean environment variables in other clients. */
function expandForeignVariables(entry: JsonObject, warnings: ImportNote[]): JsonObject {
  const expand = (text: string): string =>
    text.replaceAll(
      /\$\{([A-Z_][A-Z0-9_]*)(:-[^}]*)?\}/g,
      (whole, name: string, standard: string | undefined) => {
        if (standard !== undefined) warnings.push(createNote("default-value", { placeholder: whole }));
        return `\${env:${name}}`;
      },
    );
  const visit = (value: JsonValue | undefined): JsonValue | undefined => {
    if (typeof value === "string") return expand(value);
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => visit(item) ?? null);
    if (isJsonObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)]));
    return value;
  };
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, visit(value)]));
}
