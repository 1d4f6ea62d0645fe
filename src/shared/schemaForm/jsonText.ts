import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";

/**
 * JSON as it was written: numbers keep their text, so that 9007199254740993 and 1.10 come back as they were,
 * and objects keep the order of their names.
 */
export type JsonNode =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "object"; readonly entries: readonly JsonEntry[] };

export type JsonEntry = readonly [name: string, value: JsonNode];

/** Where a text stops being JSON. Line and column count from 1. */
export interface JsonSyntaxProblem {
  readonly line: number;
  readonly column: number;
  /** `deep`: more than the allowed nesting; `duplicate`: one name twice in an object; `syntax`: anything else. */
  readonly code: "syntax" | "duplicate" | "deep";
}

export type JsonParse =
  | { readonly ok: true; readonly node: JsonNode }
  | { readonly ok: false; readonly problem: JsonSyntaxProblem };

const MAX_DEPTH = 200;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const SPACE = /[ \t\r\n]*/y;
const WORDS: readonly (readonly [string, JsonNode])[] = [
  ["null", { kind: "null" }],
  ["true", { kind: "boolean", value: true }],
  ["false", { kind: "boolean", value: false }],
];

/** A number exactly as JSON allows it. */
export function isNumberText(text: string): boolean {
  NUMBER.lastIndex = 0;
  return NUMBER.exec(text)?.[0].length === text.length && text !== "";
}

/** Reads strict JSON (RFC 8259), and says where it goes wrong. */
export function parseJsonText(text: string): JsonParse {
  const reader = new JsonReader(text);
  try {
    return { ok: true, node: reader.readDocument() };
  } catch (error) {
    if (error instanceof SyntaxAt) return { ok: false, problem: locate(text, error) };
    throw error;
  }
}

class SyntaxAt extends Error {
  readonly offset: number;
  readonly code: JsonSyntaxProblem["code"];

  constructor(offset: number, code: JsonSyntaxProblem["code"]) {
    super(code);
    this.offset = offset;
    this.code = code;
  }
}

function locate(text: string, at: SyntaxAt): JsonSyntaxProblem {
  const before = text.slice(0, at.offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, code: at.code };
}

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): JsonNode {
    const node = this.#readValue(0);
    this.#take(SPACE);
    if (this.#at < this.#text.length) throw new SyntaxAt(this.#at, "syntax");
    return node;
  }

  #readValue(depth: number): JsonNode {
    this.#take(SPACE);
    if (depth > MAX_DEPTH) throw new SyntaxAt(this.#at, "deep");
    const char = this.#text[this.#at];
    if (char === "{") return this.#readObject(depth);
    if (char === "[") return this.#readArray(depth);
    if (char === '"') return { kind: "string", value: this.#readString() };
    for (const [word, node] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return node;
      }
    }
    return { kind: "number", text: this.#need(NUMBER) };
  }

  #readObject(depth: number): JsonNode {
    const entries: JsonEntry[] = [];
    const names = new Set<string>();
    this.#at += 1;
    if (this.#skip("}")) return { kind: "object", entries };
    do {
      this.#take(SPACE);
      const start = this.#at;
      const name = this.#readString();
      if (names.has(name)) throw new SyntaxAt(start, "duplicate");
      names.add(name);
      if (!this.#skip(":")) throw new SyntaxAt(this.#at, "syntax");
      entries.push([name, this.#readValue(depth + 1)]);
    } while (this.#skip(","));
    if (!this.#skip("}")) throw new SyntaxAt(this.#at, "syntax");
    return { kind: "object", entries };
  }

  #readArray(depth: number): JsonNode {
    const items: JsonNode[] = [];
    this.#at += 1;
    if (this.#skip("]")) return { kind: "array", items };
    do {
      items.push(this.#readValue(depth + 1));
    } while (this.#skip(","));
    if (!this.#skip("]")) throw new SyntaxAt(this.#at, "syntax");
    return { kind: "array", items };
  }

  #readString(): string {
    const start = this.#at;
    if (this.#text[this.#at] !== '"') throw new SyntaxAt(this.#at, "syntax");
    this.#at += 1;
    for (;;) {
      this.#take(PLAIN);
      if (this.#text[this.#at] === '"') break;
      this.#need(ESCAPE);
    }
    this.#at += 1;
    return parseJson(this.#text.slice(start, this.#at)) as string;
  }

  #skip(char: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #need(pattern: RegExp): string {
    const found = this.#take(pattern);
    if (found === "") throw new SyntaxAt(this.#at, "syntax");
    return found;
  }
}

/** Writes JSON with two spaces of indentation. */
export function printJson(node: JsonNode, indent = ""): string {
  const inner = `${indent}  `;
  switch (node.kind) {
    case "null":
      return "null";
    case "boolean":
      return String(node.value);
    case "number":
      return node.text;
    case "string":
      return JSON.stringify(node.value);
    case "array":
      if (node.items.length === 0) return "[]";
      return `[\n${node.items.map((item) => inner + printJson(item, inner)).join(",\n")}\n${indent}]`;
    case "object":
      if (node.entries.length === 0) return "{}";
      return `{\n${node.entries
        .map(([name, value]) => `${inner}${JSON.stringify(name)}: ${printJson(value, inner)}`)
        .join(",\n")}\n${indent}}`;
  }
}

/** The number that a JSON number literal stands for: a bigint when it is an integer that a number would round. */
export function readNumber(text: string): number | bigint {
  return parseJson(text) as number | bigint;
}

/** The value as `parseJson` gives it: integers keep their digits, fractions are rounded. */
export function toJsonValue(node: JsonNode): JsonValue {
  switch (node.kind) {
    case "null":
      return null;
    case "boolean":
    case "string":
      return node.value;
    case "number":
      return readNumber(node.text);
    case "array":
      return node.items.map(toJsonValue);
    case "object":
      return toJsonObject(node);
  }
}

/** The object as JavaScript has it; `__proto__` becomes an own property like any other name. */
export function toJsonObject(node: Extract<JsonNode, { readonly kind: "object" }>): JsonObject {
  return Object.fromEntries(node.entries.map(([name, value]) => [name, toJsonValue(value)]));
}

export function fromJsonValue(value: JsonValue): JsonNode {
  if (value === null) return { kind: "null" };
  if (typeof value === "string") return { kind: "string", value };
  if (typeof value === "number") return { kind: "number", text: JSON.stringify(value) };
  if (typeof value === "bigint") return { kind: "number", text: value.toString() };
  if (typeof value === "boolean") return { kind: "boolean", value };
  if (!isJsonObject(value)) return { kind: "array", items: value.map(fromJsonValue) };
  const entries: JsonEntry[] = [];
  for (const [name, item] of Object.entries(value))
    if (item !== undefined) entries.push([name, fromJsonValue(item)]);
  return { kind: "object", entries };
}

/** True when both are the same JSON value. Numbers compare by value, objects without regard to order. */
export function sameNode(a: JsonNode, b: JsonNode): boolean {
  switch (a.kind) {
    case "null":
      return b.kind === "null";
    case "boolean":
      return b.kind === "boolean" && a.value === b.value;
    case "string":
      return b.kind === "string" && a.value === b.value;
    case "number":
      return b.kind === "number" && (a.text === b.text || sameNumber(a.text, b.text));
    case "array":
      return (
        b.kind === "array" &&
        a.items.length === b.items.length &&
        a.items.every((item, index) => {
          const other = b.items[index];
          return other !== undefined && sameNode(item, other);
        })
      );
    case "object":
      return b.kind === "object" && sameEntries(a.entries, b.entries);
  }
}

function sameNumber(a: string, b: string): boolean {
  const [left, right] = [readNumber(a), readNumber(b)];
  // Unlike `===`, the comparisons know that 1e20 is 100000000000000000000n.
  return left <= right && left >= right;
}

function sameEntries(a: readonly JsonEntry[], b: readonly JsonEntry[]): boolean {
  if (a.length !== b.length) return false;
  const others = new Map(b);
  return a.every(([name, value]) => {
    const other = others.get(name);
    return other !== undefined && sameNode(value, other);
  });
}
