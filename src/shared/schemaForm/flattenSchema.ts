import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { fromJsonValue, sameNode } from "./jsonText.ts";
import type { FlatSchema, SchemaContext } from "./schemaContext.ts";

/** Keywords that only inform. Where two schemas both have one, the outer schema's is shown. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
  "$id",
  "$schema",
  "$anchor",
  "$dynamicAnchor",
  "$defs",
  "definitions",
]);

/** Keywords that decide which controls there are, and that cannot be merged when they differ. */
const SHOWN: ReadonlySet<string> = new Set([
  "additionalItems",
  "const",
  "format",
  "multipleOf",
  "prefixItems",
]);

/** Levels of references and `allOf` that lead to one schema. */
const MAX_DEPTH = 64;

/**
 * Resolves the references and merges the `allOf` of one schema, without touching its children.
 * Keywords beside a `$ref` apply too, as in 2020-12.
 */
export function flattenSchema(context: SchemaContext, schema: JsonValue): FlatSchema {
  return flatten(context, schema, [], 0);
}

function flatten(
  context: SchemaContext,
  schema: JsonValue,
  refs: readonly JsonValue[],
  depth: number,
): FlatSchema {
  if (!context.spend() || depth > MAX_DEPTH) return { ok: false, reason: { code: "tooLarge" } };
  if (schema === true) return { ok: true, schema: {} };
  if (schema === false) return { ok: false, reason: { code: "never" } };
  if (!isJsonObject(schema)) return { ok: false, reason: { code: "any" } };
  const { $ref, $dynamicRef, allOf, ...own } = schema;
  const isBareRef = context.isDraft07 && typeof $ref === "string";
  const parts: FlatSchema[] = [{ ok: true, schema: isBareRef ? wordsOf(own) : gatherBranches(own) }];
  for (const ref of [$ref, $dynamicRef]) {
    if (typeof ref === "string") parts.push(flattenRef(context, { ref, from: schema }, refs, depth));
  }
  if (Array.isArray(allOf) && !isBareRef) {
    for (const part of allOf as readonly JsonValue[]) parts.push(flatten(context, part, refs, depth + 1));
  }
  return mergeParts(parts);
}

function mergeParts(parts: readonly FlatSchema[]): FlatSchema {
  let merged: JsonObject = {};
  for (const part of parts) {
    if (!part.ok) return part;
    const next = mergeSchemas(merged, part.schema);
    if (next === undefined) return { ok: false, reason: { code: "conflict" } };
    merged = next;
  }
  return { ok: true, schema: merged };
}

function flattenRef(
  context: SchemaContext,
  { ref, from }: { readonly ref: string; readonly from: JsonObject },
  refs: readonly JsonValue[],
  depth: number,
): FlatSchema {
  const target = context.resolve(ref, from);
  if (target === undefined) return { ok: false, reason: { code: "unresolved", ref } };
  if (refs.includes(target)) return { ok: false, reason: { code: "circular", ref } };
  return flatten(context, target, [...refs, target], depth + 1);
}

/**
 * Where a flat schema keeps the schemas that apply only sometimes, as a list. `allOf` may bring several conditions
 * together, which `if`, `then` and `else` cannot express in one schema. No keyword has a blank in its name.
 */
export const BRANCHES = "conditional branches";

function gatherBranches(schema: JsonObject): JsonObject {
  const { if: condition, then, else: otherwise, dependentSchemas, dependencies, ...rest } = schema;
  const dependent = [dependentSchemas, dependencies].flatMap((map) =>
    isJsonObject(map) ? Object.values(map) : [],
  );
  const branches = [...(condition === undefined ? [] : [then, otherwise]), ...dependent].filter(isJsonObject);
  return branches.length === 0 ? rest : { ...rest, [BRANCHES]: branches };
}

/** The part of a schema that only informs. */
function wordsOf(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => ANNOTATIONS.has(keyword)));
}

/** The schema that demands both, or undefined when this module cannot express it. The first one's words win. */
export function mergeSchemas(first: JsonObject, second: JsonObject): JsonObject | undefined {
  const merged: Record<string, JsonValue | undefined> = { ...first };
  for (const [keyword, value] of Object.entries(second)) {
    if (value === undefined) continue;
    const mine = merged[keyword];
    if (mine === undefined || !Object.hasOwn(merged, keyword)) {
      merged[keyword] = value;
    } else if (!ANNOTATIONS.has(keyword)) {
      const both = mergeKeyword(keyword, mine, value);
      if (both === undefined) return undefined;
      merged[keyword] = both;
    }
  }
  return merged;
}

function mergeKeyword(keyword: string, mine: JsonValue, theirs: JsonValue): JsonValue | undefined {
  switch (keyword) {
    case "type":
      return mergeTypes(mine, theirs);
    case "properties":
    case "patternProperties":
      return mergeMaps(mine, theirs);
    case "required":
      return [...new Set([...list(mine), ...list(theirs)])];
    case "enum": {
      const common = list(mine).filter((value) => list(theirs).some((other) => same(value, other)));
      return common.length === 0 ? undefined : common;
    }
    case "minimum":
    case "exclusiveMinimum":
    case "minLength":
    case "minItems":
    case "minProperties":
      return bothNumbers(mine, theirs, (a, b) => (a >= b ? a : b));
    case "maximum":
    case "exclusiveMaximum":
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return bothNumbers(mine, theirs, (a, b) => (a <= b ? a : b));
    case "additionalProperties":
    case "items":
    case "unevaluatedProperties":
      return mergeBranch(mine, theirs);
    case "uniqueItems":
      return mine === true || theirs === true;
    case BRANCHES:
      return [...list(mine), ...list(theirs)];
    case "anyOf":
    case "oneOf":
      return mergeChoices(keyword, mine, theirs);
    default:
      // What the form does not show is the host's to check; what it shows must not be wrong.
      return same(mine, theirs) || !SHOWN.has(keyword) ? mine : undefined;
  }
}

/** A choice within each option of another choice. */
function mergeChoices(keyword: string, mine: JsonValue, theirs: JsonValue): JsonValue {
  if (same(mine, theirs)) return mine;
  return list(mine).map((option) => ({ allOf: [option, { [keyword]: theirs }] }));
}

/** Two schemas for the same place: both apply. Left as an `allOf`, so that it is only resolved when it is shown. */
function mergeBranch(mine: JsonValue, theirs: JsonValue): JsonValue | undefined {
  if (mine === false || theirs === false) return false;
  if (mine === true) return theirs;
  if (theirs === true) return mine;
  if (Array.isArray(mine) || Array.isArray(theirs)) return same(mine, theirs) ? mine : undefined;
  return { allOf: [mine, theirs] };
}

function mergeMaps(mine: JsonValue, theirs: JsonValue): JsonValue | undefined {
  if (!isJsonObject(mine) || !isJsonObject(theirs)) return undefined;
  const merged = new Map(Object.entries(mine));
  for (const [name, schema] of Object.entries(theirs)) {
    const own = merged.get(name);
    if (own === undefined || schema === undefined) merged.set(name, own ?? schema);
    else merged.set(name, mergeBranch(own, schema));
  }
  return Object.fromEntries(merged);
}

function mergeTypes(mine: JsonValue, theirs: JsonValue): JsonValue | undefined {
  const others = new Set(typeList(theirs));
  const common = typeList(mine).flatMap((type) => {
    if (others.has(type)) return [type];
    if (type === "number" && others.has("integer")) return ["integer"];
    if (type === "integer" && others.has("number")) return ["integer"];
    return [];
  });
  const [only] = common;
  return common.length === 0 ? undefined : common.length === 1 ? only : common;
}

/** The value of `type` as a list. */
export function typeList(type: JsonValue | undefined): readonly string[] {
  if (typeof type === "string") return [type];
  return list(type).filter((item): item is string => typeof item === "string");
}

function bothNumbers(
  mine: JsonValue,
  theirs: JsonValue,
  pick: (a: number | bigint, b: number | bigint) => number | bigint,
): JsonValue | undefined {
  return isJsonNumber(mine) && isJsonNumber(theirs) ? pick(mine, theirs) : undefined;
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function same(a: JsonValue, b: JsonValue): boolean {
  return sameNode(fromJsonValue(a), fromJsonValue(b));
}
