import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { isSecretHeader } from "../../base/redact.ts";
import { hasPlaceholder } from "../placeholders.ts";

/** A secret that an entry now refers to. */
export interface ImportedSecret {
  readonly name: string;
  /** The value to store; undefined when the text only had a stand-in such as `YOUR_API_KEY`, so that it must be asked for. */
  readonly value: string | undefined;
}

const SECRET_NAME = /(?:^|[_-])(?:token|key|apikey|secret|password|passwd|passphrase|pat|credentials?|jwt)$/i;
/** Formats in which well-known services issue tokens, whatever the variable is called. */
const TOKEN_FORMAT =
  /^(?:sk-|pk-|rk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abposr]-|AKIA|AIza|eyJ[\w-]+\.|npm_|hf_|figd_|ntn_|secret_|Bearer\s)/;
const STAND_IN =
  /^$|^<[^>]*>$|^\[[^\]]*\]$|^\{[^}]*\}$|^(?:x{3,}|\*{3,}|\.{3}|…)$|^(?:your|my|insert|enter|replace|change|put|todo|example|xxx)[-_ ].*|^(?:api[-_ ]?key|token|secret|password|change-?me|replace-?me)$|[-_ ]here$|(?:\.{3}|…)$/i;
const NO_SECRET = /^(?:true|false|yes|no|on|off|none|null|\d{1,9})$|^(?:~|\.{1,2})?[/\\]|^[A-Za-z]:[\\/]/i;
/** An address with a password in it, as databases have it. */
const CONNECTION_STRING = /^[a-z][\w+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;
/** An option that takes a credential, with the value joined or following. */
const SECRET_OPTION =
  /^--?[\w-]*(?:token|api[-_]?key|secret|password|passwd|access[-_]key|auth[-_]key)(?:=([\s\S]*))?$/i;
/** Names that many servers use; alone they would collide. */
const GENERIC_NAME =
  /^(?:API_?KEY|(?:ACCESS|AUTH|API)?_?TOKEN|KEY|SECRET|PASSWORD|AUTHORIZATION|X_API_KEY|CONNECTION)$/;

/**
 * Replaces values that look like secrets by placeholders. `known` holds the names of secrets that are taken,
 * with the value where it is known; it is extended by those that are made here.
 */
export function takeSecrets(
  server: string,
  entry: JsonObject,
  known: Map<string, string | undefined>,
): { readonly entry: JsonObject; readonly secrets: readonly ImportedSecret[] } {
  const secrets: ImportedSecret[] = [];
  const take = (wanted: string, value: string): string => {
    const isStandIn = STAND_IN.test(value.trim());
    const name = chooseName(server, wanted, isStandIn ? undefined : value, known);
    if (!secrets.some((secret) => secret.name === name))
      secrets.push({ name, value: isStandIn ? undefined : value });
    return `\${secret:${name}}`;
  };
  const next: Record<string, JsonValue | undefined> = { ...entry };
  for (const key of ["env", "headers"] as const) {
    const record = entry[key];
    if (isJsonObject(record)) next[key] = takeFromRecord(record, take);
  }
  if (Array.isArray(entry["args"]))
    next["args"] = takeFromArguments(entry["args"] as readonly JsonValue[], take);
  if (typeof entry["url"] === "string") next["url"] = takeFromUrl(entry["url"], take);
  return { entry: next, secrets };
}

type Take = (wanted: string, value: string) => string;

function takeFromRecord(record: JsonObject, take: Take): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === "string" ? takeFromValue(name, value, take) : value,
    ]),
  );
}

function takeFromValue(name: string, value: string, take: Take): string {
  if (hasPlaceholder(value) || NO_SECRET.test(value)) return value;
  const hasName = SECRET_NAME.test(name) || isSecretHeader(name);
  const isConnectionString = CONNECTION_STRING.test(value);
  if (!hasName && !TOKEN_FORMAT.test(value) && !isConnectionString) return value;
  // The scheme stays readable: only the credential is secret.
  const [, scheme = "", credential = value] =
    /^((?:Bearer|Basic|Token|ApiKey)\s+)(\S[\s\S]*)$/i.exec(value) ?? [];
  const isUrl = /^https?:\/\//i.test(value) && !isConnectionString;
  return isUrl ? value : `${scheme}${take(name, credential)}`;
}

function takeFromArguments(args: readonly JsonValue[], take: Take): readonly JsonValue[] {
  return args.map((argument, index) => {
    if (typeof argument !== "string" || hasPlaceholder(argument)) return argument;
    const joined = SECRET_OPTION.exec(argument);
    const value = joined?.[1];
    const optionName = (option: string): string => option.replace(/^-+/, "").replace(/=[\s\S]*$/, "");
    if (value !== undefined)
      return NO_SECRET.test(value)
        ? argument
        : `${argument.slice(0, argument.length - value.length)}${take(optionName(argument), value)}`;
    const before = args[index - 1];
    const follows =
      typeof before === "string" &&
      SECRET_OPTION.exec(before)?.[1] === undefined &&
      SECRET_OPTION.test(before);
    if (follows && !argument.startsWith("-") && !NO_SECRET.test(argument))
      return take(optionName(before), argument);
    if (CONNECTION_STRING.test(argument)) return take("CONNECTION", argument);
    return TOKEN_FORMAT.test(argument) ? take("TOKEN", argument) : argument;
  });
}

function takeFromUrl(url: string, take: Take): string {
  const query = url.indexOf("?");
  if (query < 0) return url;
  const parameters = url
    .slice(query + 1)
    .replaceAll(/([^&=#]+)=([^&#]+)/g, (whole, name: string, value: string) => {
      const isSecret =
        (SECRET_NAME.test(name) || isSecretHeader(name)) && !hasPlaceholder(value) && !NO_SECRET.test(value);
      return isSecret ? `${name}=${take(name, value)}` : whole;
    });
  return `${url.slice(0, query)}?${parameters}`;
}

/** The name of the variable where that is telling, else with the server's before it; never one with another value. */
function chooseName(
  server: string,
  wanted: string,
  value: string | undefined,
  known: Map<string, string | undefined>,
): string {
  const base = toConstant(wanted);
  const prefixed = `${toConstant(server)}_${base === "AUTHORIZATION" ? "TOKEN" : base}`;
  const start = GENERIC_NAME.test(base) ? prefixed : base;
  const isFree = (name: string): boolean =>
    !known.has(name) || (value !== undefined && known.get(name) === value);
  let name = isFree(start) ? start : prefixed;
  for (let count = 2; !isFree(name); count += 1) name = `${prefixed}_${String(count)}`;
  known.set(name, value);
  return name;
}

function toConstant(text: string): string {
  const constant = text
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .toUpperCase();
  return constant === "" ? "SECRET" : constant;
}
