import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue, readAmount } from "../../base/json.ts";
import { BRANCHES, flattenSchema, typeList } from "./flattenSchema.ts";
import {
  type ArrayPlan,
  type EnumOption,
  type FormPlan,
  type ObjectPlan,
  type PlannedProperty,
  type PlanWords,
  valueTitle,
} from "./formPlan.ts";
import { SchemaContext } from "./schemaContext.ts";
import { planChoices } from "./planVariants.ts";

/** Plans the parts of one schema, each once and only when asked for. */
export class FormPlanner {
  readonly #context: SchemaContext;
  readonly #plans = new WeakMap<JsonObject, FormPlan>();

  constructor(root: JsonObject) {
    this.#context = new SchemaContext(root);
  }

  /** The plan of the whole schema. */
  planRoot(): FormPlan {
    return this.plan(this.#context.root);
  }

  /** The plan of a subschema. The same schema object always has the same plan object. */
  plan(schema: JsonValue): FormPlan {
    const known = isJsonObject(schema) ? this.#plans.get(schema) : undefined;
    if (known !== undefined) return known;
    const plan = planSchema(this.#context, schema);
    if (isJsonObject(schema)) this.#plans.set(schema, plan);
    return plan;
  }
}

function planSchema(context: SchemaContext, schema: JsonValue): FormPlan {
  const flat = flattenSchema(context, schema);
  if (!flat.ok) {
    const words = isJsonObject(schema) ? readWords(schema) : NO_WORDS;
    return { ...words, kind: "raw", reason: flat.reason };
  }
  return planFlat(context, flat.schema);
}

const NO_WORDS: PlanWords = { examples: [], nullable: false };

/** Choices within choices that one plan may resolve. */
const MAX_DEPTH = 32;

/** Plans a schema without `$ref` and `allOf`. */
export function planFlat(context: SchemaContext, schema: JsonObject, depth = 0): FormPlan {
  const words = readWords(schema);
  if (depth > MAX_DEPTH) return { ...words, kind: "raw", reason: { code: "tooLarge" } };
  if (Object.hasOwn(schema, "const") && schema["const"] !== undefined) {
    return { ...words, kind: "const", value: schema["const"] };
  }
  const scope = { context, planFlat: (inner: JsonObject) => planFlat(context, inner, depth + 1) };
  const choices = planEnum(schema, words) ?? planChoices(scope, schema, words);
  if (choices !== undefined) return choices;
  const types = typeList(schema["type"]);
  // `nullable` is OpenAPI's word, which many generators of schemas still write.
  const nullable =
    types.length > 1 ? types.includes("null") : schema["nullable"] === true && types.length > 0;
  // Every integer is a number, so that both together are just numbers.
  const main = types.includes("number") ? "number" : types.find((type) => type !== "null");
  return planType(context, main ?? types[0] ?? inferType(schema), schema, {
    ...words,
    nullable: words.nullable || nullable,
  });
}

function planType(
  context: SchemaContext,
  type: string | undefined,
  schema: JsonObject,
  words: PlanWords,
): FormPlan {
  switch (type) {
    case "string":
      return {
        ...words,
        kind: "string",
        ...pickCounts(schema, ["minLength", "maxLength"]),
        ...(typeof schema["format"] === "string" ? { format: schema["format"] } : {}),
        ...(typeof schema["pattern"] === "string" ? { pattern: schema["pattern"] } : {}),
      };
    case "number":
    case "integer":
      return {
        ...words,
        kind: "number",
        integer: type === "integer",
        ...pickNumbers(schema, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
      };
    case "boolean":
    case "null":
      return { ...words, kind: type };
    case "object":
      return planObject(context, schema, words);
    case "array":
      return planArray(schema, words);
    case undefined:
      return { ...words, kind: "raw", reason: { code: "any" } };
    default:
      return { ...words, kind: "raw", reason: { code: "unknownType", type } };
  }
}

function planObject(context: SchemaContext, schema: JsonObject, words: PlanWords): ObjectPlan {
  const required = new Set(Array.isArray(schema["required"]) ? typeList(schema["required"]) : []);
  const properties = new Map<string, PlannedProperty>();
  const add = (map: JsonValue | undefined, conditional: boolean): void => {
    if (!isJsonObject(map)) return;
    for (const [name, property] of Object.entries(map)) {
      if (property === undefined || properties.has(name)) continue;
      properties.set(name, { name, required: !conditional && required.has(name), schema: property });
    }
  };
  add(schema["properties"], false);
  for (const branch of conditionalBranches(context, schema, 0)) add(branch["properties"], true);
  const { additional, offered } = readAdditional(schema);
  for (const name of required) {
    if (properties.has(name)) continue;
    properties.set(name, { name, required: true, schema: additional === false ? true : additional });
  }
  return {
    ...words,
    kind: "object",
    properties: [...properties.values()],
    additional,
    offersAdditional: offered
      ? "explicitly"
      : properties.size === 0 && additional !== false
        ? "silently"
        : "no",
    ...pickCounts(schema, ["minProperties", "maxProperties"]),
  };
}

/**
 * Schemas that apply only sometimes, in the order of the schema, with those that apply only then. Their properties are
 * offered as optional ones.
 */
function conditionalBranches(context: SchemaContext, schema: JsonObject, depth: number): JsonObject[] {
  if (depth > MAX_DEPTH) return [];
  // The root's own choices are variants, not branches.
  const sources = depth === 0 ? [schema[BRANCHES]] : [schema[BRANCHES], schema["oneOf"], schema["anyOf"]];
  const branches = sources.flatMap((list) => (Array.isArray(list) ? (list as readonly JsonValue[]) : []));
  return branches.flatMap((branch) => {
    const flat = flattenSchema(context, branch);
    return flat.ok ? [flat.schema, ...conditionalBranches(context, flat.schema, depth + 1)] : [];
  });
}

function readAdditional(schema: JsonObject): { readonly additional: JsonValue; readonly offered: boolean } {
  const own = schema["additionalProperties"] ?? schema["unevaluatedProperties"];
  const patterns = schema["patternProperties"];
  const byPattern = isJsonObject(patterns) ? Object.values(patterns) : [];
  if (byPattern.length > 0) {
    const [only] = byPattern;
    // Names decide which schema applies; with one pattern and nothing else it can only be that one.
    return {
      additional: byPattern.length === 1 && own === false && only !== undefined ? only : true,
      offered: true,
    };
  }
  if (own === undefined) return { additional: true, offered: false };
  return { additional: own, offered: own !== false };
}

function planArray(schema: JsonObject, words: PlanWords): ArrayPlan {
  const tuple = schema["prefixItems"] ?? (Array.isArray(schema["items"]) ? schema["items"] : undefined);
  const prefix = Array.isArray(tuple) ? (tuple as readonly JsonValue[]) : [];
  const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
  // What `contains` allows comes beside the items that are described.
  const beyond = schema["contains"] === undefined ? schema["unevaluatedItems"] : undefined;
  return {
    ...words,
    kind: "array",
    prefix,
    items: rest ?? beyond ?? true,
    uniqueItems: schema["uniqueItems"] === true,
    ...pickCounts(schema, ["minItems", "maxItems"]),
  };
}

function planEnum(schema: JsonObject, words: PlanWords): FormPlan | undefined {
  const values = schema["enum"];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const names = schema["enumNames"];
  const options = (values as readonly JsonValue[]).map((value, index): EnumOption => {
    const name: unknown = Array.isArray(names) ? names[index] : undefined;
    return { value, title: typeof name === "string" ? name : valueTitle(value) };
  });
  return { ...words, kind: "enum", options };
}

function inferType(schema: JsonObject): string | undefined {
  const has = (...keywords: readonly string[]): boolean =>
    keywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (has("properties", "additionalProperties", "patternProperties", "required", "minProperties"))
    return "object";
  if (has("items", "prefixItems", "minItems", "maxItems", "uniqueItems")) return "array";
  if (has("minLength", "maxLength", "pattern", "format")) return "string";
  if (has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")) return "number";
  return undefined;
}

/** The words of a schema. */
export function readWords(schema: JsonObject): PlanWords {
  const { title, description, examples } = schema;
  const byDefault = schema["default"];
  return {
    ...(typeof title === "string" && title !== "" ? { title } : {}),
    ...(typeof description === "string" && description !== "" ? { description } : {}),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    examples: Array.isArray(examples) ? (examples as readonly JsonValue[]).slice(0, 3) : [],
    nullable: false,
  };
}

function pickNumbers<Name extends string>(
  schema: JsonObject,
  names: readonly Name[],
): { readonly [Key in Name]?: number | bigint } {
  const found: { [Key in Name]?: number | bigint } = {};
  for (const name of names) {
    const value = schema[name];
    if (isJsonNumber(value)) found[name] = value;
  }
  return found;
}

/** Limits of lengths and counts, of which nothing reaches 2^53. */
function pickCounts<Name extends string>(
  schema: JsonObject,
  names: readonly Name[],
): { readonly [Key in Name]?: number } {
  const found: { [Key in Name]?: number } = {};
  for (const name of names) {
    const value = readAmount(schema[name]);
    if (value !== undefined) found[name] = value;
  }
  return found;
}
