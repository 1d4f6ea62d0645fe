import type { JsonObject } from "../../base/json.ts";
import { splitCommandLine } from "../../client/commandLine.ts";
import type { ConfigPlace } from "../config/writeServer.ts";
import { nameFromCommand, nameFromUrl } from "../../client/import/suggestName.ts";

/** What the person has answered so far while adding one server. */
export interface AddDraft {
  readonly kind?: "stdio" | "http" | "json";
  readonly commandLine?: string;
  readonly url?: string;
  readonly auth?: "none" | "bearer" | "header";
  readonly headerName?: string;
  /** A secret: it goes into SecretStorage and nowhere else. */
  readonly headerValue?: string;
  readonly json?: string;
  readonly name?: string;
  readonly place?: ConfigPlace;
}

/** What is to be written: entries for the settings, values for the secret storage. */
export interface AddPlan {
  readonly entries: Readonly<Record<string, JsonObject>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of secrets that entries refer to and whose values are still to be asked for. */
  readonly missingSecrets?: readonly string[];
  /** Definitions for `signalbox.inputs` that entries refer to. */
  readonly inputs?: readonly JsonObject[];
  /** What was changed or left out on the way, in the user's language. */
  readonly notes?: readonly string[];
}

/** The name to propose. */
export function suggestName(draft: AddDraft): string {
  if (draft.kind === "http") return nameFromUrl(draft.url ?? "");
  const line = splitCommandLine(draft.commandLine ?? "");
  return nameFromCommand(line.kind === "words" ? line.words : []);
}

/** Puts the answers about one server together. Secrets stand in the entry as placeholders. */
export function planServer(draft: AddDraft): AddPlan | undefined {
  const { name } = draft;
  if (name === undefined) return undefined;
  if (draft.kind === "stdio") {
    const line = splitCommandLine(draft.commandLine ?? "");
    const [command, ...args] = line.kind === "words" ? line.words : [];
    if (command === undefined) return undefined;
    return {
      entries: { [name]: { type: "stdio", command, ...(args.length === 0 ? {} : { args }) } },
      secrets: {},
    };
  }
  if (draft.url === undefined) return undefined;
  const entry: JsonObject = { type: "http", url: draft.url };
  if (draft.auth === undefined || draft.auth === "none" || draft.headerValue === undefined) {
    return { entries: { [name]: entry }, secrets: {} };
  }
  const header = draft.auth === "bearer" ? "Authorization" : (draft.headerName ?? "");
  const secret = secretNameFor(name, header);
  const placeholder = `\${secret:${secret}}`;
  const value = draft.auth === "bearer" ? `Bearer ${placeholder}` : placeholder;
  const token = draft.auth === "bearer" ? draft.headerValue.replace(/^Bearer\s+/i, "") : draft.headerValue;
  return { entries: { [name]: { ...entry, headers: { [header]: value } } }, secrets: { [secret]: token } };
}

/** A name that `${secret:…}` can refer to and that says what it is for. */
function secretNameFor(server: string, header: string): string {
  return `${server}.${header}`.replaceAll(/[^A-Za-z0-9_.-]+/g, "-").slice(0, 128);
}

/** True for a name that a header can have. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(text);
}
