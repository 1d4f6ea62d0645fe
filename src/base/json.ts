/**
 * Any value that JSON can carry. A `bigint` is an integer that a `number` cannot hold exactly: `parseJson` gives one
 * for each integer literal beyond ±(2^53 − 1), and only for those, so that it keeps every digit.
 */
export type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object: what every MCP message, schema and result is. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for a plain JSON object: not null and not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a JSON number, however it is held. */
export function isJsonNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** A JSON number rounded to a number, for amounts, whose digits beyond 2^53 mean nothing; undefined for all else. */
export function readAmount(value: unknown): number | undefined {
  return isJsonNumber(value) ? Number(value) : undefined;
}

/**
 * Reads JSON as `JSON.parse` does, but an integer that a double would round becomes a bigint.
 * Other numbers with more digits than a double are rounded, as everywhere in JavaScript.
 *
 * @throws the SyntaxError of `JSON.parse`.
 */
export function parseJson(text: string): JsonValue {
  return (hasLongInteger(text) ? parseLossless(text) : JSON.parse(text)) as JsonValue;
}

/** Reads a text that may be a JSON object, as `parseJson` does; undefined for everything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes JSON as `JSON.stringify` does, and a bigint as the integer that it is.
 * An `object` is one whose type is an interface: what it holds must be JSON all the same.
 */
export function stringifyJson(value: JsonValue | object, space?: number): string;
export function stringifyJson(value: JsonValue | object | undefined, space?: number): string | undefined;
export function stringifyJson(value: JsonValue | object | undefined, space?: number): string | undefined {
  try {
    return JSON.stringify(value, undefined, space);
  } catch (error) {
    // Thrown for a bigint, and for nothing else that JSON can hold.
    if (error instanceof TypeError && value !== undefined)
      return writeJson(value as JsonValue, { space: space ?? 0, sorted: false });
    throw error;
  }
}

/**
 * One text for one JSON value whatever the order of its keys, for digests and cache keys.
 * Object keys are sorted by code unit; arrays keep their order.
 */
export function canonicalJson(value: JsonValue): string {
  return writeJson(value, { space: 0, sorted: true });
}

/** The value with each bigint as the nearest number, for what only takes plain JSON. The same value when it has none. */
export function roundBigints<T extends JsonValue>(value: T): T {
  // `Number` takes the shortest way: through the text, which JSON.parse reads as it always does.
  return hasBigint(value) ? (JSON.parse(stringifyJson(value)) as T) : value;
}

/** True when a bigint is anywhere in the value. */
export function hasBigint(value: unknown): boolean {
  if (typeof value === "bigint") return true;
  if (typeof value !== "object" || value === null) return false;
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const items: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    for (const item of items) {
      if (typeof item === "bigint") return true;
      if (typeof item === "object" && item !== null) open.push(item);
    }
  }
  return false;
}

/** Digits of the shortest integer that a double may round: 2^53 has sixteen. */
const LONG = 16;
/** A longer integer is read as `JSON.parse` reads it: making a bigint takes more than linear time. */
const MAX_DIGITS = 4_000;

/**
 * True when a text may hold an integer literal of sixteen digits or more. Every message passes through here, so it
 * looks at each sixteenth character only: a run of sixteen digits covers one of them.
 */
function hasLongInteger(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (isDigit(text.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    if (end - start >= LONG && mayBeInteger(text, start, end)) return true;
    at = end - (end % LONG) - 1;
  }
  return false;
}

/** False when the run of digits is surely part of a text or of a number with a fraction. */
function mayBeInteger(text: string, start: number, end: number): boolean {
  return (
    (start === 0 || " \t\r\n:,[-".includes(text.charAt(start - 1))) &&
    (end === text.length || " \t\r\n,]}".includes(text.charAt(end)))
  );
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** In a text read by `parseLossless`: a NUL and digits stand for an integer, two NULs for a NUL that was there. */
const NUL = "\u0000";
const ESCAPED_NUL = String.raw`\u0000`;

/**
 * Puts each long integer in quotes with a mark before it, lets `JSON.parse` read the result, and puts bigints where
 * the marks are. A text that begins with the mark itself is given a second one, so nothing in a text can pass for a
 * number. Nothing here is recursive, and nothing looks at a character twice.
 */
function parseLossless(text: string): unknown {
  const marked = markIntegers(text);
  if (marked === undefined) return JSON.parse(text);
  let value: unknown;
  try {
    value = JSON.parse(marked);
  } catch {
    // The error of the text itself, whose positions are right.
    return JSON.parse(text);
  }
  return replaceMarks(value);
}

/** The text with its unsafe integers marked; undefined when it has none. */
function markIntegers(text: string): string | undefined {
  const token = /"|[-\d][-+.\deE]*/g;
  const parts: string[] = [];
  let found = false;
  let copied = 0;
  const insert = (at: number, mark: string): void => {
    parts.push(text.slice(copied, at), mark);
    copied = at;
  };
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const start = match.index;
    const isText = match[0] === '"';
    const end = isText ? endOfText(text, start) : token.lastIndex;
    token.lastIndex = end;
    if (isText ? !text.startsWith(ESCAPED_NUL, start + 1) : !isUnsafeInteger(match[0])) continue;
    // A name is left alone, and a number in the place of a name must stay the error that it is.
    if (isName(text, end)) continue;
    if (isText) {
      insert(start + 1, ESCAPED_NUL);
    } else {
      found = true;
      insert(start, `"${ESCAPED_NUL}`);
      insert(end, '"');
    }
  }
  if (!found) return undefined;
  parts.push(text.slice(copied));
  return parts.join("");
}

function isUnsafeInteger(literal: string): boolean {
  return (
    literal.length >= LONG &&
    literal.length <= MAX_DIGITS &&
    /^-?[1-9]\d*$/.test(literal) &&
    !Number.isSafeInteger(Number(literal))
  );
}

/** The position behind the quote that ends the text which starts here. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text[before] === "\\") before -= 1;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return text.length;
}

function isName(text: string, end: number): boolean {
  const colon = /[ \t\r\n]*:/y;
  colon.lastIndex = end;
  return colon.test(text);
}

/** Replaces the marks in place: the value was just made, and nobody else has it. */
function replaceMarks(root: unknown): unknown {
  const open: object[] = [];
  const replaced = (item: unknown): unknown => {
    if (typeof item === "object" && item !== null) open.push(item);
    if (typeof item !== "string" || !item.startsWith(NUL)) return item;
    return item.startsWith(NUL, 1) ? item.slice(1) : BigInt(item.slice(1));
  };
  const whole = replaced(root);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      const items: unknown[] = next;
      for (let index = 0; index < items.length; index += 1) items[index] = replaced(items[index]);
    } else {
      // `__proto__` is a name like any other here: the assignment meets the property that JSON.parse has made.
      const entries = next as Record<string, unknown>;
      for (const key of Object.keys(entries)) entries[key] = replaced(entries[key]);
    }
  }
  return whole;
}

interface JsonLayout {
  /** Spaces per level; 0 for one line. */
  readonly space: number;
  readonly sorted: boolean;
}

/** Writes JSON as `JSON.stringify` lays it out. */
function writeJson(value: JsonValue, layout: JsonLayout, indent = ""): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = indent + " ".repeat(layout.space);
  if (isJsonObject(value)) {
    const parts: string[] = [];
    const names = Object.keys(value);
    for (const name of layout.sorted ? names.sort() : names) {
      const item = value[name];
      if (item === undefined) continue;
      parts.push(`${JSON.stringify(name)}:${layout.space > 0 ? " " : ""}${writeJson(item, layout, inner)}`);
    }
    return enclose("{", parts, "}", layout, indent);
  }
  const parts = value.map((item: JsonValue) => writeJson(item, layout, inner));
  return enclose("[", parts, "]", layout, indent);
}

function enclose(
  open: string,
  parts: readonly string[],
  close: string,
  { space }: JsonLayout,
  indent: string,
): string {
  if (space === 0 || parts.length === 0) return open + parts.join(",") + close;
  const line = `\n${indent}`;
  const innerLine = line + " ".repeat(space);
  return open + innerLine + parts.join(`,${innerLine}`) + line + close;
}
