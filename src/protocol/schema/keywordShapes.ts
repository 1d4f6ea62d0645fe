import { isJsonObject, type JsonValue } from "../../base/json.ts";

/** The dialects that Signalbox validates. */
export type SchemaDialect = "2020-12" | "draft-07";

/**
 * What the value of a keyword has to look like, as the meta-schemas of the dialects say it. Keywords that only inform
 * (`title`, `description`, `default` and so on) are not listed: a mistake in them must not cost the whole check.
 */
export type KeywordShape =
  | "schema"
  | "schemas"
  | "schemaMap"
  /** One schema, or in draft-07 a list of them by position. */
  | "schemaOrSchemas"
  | "dependencies"
  | "types"
  | "count"
  | "number"
  | "positive"
  | "names"
  | "nameLists"
  | "flag"
  | "text"
  | "list";

const SHARED = {
  $id: "text",
  $ref: "text",
  additionalProperties: "schema",
  allOf: "schemas",
  anyOf: "schemas",
  contains: "schema",
  definitions: "schemaMap",
  dependencies: "dependencies",
  else: "schema",
  enum: "list",
  exclusiveMaximum: "number",
  exclusiveMinimum: "number",
  format: "text",
  if: "schema",
  maxItems: "count",
  maxLength: "count",
  maxProperties: "count",
  maximum: "number",
  minItems: "count",
  minLength: "count",
  minProperties: "count",
  minimum: "number",
  multipleOf: "positive",
  not: "schema",
  oneOf: "schemas",
  pattern: "text",
  patternProperties: "schemaMap",
  properties: "schemaMap",
  propertyNames: "schema",
  required: "names",
  then: "schema",
  type: "types",
  uniqueItems: "flag",
} as const satisfies Readonly<Record<string, KeywordShape>>;

const SHAPES: Readonly<Record<SchemaDialect, ReadonlyMap<string, KeywordShape>>> = {
  "2020-12": new Map<string, KeywordShape>([
    ...Object.entries(SHARED),
    ["$anchor", "text"],
    ["$defs", "schemaMap"],
    ["$dynamicAnchor", "text"],
    ["$dynamicRef", "text"],
    ["contentSchema", "schema"],
    ["dependentRequired", "nameLists"],
    ["dependentSchemas", "schemaMap"],
    ["items", "schema"],
    ["maxContains", "count"],
    ["minContains", "count"],
    ["prefixItems", "schemas"],
    ["unevaluatedItems", "schema"],
    ["unevaluatedProperties", "schema"],
  ]),
  "draft-07": new Map<string, KeywordShape>([
    ...Object.entries(SHARED),
    ["additionalItems", "schema"],
    ["items", "schemaOrSchemas"],
  ]),
};

const TYPES: ReadonlySet<string> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);

/** What a keyword has to look like in a dialect; undefined for what the dialect does not know or does not bind. */
export function shapeOf(dialect: SchemaDialect, keyword: string): KeywordShape | undefined {
  return SHAPES[dialect].get(keyword);
}

/** What is wrong with the value of a keyword, as in “must be a number”. Schemas in it are not looked into. */
export function explainShape(shape: KeywordShape, value: JsonValue): string | undefined {
  switch (shape) {
    case "schema":
      // Said where the schema itself is read.
      return undefined;
    case "schemas":
      return Array.isArray(value) && value.length > 0 ? undefined : "must be a list of schemas, not empty";
    case "schemaOrSchemas":
      return undefined;
    case "schemaMap":
    case "dependencies":
      return isJsonObject(value) ? undefined : "must be an object";
    case "types":
      return explainTypes(value);
    case "count":
      return isCount(value) ? undefined : "must be a whole number, 0 or more";
    case "number":
      return isNumber(value) ? undefined : "must be a number";
    case "positive":
      return isNumber(value) && value > 0 ? undefined : "must be a number greater than 0";
    case "names":
      return isNames(value) ? undefined : "must be a list of texts";
    case "nameLists":
      return isJsonObject(value) && Object.keys(value).every((name) => isNames(value[name]))
        ? undefined
        : "must be an object of lists of texts";
    case "flag":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "text":
      return typeof value === "string" ? undefined : "must be a text";
    case "list":
      return Array.isArray(value) ? undefined : "must be a list";
  }
}

/** Visits the schemas directly in the value of a keyword, each with its name there when there are several. */
export function visitChildSchemas(
  shape: KeywordShape | undefined,
  value: JsonValue,
  visit: (schema: JsonValue, name?: string) => void,
): void {
  if (shape === "schema" || (shape === "schemaOrSchemas" && !Array.isArray(value))) visit(value);
  else if (Array.isArray(value) && (shape === "schemas" || shape === "schemaOrSchemas")) {
    for (const [index, schema] of (value as readonly JsonValue[]).entries()) visit(schema, String(index));
  } else if (isJsonObject(value) && (shape === "schemaMap" || shape === "dependencies")) {
    for (const name of Object.keys(value)) {
      const schema = value[name];
      if (schema !== undefined && !(shape === "dependencies" && Array.isArray(schema))) visit(schema, name);
    }
  }
}

function explainTypes(value: JsonValue): string | undefined {
  const types: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  return types.length > 0 && types.every((type) => typeof type === "string" && TYPES.has(type))
    ? undefined
    : `must be one of ${[...TYPES].join(", ")}, or a list of them`;
}

/** True for a JSON number, however it is held. */
export function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** True for a number without a fraction. */
export function isInteger(value: JsonValue | undefined): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}

function isCount(value: JsonValue): boolean {
  return isNumber(value) && isInteger(value) && value >= 0;
}

function isNames(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
