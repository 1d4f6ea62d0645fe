import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { flattenSchema, mergeSchemas, typeList } from "./flattenSchema.ts";
import {
  type EnumOption,
  type FormPlan,
  type PlannedVariant,
  type PlanWords,
  valueTitle,
  type VariantTitle,
} from "./formPlan.ts";
import type { SchemaContext } from "./schemaContext.ts";

/** Keywords of options that only restrict what the rest of the schema describes. */
const CONSTRAINTS: ReadonlySet<string> = new Set([
  "required",
  "not",
  "minProperties",
  "maxProperties",
  "dependentRequired",
]);
/** Variants that one picker offers; a schema with more is shown as JSON. */
const MAX_VARIANTS = 200;

interface FlatOption {
  readonly source: JsonValue;
  readonly flat: JsonObject | undefined;
}

/** What planning a choice needs: the schema around it, and how to plan what the choice comes down to. */
export interface ChoiceScope {
  readonly context: SchemaContext;
  readonly planFlat: (schema: JsonObject) => FormPlan;
}

/** The plan of a schema that leaves a choice (`oneOf`, `anyOf`, several types), or undefined when it leaves none. */
export function planChoices(scope: ChoiceScope, schema: JsonObject, words: PlanWords): FormPlan | undefined {
  const keyword = Array.isArray(schema["oneOf"])
    ? "oneOf"
    : Array.isArray(schema["anyOf"])
      ? "anyOf"
      : undefined;
  if (keyword === undefined) return planTypes(schema, words);
  const { [keyword]: options, ...base } = schema;
  const flats = (options as readonly JsonValue[]).slice(0, MAX_VARIANTS + 1).map((source): FlatOption => {
    const flat = flattenSchema(scope.context, source);
    return { source, flat: flat.ok ? flat.schema : undefined };
  });
  if (flats.length > MAX_VARIANTS) {
    return planConsts(base, flats, words) ?? { ...words, kind: "raw", reason: { code: "tooLarge" } };
  }
  // The host checks such options before a run; as controls they would all look the same.
  if (flats.every(({ flat }) => flat !== undefined && isConstraint(flat))) return scope.planFlat(base);
  const values = flats.filter(({ flat }) => !isNull(flat));
  const nullable = values.length < flats.length && allowsNull(base);
  const all = { ...words, nullable };
  return planConsts(base, values, all) ?? planMerged(scope, base, values, all);
}

/** One option merges into the schema; several become variants. */
function planMerged(
  scope: ChoiceScope,
  base: JsonObject,
  options: readonly FlatOption[],
  words: PlanWords,
): FormPlan {
  const [only] = options;
  if (only === undefined) return { ...words, kind: "null", nullable: false };
  if (options.length === 1 && only.flat !== undefined) {
    const merged = mergeSchemas(withoutNullType(base), only.flat);
    if (merged === undefined) return { ...words, kind: "raw", reason: { code: "conflict" } };
    const plan = scope.planFlat(merged);
    return { ...plan, nullable: plan.nullable || words.nullable };
  }
  // Words of the schema belong to the picker, not to each variant.
  const { title: _title, description: _description, default: _default, examples: _examples, ...rest } = base;
  const bare = withoutNullType(rest);
  const variants = options.map(({ source, flat }, index): PlannedVariant => {
    const schema: JsonValue = Object.keys(bare).length === 0 ? source : { allOf: [source, bare] };
    return { title: titleVariant(source, flat, index), schema };
  });
  return { ...words, kind: "variants", variants };
}

/** Several types in one schema: one variant for each. */
function planTypes(schema: JsonObject, words: PlanWords): FormPlan | undefined {
  const all = typeList(schema["type"]);
  const types = all.filter((type) => type !== "null" && !(type === "integer" && all.includes("number")));
  if (types.length < 2) return undefined;
  const {
    title: _title,
    description: _description,
    default: _default,
    examples: _examples,
    ...rest
  } = schema;
  const variants = types.map((type): PlannedVariant => ({
    title: { kind: "type", type },
    schema: { ...rest, type },
  }));
  return { ...words, nullable: all.includes("null"), kind: "variants", variants };
}

/** Options that are single values: an enumeration with titles. */
function planConsts(
  base: JsonObject,
  options: readonly FlatOption[],
  words: PlanWords,
): FormPlan | undefined {
  if (isJsonObject(base["properties"]) || options.length < 2) return undefined;
  const found: EnumOption[] = [];
  for (const { flat } of options) {
    const values = flat === undefined ? undefined : constValues(flat);
    if (flat === undefined || values === undefined) return undefined;
    const { title, description } = flat;
    for (const value of values) {
      found.push({
        value,
        title: values.length === 1 && typeof title === "string" && title !== "" ? title : valueTitle(value),
        ...(values.length === 1 && typeof description === "string" ? { description } : {}),
      });
    }
  }
  return { ...words, kind: "enum", options: found };
}

function constValues(schema: JsonObject): readonly JsonValue[] | undefined {
  const value = schema["const"];
  if (value !== undefined) return [value];
  const values = schema["enum"];
  return Array.isArray(values) ? (values as readonly JsonValue[]) : undefined;
}

function isConstraint(schema: JsonObject): boolean {
  return Object.entries(schema).every(
    ([keyword, value]) =>
      CONSTRAINTS.has(keyword) ||
      ((keyword === "oneOf" || keyword === "anyOf") &&
        Array.isArray(value) &&
        value.every((option) => isJsonObject(option) && isConstraint(option))),
  );
}

function isNull(schema: JsonObject | undefined): boolean {
  if (schema === undefined) return false;
  return schema["type"] === "null" || schema["const"] === null;
}

function allowsNull(base: JsonObject): boolean {
  const types = typeList(base["type"]);
  return types.length === 0 || types.includes("null");
}

function withoutNullType(base: JsonObject): JsonObject {
  const types = typeList(base["type"]);
  if (types.length < 2 || !types.includes("null")) return base;
  return { ...base, type: types.filter((type) => type !== "null") };
}

function titleVariant(source: JsonValue, flat: JsonObject | undefined, index: number): VariantTitle {
  const own = isJsonObject(source) ? source : {};
  const text =
    nonEmpty(own["title"]) ??
    nonEmpty(flat?.["title"]) ??
    (flat && discriminator(flat)) ??
    refName(own["$ref"]);
  if (text !== undefined) return { kind: "text", text };
  const types = typeList(flat?.["type"]);
  const [type] = types;
  return types.length === 1 && type !== undefined && type !== "object"
    ? { kind: "type", type }
    : { kind: "number", number: index + 1 };
}

function nonEmpty(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The last part of a reference, which is usually a speaking name. */
function refName(ref: JsonValue | undefined): string | undefined {
  return typeof ref === "string" ? /([^/#]+)$/.exec(ref)?.[1] : undefined;
}

/** The fixed property that tells a variant from the others, as in “kind: circle”. */
function discriminator(schema: JsonObject): string | undefined {
  const properties = schema["properties"];
  if (!isJsonObject(properties)) return undefined;
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue;
    const values = constValues(property);
    if (values?.length === 1 && values[0] !== undefined) return `${name}: ${valueTitle(values[0])}`;
  }
  return undefined;
}
