const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[zZ]|([+-])(\d{2}):(\d{2}))$/;
const DURATION = /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** What no address holds unescaped: blanks, control characters, and a percent sign without its two digits. */
const NOT_IN_ADDRESS = /[\s\p{Cc}<>"{}|\\^`]|%(?![\da-f]{2})/iu;
const NOT_ASCII = /[^\u0000-\u007f]/;
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
const RELATIVE_POINTER = /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/;
const TEMPLATE = /^(?:[^\s\p{Cc}"'<>\\^`{|}%]|%[\da-f]{2}|\{[^{}\s]+\})*$/iu;

/**
 * True when a text has the form that a JSON Schema `format` names; unknown formats accept everything.
 * The checks are loose on purpose: a wrong refusal would keep a person from answering at all. Each takes a time that is
 * linear in the length of the text.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 */
export function matchesFormat(format: string, text: string): boolean {
  return FORMATS.get(format)?.(text) ?? true;
}

const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["time", isTime],
  ["date-time", isDateTime],
  ["duration", (text: string) => DURATION.test(text)],
  ["email", isEmail],
  ["idn-email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["uri", (text: string) => SCHEME.test(text) && isAddress(text) && !NOT_ASCII.test(text)],
  ["uri-reference", (text: string) => isAddress(text) && !NOT_ASCII.test(text)],
  ["iri", (text: string) => SCHEME.test(text) && isAddress(text)],
  ["iri-reference", isAddress],
  ["uri-template", (text: string) => TEMPLATE.test(text)],
  ["uuid", (text: string) => UUID.test(text)],
  ["json-pointer", (text: string) => JSON_POINTER.test(text)],
  ["relative-json-pointer", (text: string) => RELATIVE_POINTER.test(text)],
]);

function isEmail(text: string): boolean {
  if (text.length > 320) return false;
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1 || domain === "" || /[\s@]/.test(domain) || /^\.|\.$|\.\./.test(domain)) return false;
  // A name in quotes may hold anything.
  return /^".*"$/s.test(local) || (!/[\s@"]/.test(local) && !/^\.|\.$|\.\./.test(local));
}

function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isTime(text: string): boolean {
  const parts = TIME.exec(text);
  if (parts === null) return false;
  const number = (at: number): number => Number(parts[at] ?? 0);
  const [hour, minute, second] = [number(1), number(2), number(3)];
  const offset = (number(5) * 60 + number(6)) * (parts[4] === "-" ? -1 : 1);
  if (hour > 23 || minute > 59 || number(5) > 23 || number(6) > 59) return false;
  // A leap second is the last of a day in UTC.
  return second < 60 || (second === 60 && (hour * 60 + minute - offset + 2 * DAY) % DAY === DAY - 1);
}

const DAY = 24 * 60;

/** True for an RFC 3339 date and time with an offset. */
export function isDateTime(text: string): boolean {
  return /^.{10}[tT ]/.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => LABEL.test(label));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

function isIpv6(text: string): boolean {
  if (text.length > 45 || !/^[\da-f:.]+$/i.test(text)) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const hasIpv4 = last.includes(".");
  if (hasIpv4 && (!isIpv4(last) || text.endsWith("::"))) return false;
  const plain = hasIpv4 ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false;
  const count = plain.length + (hasIpv4 ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

function isAddress(text: string): boolean {
  if (NOT_IN_ADDRESS.test(text)) return false;
  const authority = /^(?:[a-z][a-z\d+.-]*:)?\/\/([^/?#]*)/i.exec(text)?.[1] ?? "";
  // Square brackets only stand around an IPv6 address.
  return !/[[\]]/.test(authority) || /^(?:[^[\]@]*@)?\[[^[\]]*\](?::\d*)?$/.test(authority);
}
