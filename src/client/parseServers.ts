import { isJsonObject, stringifyJson } from "../base/json.ts";
import type * as z from "zod";
import { checkOauth } from "./authorization/checkOauth.ts";
import type { OauthConfig } from "./authorization/oauthConfig.ts";
import { oauthEntry } from "./authorization/oauthSchema.ts";
import { checkServerTexts } from "./checkServerTexts.ts";
import { createProblem } from "./configProblems.ts";
import { describeIssue } from "./describeIssue.ts";
import { hasInvisible } from "./invisibleText.ts";
import { nearestKey } from "./nearestKey.ts";
import type { TlsOptions } from "../net/networkSettings.ts";
import type { ConfigProblem, ConfigSource, ParsedServers, ServerConfig } from "./serverConfig.ts";
import { httpEntry, stdioEntry, toLimits, toTimeouts } from "./serverSchema.ts";

const MAX_NAME_LENGTH = 128;

type Entry = Readonly<Record<string, unknown>>;

/**
 * Reads a `servers` map as it stands in settings or in a file. Never throws: a broken entry becomes a problem
 * of its own and costs no other entry anything.
 */
export function parseServers(value: unknown, source: ConfigSource): ParsedServers {
  if (value === undefined || value === null) return { servers: [], problems: [] };
  if (!isJsonObject(value)) return { servers: [], problems: [createProblem("error", "", [], "not-a-map")] };
  const servers: ServerConfig[] = [];
  const problems: ConfigProblem[] = [];
  for (const [id, entry] of Object.entries(value)) {
    const parsed = parseServer(id, entry, source);
    problems.push(...parsed.problems);
    if (parsed.config !== undefined) servers.push(parsed.config);
  }
  return { servers, problems };
}

/** One entry: its configuration when it can be used, and everything worth telling about it. */
export interface ParsedServer {
  readonly config: ServerConfig | undefined;
  readonly problems: readonly ConfigProblem[];
}

/** Reads one entry of a `servers` map. */
export function parseServer(id: string, entry: unknown, source: ConfigSource): ParsedServer {
  const nameProblem = checkName(id);
  if (nameProblem !== undefined) return { config: undefined, problems: [nameProblem] };
  if (!isJsonObject(entry))
    return { config: undefined, problems: [createProblem("error", id, [], "not-an-entry")] };
  const kind = classifyEntry(id, entry);
  if (typeof kind !== "string") return { config: undefined, problems: [kind] };
  const warnings = checkKeys(id, entry, kind);
  const parsed = kind === "stdio" ? parseStdio(id, entry, source) : parseHttp(id, entry, source);
  if (!("type" in parsed)) return { config: undefined, problems: [...parsed, ...warnings] };
  const problems = [
    ...checkRevisions(parsed),
    ...checkFeatures(parsed),
    ...checkServerTexts(parsed),
    ...(parsed.type === "http" ? checkOauth(parsed) : []),
    ...warnings,
  ];
  const isUsable = problems.every((problem) => problem.severity !== "error");
  return { config: isUsable ? parsed : undefined, problems };
}

function checkName(id: string): ConfigProblem | undefined {
  if (id.trim() === "") return createProblem("error", id, [], "name-empty");
  if (id.length > MAX_NAME_LENGTH)
    return createProblem("error", id, [], "name-too-long", { limit: MAX_NAME_LENGTH });
  return hasInvisible(id) ? createProblem("error", id, [], "name-invisible") : undefined;
}

function classifyEntry(id: string, entry: Entry): "stdio" | "http" | ConfigProblem {
  const hasCommand = entry["command"] !== undefined;
  const hasUrl = entry["url"] !== undefined;
  if (hasCommand && hasUrl) return createProblem("error", id, ["url"], "both-kinds");
  const type = entry["type"];
  if (type === undefined) {
    if (!hasCommand && !hasUrl) return createProblem("error", id, [], "no-kind");
    return hasCommand ? "stdio" : "http";
  }
  const kind = typeof type === "string" ? type.toLowerCase().replaceAll(/[-_ ]/g, "") : "";
  if (kind === "stdio") return hasUrl ? createProblem("error", id, ["command"], "missing") : "stdio";
  if (kind === "http" || kind === "streamablehttp") {
    return hasCommand ? createProblem("error", id, ["url"], "missing") : "http";
  }
  if (kind === "sse") return createProblem("error", id, ["type"], "sse-type");
  return createProblem("error", id, ["type"], "unknown-type", {
    value: typeof type === "string" ? type : stringifyJson(type),
  });
}

const COMMON_KEYS = [
  "type",
  "description",
  "enabled",
  "disabled",
  "autostart",
  "restart",
  "chat",
  "cache",
  "skills",
  "sampling",
  "roots",
  "tools",
  "protocol",
  "minimumProtocol",
  "logLevel",
  "trace",
  "tasks",
  "timeouts",
  "limits",
];
const STDIO_KEYS = ["command", "args", "cwd", "env", "envFile", "inheritEnv"];
const HTTP_KEYS = ["url", "headers", "proxy", "tls", "http2", "oauth"];
/** Names that mean the same elsewhere and are too different to be taken for a typing mistake. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  environment: "env",
  serverurl: "url",
  httpurl: "url",
  uri: "url",
  endpoint: "url",
  workingdirectory: "cwd",
  httpheaders: "headers",
  timeout: "timeouts",
};

function checkKeys(id: string, entry: Entry, kind: "stdio" | "http"): ConfigProblem[] {
  const own = [...COMMON_KEYS, ...(kind === "stdio" ? STDIO_KEYS : HTTP_KEYS)];
  const other = kind === "stdio" ? HTTP_KEYS : STDIO_KEYS;
  const problems: ConfigProblem[] = [];
  for (const key of Object.keys(entry)) {
    if (own.includes(key)) continue;
    if (other.includes(key))
      problems.push(createProblem("warning", id, [key], "other-kind-key", { type: kind }));
    else problems.push(unknownKey(id, [key], own));
  }
  for (const { path, known } of GROUPS) {
    const value = path.reduce<unknown>((outer, key) => (isJsonObject(outer) ? outer[key] : undefined), entry);
    if (!isJsonObject(value)) continue;
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) problems.push(unknownKey(id, [...path, key], known));
    }
  }
  return problems;
}

/** Objects within an entry, and the keys that each may have. */
const GROUPS: readonly { readonly path: readonly string[]; readonly known: readonly string[] }[] = [
  { path: ["timeouts"], known: Object.keys(httpEntry.shape.timeouts.unwrap().shape) },
  { path: ["limits"], known: Object.keys(httpEntry.shape.limits.unwrap().shape) },
  { path: ["tls"], known: Object.keys(httpEntry.shape.tls.unwrap().shape) },
  { path: ["oauth"], known: Object.keys(oauthEntry.shape) },
  { path: ["oauth", "enterprise"], known: Object.keys(oauthEntry.shape.enterprise.unwrap().shape) },
  { path: ["oauth", "workload"], known: Object.keys(oauthEntry.shape.workload.unwrap().shape) },
];

function unknownKey(id: string, path: readonly string[], known: readonly string[]): ConfigProblem {
  const key = path.at(-1) ?? "";
  const alias = OTHER_NAMES[key.toLowerCase().replaceAll(/[-_]/g, "")];
  const nearest = alias !== undefined && known.includes(alias) ? alias : nearestKey(key, known);
  if (nearest === undefined) return createProblem("warning", id, path, "unknown-key");
  return createProblem("warning", id, path, "unknown-key-near", { nearest });
}

function parseStdio(id: string, entry: Entry, source: ConfigSource): ServerConfig | ConfigProblem[] {
  const parsed = stdioEntry.safeParse(entry);
  if (!parsed.success) return parsed.error.issues.map((issue) => describeIssue(id, entry, issue));
  const { command, args, cwd, env, envFile, inheritEnv } = parsed.data;
  return {
    ...toCommon(id, source, parsed.data),
    type: "stdio",
    command,
    args,
    env,
    inheritEnv,
    ...(cwd === undefined ? {} : { cwd }),
    ...(envFile === undefined ? {} : { envFile }),
  };
}

function parseHttp(id: string, entry: Entry, source: ConfigSource): ServerConfig | ConfigProblem[] {
  const parsed = httpEntry.safeParse(entry);
  if (!parsed.success) return parsed.error.issues.map((issue) => describeIssue(id, entry, issue));
  const { url, headers, proxy, tls, http2, oauth } = parsed.data;
  return {
    ...toCommon(id, source, parsed.data),
    type: "http",
    url: url.trim(),
    headers,
    ...(proxy === undefined ? {} : { proxy: proxy === false ? proxy : proxy.trim() }),
    ...(tls === undefined ? {} : { tls: withoutUndefined<TlsOptions>(tls) }),
    ...(http2 === undefined ? {} : { http2 }),
    ...(entry["oauth"] === false && { oauth: false }),
    ...(oauth !== undefined && { oauth: toOauth(oauth) }),
  };
}

function withoutUndefined<T extends object>(value: {
  readonly [Key in keyof T]: T[Key] | undefined;
}): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}

function toOauth({ enterprise, ...oauth }: z.infer<typeof oauthEntry>): OauthConfig {
  const rest = withoutUndefined<Omit<OauthConfig, "enterprise">>(oauth);
  return enterprise === undefined ? rest : { ...rest, enterprise: withoutUndefined(enterprise) };
}

type CommonEntry = Pick<
  z.infer<typeof httpEntry>,
  keyof z.infer<typeof httpEntry> & keyof z.infer<typeof stdioEntry>
>;

function toCommon(
  id: string,
  source: ConfigSource,
  entry: CommonEntry,
): Omit<ServerConfig, "type" | "command" | "url"> {
  const { description, tools, enabled, disabled, autostart, chat, cache, protocol, minimumProtocol } = entry;
  const { sampling, roots } = entry;
  return {
    id,
    source,
    enabled: enabled && !disabled,
    autostart,
    ...(!entry.restart && { restart: false }),
    chat,
    cache,
    ...(sampling === undefined ? {} : { sampling }),
    ...(roots === undefined ? {} : { roots }),
    protocol,
    minimumProtocol,
    ...(entry.logLevel !== "off" && { logLevel: entry.logLevel }),
    ...(entry.trace && { trace: true }),
    ...(entry.skills && { skills: true }),
    ...(entry.tasks && { tasks: true }),
    timeouts: toTimeouts(entry.timeouts),
    limits: toLimits(entry.limits),
    ...(description === undefined ? {} : { description }),
    ...(tools === undefined ? {} : { tools }),
  };
}

/** Settings that come with a workspace may forbid what its servers use, never allow it. */
function checkFeatures({ id, source, sampling, roots }: ServerConfig): ConfigProblem[] {
  if (source !== "workspace" && source !== "folder") return [];
  const cannot = (key: string, command: string): ConfigProblem =>
    createProblem("warning", id, [key], "cannot-allow", { command });
  return [
    ...(sampling === "ask" ? [cannot("sampling", "Allow a Language Model for Server…")] : []),
    ...(roots === undefined || roots === false ? [] : [cannot("roots", "Choose Folders for Server…")]),
  ];
}

/** Revisions are dates, so their texts compare like their ages. */
function checkRevisions({ id, protocol, minimumProtocol }: ServerConfig): ConfigProblem[] {
  if (protocol === "auto" || protocol === "legacy" || protocol >= minimumProtocol) return [];
  return [
    createProblem("error", id, ["minimumProtocol"], "pin-below-minimum", {
      protocol,
      minimum: minimumProtocol,
    }),
  ];
}
