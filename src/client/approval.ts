import { createHash } from "node:crypto";
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../base/json.ts";
import { isSecretHeader } from "../base/redact.ts";
import { quoteCommandLine, quoteWord } from "./commandLine.ts";
import { OAUTH_TEXTS } from "./authorization/oauthSchema.ts";
import type { OauthConfig } from "./authorization/oauthConfig.ts";
import { hasPlaceholder } from "./placeholders.ts";
import type { HttpConfig, ServerConfig } from "./serverConfig.ts";

/** Which part of a definition a line of the approval shows. */
export type LaunchField =
  "command" | "cwd" | "env" | "envFile" | "inheritEnv" | "url" | "headers" | "proxy" | "tls" | "oauth";

/** One line of what a person approves. Nothing is cut off, and every character can be seen. */
export interface LaunchLine {
  readonly field: LaunchField;
  /** The variable or header. */
  readonly name?: string;
  /** The value as it is written in the settings, quoted where it could be misread. */
  readonly text: string;
}

/** A line that is new, gone or different. */
export interface LaunchChange {
  readonly field: LaunchField;
  readonly name?: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The digest that an approval is bound to: everything that decides what runs and where data goes, as it is written
 * in the settings. Descriptions, limits and the name do not count; placeholders count by their text, not their value.
 */
export function approvalDigest(config: ServerConfig): string {
  return createHash("sha256")
    .update(`launch 1 ${canonicalJson(decidingParts(config))}`)
    .digest("base64url");
}

function decidingParts(config: ServerConfig): JsonValue {
  if (config.type === "http") {
    const { type, url, headers, proxy, tls, oauth } = config;
    return {
      type,
      url,
      headers,
      ...(proxy === undefined ? {} : { proxy }),
      ...(tls && { tls: { ...tls } }),
      ...(oauth !== undefined && { oauth: oauth === false ? false : toJson(oauth) }),
    };
  }
  return {
    type: config.type,
    command: config.command,
    args: config.args,
    cwd: config.cwd ?? null,
    env: config.env,
    envFile: config.envFile ?? null,
    inheritEnv: config.inheritEnv === true ? true : [...config.inheritEnv].sort(),
  };
}

/** What a person must see before the server may start. */
export function describeLaunch(config: ServerConfig): readonly LaunchLine[] {
  if (config.type === "http") return describeHttp(config);
  const lines: LaunchLine[] = [
    { field: "command", text: quoteCommandLine([config.command, ...config.args]) },
  ];
  if (config.cwd !== undefined) lines.push({ field: "cwd", text: quoteWord(config.cwd) });
  lines.push(...describeRecord("env", config.env));
  if (config.envFile !== undefined) lines.push({ field: "envFile", text: quoteWord(config.envFile) });
  const inherited = config.inheritEnv === true ? "*" : quoteCommandLine(config.inheritEnv);
  if (inherited !== "") lines.push({ field: "inheritEnv", text: inherited });
  return lines;
}

function describeHttp({ url, headers, proxy, tls, oauth }: HttpConfig): readonly LaunchLine[] {
  const lines: LaunchLine[] = [
    { field: "url", text: quoteWord(url) },
    ...describeRecord("headers", headers),
    ...describeRecord("tls", { ...tls }),
  ];
  if (proxy !== undefined) lines.push({ field: "proxy", text: proxy === false ? "false" : quoteWord(proxy) });
  if (oauth === false) lines.push({ field: "oauth", text: "false" });
  else if (oauth !== undefined) lines.push(...describeOauth(toJson(oauth), ""));
  return lines;
}

/** All of it decides who is told what, and as whom: nothing is left out. */
function describeOauth(oauth: JsonObject, prefix: string): readonly LaunchLine[] {
  return Object.entries(oauth).flatMap(([key, value]): readonly LaunchLine[] => {
    if (isJsonObject(value)) return describeOauth(value, `${prefix}${key}.`);
    const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    const words = items.map((item) =>
      quoteWord(typeof item === "string" ? item : stringifyJson(item ?? null)),
    );
    return [{ field: "oauth", name: quoteWord(`${prefix}${key}`), text: words.join(" ") || '""' }];
  });
}

function toJson(oauth: OauthConfig): JsonObject {
  const { enterprise, workload, scopes, ...rest } = oauth;
  return {
    ...rest,
    ...(scopes && { scopes: [...scopes] }),
    ...(enterprise && { enterprise: { ...enterprise } }),
    ...(workload && { workload: { ...workload } }),
  };
}

function describeRecord(
  field: LaunchField,
  record: Readonly<Record<string, string | null>>,
): readonly LaunchLine[] {
  // A null removes the variable; no written value can look like this, because an empty one is quoted.
  return Object.entries(record).map(([name, value]) => ({
    field,
    name: quoteWord(name),
    text: value === null ? "" : quoteWord(value),
  }));
}

/**
 * The lines in a form that may be stored beside an approval, to show later what has changed:
 * values that look like secrets are replaced by a short digest.
 */
export function storableLaunch(config: ServerConfig): readonly LaunchLine[] {
  return describeLaunch(config).map((line) => {
    if (!looksSecretLine(line) || hasPlaceholder(line.text)) return line;
    return { ...line, text: `•••${createHash("sha256").update(line.text).digest("hex").slice(0, 8)}` };
  });
}

function looksSecretLine({ field, name, text }: LaunchLine): boolean {
  if (field === "proxy" || field === "url") return holdsSecret(text);
  if (field === "oauth") return OAUTH_TEXTS.some(({ path, isSecret }) => isSecret && path.join(".") === name);
  if (field === "tls") return name === "passphrase" || text.includes("PRIVATE KEY-----");
  return name !== undefined && isSecretHeader(name);
}

/** True for an address, quoted or not, with a password or with a part of its query that is named like one. */
function holdsSecret(address: string): boolean {
  if (/^"?[a-z][a-z0-9+.-]*:\/\/[^/?#:]*:[^/?#]*@/i.test(address)) return true;
  const query = /\?([^#]*)/.exec(address)?.[1];
  return [...new URLSearchParams(query).keys()].some((name) => isSecretHeader(name));
}

/** What differs between an approved launch, as `storableLaunch` gave it, and the definition of now. */
export function diffLaunch(approved: readonly LaunchLine[], config: ServerConfig): readonly LaunchChange[] {
  const before = byKey(approved);
  const after = byKey(storableLaunch(config));
  const shown = byKey(describeLaunch(config));
  const changes: LaunchChange[] = [];
  for (const [key, line] of new Map([...before, ...after])) {
    const old = before.get(key)?.text;
    if (old === after.get(key)?.text) continue;
    const name = line.name === undefined ? {} : { name: line.name };
    changes.push({ field: line.field, ...name, before: old, after: shown.get(key)?.text });
  }
  return changes;
}

function byKey(lines: readonly LaunchLine[]): ReadonlyMap<string, LaunchLine> {
  return new Map(lines.map((line) => [`${line.field} ${line.name ?? ""}`, line]));
}
