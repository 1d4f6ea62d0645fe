import { type JsonObject, stringifyJson } from "../base/json.ts";
import { findServers } from "./import/findServers.ts";
import { importCommandLine } from "./import/importCommandLine.ts";
import { importLink } from "./import/importLink.ts";
import { createNote, type Found, type FoundServer, type ImportNote } from "./import/importNotes.ts";
import { normalizeEntry } from "./import/normalizeEntry.ts";
import { readJsonText } from "./import/readJsonText.ts";
import { type ImportedSecret, takeSecrets } from "./import/takeSecrets.ts";

/** One server found in a pasted text, ready to be written into the settings. */
export interface ImportedServer {
  readonly name: string;
  /** The entry for `signalbox.servers`; secrets in it are placeholders. */
  readonly entry: JsonObject;
  /** Definitions for `signalbox.inputs` that the entry refers to. */
  readonly inputs: readonly JsonObject[];
  /** What is to be stored as `${secret:NAME}`. */
  readonly secrets: readonly ImportedSecret[];
  readonly warnings: readonly ImportNote[];
}

export type ImportResult =
  | { readonly kind: "servers"; readonly servers: readonly ImportedServer[] }
  | { readonly kind: "failed"; readonly problem: ImportNote };

const MAX_LENGTH = 1_000_000;

/**
 * Finds servers in whatever people copy from READMEs and other clients: their JSON with comments, a fenced block in
 * Markdown, an installation link, a command line or a bare address. Values that look like secrets are taken out.
 * Never throws. `taken` are names of secrets that exist already and must not be overwritten.
 */
export function importServers(text: string, taken: ReadonlySet<string> = new Set()): ImportResult {
  const source = text.replace(/^\uFEFF/, "").trim();
  if (source === "") return { kind: "failed", problem: createNote("empty") };
  if (source.length > MAX_LENGTH)
    return { kind: "failed", problem: createNote("too-long", { limit: MAX_LENGTH }) };
  let failure: ImportNote | undefined;
  for (const candidate of listCandidates(source)) {
    const found = readCandidate(candidate);
    if (found?.kind === "failed") failure ??= found.problem;
    if (found?.kind !== "found") continue;
    const servers = finishServers(found.servers, taken);
    if (servers.length > 0) return { kind: "servers", servers };
    failure ??= createNote("no-servers");
  }
  return { kind: "failed", problem: failure ?? createNote("unknown") };
}

const FENCE = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm;

/** The texts to try, best first: fenced blocks, else everything, else the outermost braces in it. */
function listCandidates(source: string): readonly string[] {
  const blocks = [...source.matchAll(FENCE)]
    .map((match) => (match[2] ?? "").trim())
    .filter((block) => block !== "");
  if (blocks.length > 0) return blocks;
  const plain = source.replace(/^`+([^`]*)`+$/, "$1");
  const close = source.lastIndexOf("}") + 1;
  const starts = [source.search(/"(?:[^"\\\n]|\\.)*"\s*:\s*\{/), source.indexOf("{")];
  return [
    plain,
    ...starts.filter((start) => start > 0 && start < close).map((start) => source.slice(start, close)),
  ];
}

function readCandidate(text: string): Found | undefined {
  if (/^\s*\[+\s*(?:mcp_servers|mcp)\b[^\n]*\]/m.test(text))
    return { kind: "failed", problem: createNote("toml") };
  return importLink(text) ?? importJson(text) ?? importCommandLine(text) ?? refuseYaml(text);
}

function refuseYaml(text: string): Found | undefined {
  return /^\s*(?:mcp_?servers|servers|extensions)\s*:\s*$/im.test(text)
    ? { kind: "failed", problem: createNote("yaml") }
    : undefined;
}

function importJson(text: string): Found | undefined {
  const read = readJsonText(text);
  if (read === undefined) return undefined;
  if (read.kind === "broken")
    return { kind: "failed", problem: createNote("syntax", { line: read.line, column: read.column }) };
  return { kind: "found", servers: findServers(read.value) };
}

function finishServers(found: readonly FoundServer[], taken: ReadonlySet<string>): readonly ImportedServer[] {
  const names = new Set<string>();
  const secretNames = new Map<string, string | undefined>([...taken].map((name) => [name, undefined]));
  return found.map((server) => {
    const { entry, warnings, suggestedName } = normalizeEntry(server.entry);
    const name = uniqueName(
      server.name?.trim() === "" ? suggestedName : (server.name ?? suggestedName),
      names,
    );
    const { entry: safe, secrets } = takeSecrets(name, entry, secretNames);
    return { name, entry: safe, secrets, warnings, inputs: usedInputs(server.inputs, safe) };
  });
}

function uniqueName(wanted: string, names: Set<string>): string {
  let name = wanted.trim().slice(0, 120);
  for (let count = 2; names.has(name); count += 1) name = `${wanted.slice(0, 120)}-${String(count)}`;
  names.add(name);
  return name;
}

function usedInputs(inputs: readonly JsonObject[], entry: JsonObject): readonly JsonObject[] {
  const text = stringifyJson(entry);
  return inputs.filter(({ id }) => typeof id === "string" && text.includes(`\${input:${id}}`));
}
