import { isSecretHeader } from "../base/redact.ts";
import { createProblem } from "./configProblems.ts";
import { hasPlaceholder, findFalsePlaceholders } from "./placeholders.ts";
import type { ConfigProblem, HttpConfig, ServerConfig, StdioConfig } from "./serverConfig.ts";
import { listTexts } from "./serverTexts.ts";

/** Headers that the transport sets itself. Another value would break the protocol or the message framing. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "connection",
  "content-length",
  "content-type",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "transfer-encoding",
]);
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What a header value may hold: the tab, visible ASCII and the upper half of Latin-1. */
const HEADER_VALUE = /^[\t\u0020-\u007E\u0080-\u00FF]*$/;

/** Checks the strings of a definition that zod found well-formed. */
export function checkServerTexts(config: ServerConfig): readonly ConfigProblem[] {
  const problems: ConfigProblem[] =
    config.type === "stdio"
      ? [...checkCommand(config), ...checkVariables(config)]
      : [...checkUrl(config), ...checkHeaders(config), ...checkProxy(config), ...checkTls(config)];
  for (const { path, text } of listTexts(config)) {
    for (const placeholder of findFalsePlaceholders(text)) {
      problems.push(createProblem("warning", config.id, path, "unknown-placeholder", { placeholder }));
    }
  }
  return problems;
}

/** A whole command line where a program belongs; a path may well hold blanks. */
function checkCommand({ id, command, args }: StdioConfig): ConfigProblem[] {
  const program = args.length === 0 ? /^([^\s/\\"'$]+)\s+\S/.exec(command)?.[1] : undefined;
  return program === undefined
    ? []
    : [createProblem("warning", id, ["command"], "command-line", { program })];
}

function checkVariables(config: StdioConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [name, value] of Object.entries(config.env)) {
    const path = ["env", name];
    if (!isVariableName(name))
      problems.push(createProblem("error", config.id, path, "variable-name", { name }));
    else if (value !== null && looksSecret(name, value))
      problems.push(createProblem("warning", config.id, path, "plain-secret"));
  }
  return problems;
}

/** Names that every system can hand to a process. */
export function isVariableName(name: string): boolean {
  return name !== "" && !name.includes("=") && !name.includes("\0");
}

function checkUrl(config: HttpConfig): ConfigProblem[] {
  if (!hasPlaceholder(config.url)) {
    if (!isHttpUrl(config.url)) return [createProblem("error", config.id, ["url"], "not-url")];
    const { username, password } = new URL(config.url);
    if (username !== "" || password !== "")
      return [createProblem("warning", config.id, ["url"], "url-credentials")];
  }
  return [];
}

/** True for an address that Streamable HTTP can be spoken to. */
export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function checkProxy({ id, proxy }: HttpConfig): ConfigProblem[] {
  if (proxy === undefined || proxy === false || hasPlaceholder(proxy)) return [];
  if (!isHttpUrl(proxy)) return [createProblem("error", id, ["proxy"], "not-url")];
  return new URL(proxy).password === "" ? [] : [createProblem("warning", id, ["proxy"], "proxy-password")];
}

function checkTls({ id, tls = {} }: HttpConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (tls.key !== undefined && tls.cert === undefined)
    problems.push(createProblem("warning", id, ["tls", "key"], "key-without-certificate"));
  if (tls.key?.includes("PRIVATE KEY-----") === true)
    problems.push(createProblem("warning", id, ["tls", "key"], "plain-secret"));
  if (tls.passphrase !== undefined && !hasPlaceholder(tls.passphrase))
    problems.push(createProblem("warning", id, ["tls", "passphrase"], "plain-secret"));
  return problems;
}

function checkHeaders(config: HttpConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [name, value] of Object.entries(config.headers)) {
    const path = ["headers", name];
    if (!HEADER_NAME.test(name))
      problems.push(createProblem("error", config.id, path, "header-name", { name }));
    else if (isReservedHeader(name))
      problems.push(createProblem("error", config.id, path, "header-reserved", { name }));
    else if (!isHeaderValue(value)) problems.push(createProblem("error", config.id, path, "header-value"));
    else if (looksSecret(name, value))
      problems.push(createProblem("warning", config.id, path, "plain-secret"));
  }
  return problems;
}

function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED_HEADERS.has(lower) || lower.startsWith("mcp-param-");
}

/** True for a value that can be sent in a header without changing the message around it. */
export function isHeaderValue(value: string): boolean {
  return HEADER_VALUE.test(value);
}

/** A value with a telling name that is written out instead of being a placeholder. */
export function looksSecret(name: string, value: string): boolean {
  return (
    isSecretHeader(name) &&
    value.trim().length >= 8 &&
    !hasPlaceholder(value) &&
    !/^(?:true|false|\d{1,9})$/i.test(value)
  );
}
