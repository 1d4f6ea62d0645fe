import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  roundBigints,
  stringifyJson,
} from "../../base/json.ts";
import { DEFAULT_LIMITS } from "../../protocol/limits.ts";
import { shapeOf } from "../../protocol/schema/keywordShapes.ts";
import { prepareSchema } from "../../protocol/schema/prepareSchema.ts";
import { measureSchema } from "../../protocol/schema/schemaSize.ts";
import { describeSchemaProblem } from "../../protocol/schema/schemaTexts.ts";

/** A tool's input schema as chat models take it, and what it lost, in words for the model. */
export interface ModelSchema {
  readonly schema: JsonObject;
  /** Empty when the schema says everything itself. */
  readonly note: string;
}

/** What several providers refuse at the root, and with it every request that has such a tool. */
const COMBINATORS = ["allOf", "anyOf", "oneOf"] as const;
/** A larger schema would make the whole request fail, or crowd out everything else. */
const BOUNDS = { depth: 64, nodes: 10_000, entries: 100_000 };

/**
 * The schema for a model: every keyword that the server wrote, the same object when nothing has to change. Providers
 * refuse a root that is no object or a choice, so the choice moves into words, with the properties of its options
 * offered at the root; and the editor refuses lists that do not say what is in them, so they are given `items` that
 * allow anything, which means the same.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
 */
export function schemaForModel(original: JsonObject): ModelSchema {
  const size = measureSchema(original, BOUNDS);
  if (size.depth > BOUNDS.depth || size.nodes > BOUNDS.nodes || size.entries > BOUNDS.entries) {
    return { schema: { type: "object" }, note: "The schema of the arguments is too large to be shown." };
  }
  // The editor makes JSON of it, which knows no bigint: a limit beyond 2^53 is rounded.
  const rounded = roundBigints(original);
  const schema = fillItems(isJsonObject(rounded) ? rounded : original);
  if (isPlainObject(schema)) return { schema, note: "" };
  return { schema: openRoot(schema), note: describeRules(original) };
}

/**
 * What is wrong with arguments when the model got a part of their rules in words only, said to the model; undefined
 * when nothing is, and for schemas that the model got whole: those are the server's to check.
 */
export function explainLoosened(schema: JsonObject, args: JsonObject): string | undefined {
  if (isPlainObject(schema)) return undefined;
  const prepared = prepareSchema(schema, DEFAULT_LIMITS);
  const verdict = prepared.kind === "usable" ? prepared.check(args) : undefined;
  if (verdict?.kind !== "invalid") return undefined;
  const problems = verdict.problems.slice(0, 5).map((problem) => describeSchemaProblem(problem));
  return `The arguments do not fit the tool's schema: ${problems.join("; ")}. Nothing was called.`;
}

function isPlainObject(schema: JsonObject): boolean {
  return schema["type"] === "object" && !COMBINATORS.some((name) => Object.hasOwn(schema, name));
}

/** An object with the properties of the root and of every option within it, none of which is demanded by an option. */
function openRoot(schema: JsonObject): JsonObject {
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([name]) => !COMBINATORS.some((combinator) => combinator === name)),
  );
  const found = new Map<string, Map<string, JsonValue>>();
  collectProperties(schema, found);
  const properties = [...found].map(([name, byText]): [string, JsonValue] => {
    const [only, ...more] = byText.values();
    return [name, only !== undefined && more.length === 0 ? only : { anyOf: [...byText.values()] }];
  });
  return {
    ...kept,
    type: "object",
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  };
}

/** Collects the schemas that a property has anywhere, each once, by its text. */
function collectProperties(schema: JsonObject, found: Map<string, Map<string, JsonValue>>): void {
  const { properties } = schema;
  for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (property === undefined) continue;
    const known = found.get(name) ?? new Map<string, JsonValue>();
    found.set(name, known.set(stringifyJson(property), property));
  }
  for (const combinator of COMBINATORS) {
    const options = schema[combinator];
    if (!Array.isArray(options)) continue;
    for (const option of options as readonly JsonValue[])
      if (isJsonObject(option)) collectProperties(option, found);
  }
}

/** The rules that went, exactly as the server wrote them; the whole schema when its root was no object. */
function describeRules(original: JsonObject): string {
  const rules =
    original["type"] === "object"
      ? Object.fromEntries(
          COMBINATORS.flatMap((name) => (original[name] === undefined ? [] : [[name, original[name]]])),
        )
      : original;
  return `The arguments are an object that must fit this JSON Schema, too: ${stringifyJson(rules)}`;
}

/** The schema with `items` in every list that has none; itself when there is none such. */
function fillItems(schema: JsonObject): JsonObject {
  const before = Object.entries(schema);
  const filled = before.map(([keyword, value]): [string, JsonValue | undefined] => [
    keyword,
    value === undefined ? undefined : fillKeyword(keyword, value),
  ]);
  const { type } = schema;
  const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
  const lacksItems = isList && !Object.hasOwn(schema, "items");
  if (!lacksItems && filled.every(([, value], index) => value === before[index]?.[1])) return schema;
  return Object.fromEntries(lacksItems ? [...filled, ["items", {}]] : filled);
}

function fillKeyword(keyword: string, value: JsonValue): JsonValue {
  const shape = shapeOf("2020-12", keyword) ?? shapeOf("draft-07", keyword);
  switch (shape) {
    case "schema":
      return Array.isArray(value) ? fillList(value) : fillSchema(value);
    case "schemas":
      return fillList(value);
    case "schemaMap":
    case "dependencies":
      return isJsonObject(value) ? fillMap(value) : value;
    default:
      return value;
  }
}

function fillSchema(value: JsonValue): JsonValue {
  return isJsonObject(value) ? fillItems(value) : value;
}

function fillList(value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value;
  const before = value as readonly JsonValue[];
  const filled = before.map((item) => fillSchema(item));
  return filled.some((item, index) => item !== before[index]) ? filled : before;
}

function fillMap(value: JsonObject): JsonObject {
  const before = Object.entries(value);
  const filled = before.map(([name, item]): [string, JsonValue | undefined] => [
    name,
    item === undefined ? undefined : fillSchema(item),
  ]);
  return filled.some(([, item], index) => item !== before[index]?.[1]) ? Object.fromEntries(filled) : value;
}
