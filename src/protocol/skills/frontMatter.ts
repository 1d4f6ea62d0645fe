import { parseDocument } from "yaml";
import { errorText } from "../../base/errors.ts";
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { shorten } from "../shorten.ts";

/** What was found at the head of a SKILL.md. */
export type FrontMatter =
  | { readonly kind: "read"; readonly value: JsonObject }
  /** An English sentence without its end. */
  | { readonly kind: "broken"; readonly reason: string };

/** Characters of front matter: far more than anybody writes, and few enough for a reader whose work grows with the square. */
const MAX_LENGTH = 16 * 1024;
/** A line of three dashes, lines, and such a line again. */
const FENCED = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/;

/**
 * Reads the YAML at the head of a SKILL.md as JSON. Only plain YAML 1.2 is understood: no tags, no merging, each key a
 * text and there once. Nothing that it says is obeyed.
 *
 * @see https://agentskills.io/specification
 */
export function readFrontMatter(text: string): FrontMatter {
  const yaml = FENCED.exec(text.slice(0, MAX_LENGTH + 16))?.[1];
  if (yaml === undefined) return broken("it does not begin with front matter between two lines “---”");
  try {
    const document = parseDocument(yaml, {
      version: "1.2",
      schema: "core",
      strict: true,
      stringKeys: true,
      uniqueKeys: true,
      intAsBigInt: true,
      merge: false,
      prettyErrors: false,
      logLevel: "error",
    });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) return broken(shorten(problem.message));
    const value = toJson(document.toJS());
    return isJsonObject(value) ? { kind: "read", value } : broken("its front matter is no map of keys");
  } catch (error) {
    // Aliases that multiply, nesting without end, numbers that JSON does not have.
    return broken(shorten(errorText(error)));
  }
}

/** The first key in which two front matters differ; undefined when they say the same. */
export function findDifference(read: JsonObject, announced: JsonObject): string | undefined {
  const keys = new Set([...Object.keys(announced), ...Object.keys(read)]);
  return [...keys].find((key) => !isSame(valueOf(read, key), valueOf(announced, key)));
}

function valueOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}

/** Numbers as our JSON has them. Throws at what JSON does not have. */
function toJson(value: unknown): JsonValue {
  if (typeof value === "bigint") {
    const rounded = Number(value);
    return Number.isSafeInteger(rounded) ? rounded : value;
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("a number is not finite");
  if (Array.isArray(value)) return value.map((item: unknown) => toJson(item));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item)]));
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null)
    return value;
  throw new TypeError("a value is none that JSON has");
}

function broken(reason: string): FrontMatter {
  return { kind: "broken", reason };
}
