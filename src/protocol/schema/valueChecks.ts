import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../base/json.ts";
import { checkFormat } from "./checkFormat.ts";
import { isMultipleOf, isSameJson } from "./jsonEqual.ts";
import { isInteger, isNumber } from "./keywordShapes.ts";
import { testPattern } from "./patterns.ts";
import { keyword, type KeywordCheck, type KeywordScope } from "./keywordCheck.ts";
import type { SchemaBudget, SchemaRun } from "./schemaRun.ts";

/** The keywords that any value, or a text or a number, is compared with. */
export function valueChecks(scope: KeywordScope): KeywordCheck[] {
  return [
    ...typeChecks(scope.schema),
    ...enumChecks(scope.schema),
    ...numberChecks(scope.schema),
    ...textChecks(scope),
  ];
}

function typeChecks(schema: JsonObject): KeywordCheck[] {
  const declared = keyword(schema, "type");
  if (declared === undefined) return [];
  const list: readonly JsonValue[] = Array.isArray(declared) ? declared : [declared];
  const types = new Set(list.filter((type) => typeof type === "string"));
  // OpenAPI's word, which many generators of schemas still write.
  if (keyword(schema, "nullable") === true) types.add("null");
  const args = { types: [...types].join(" | ") };
  return [(value, run) => hasType(value, types) || run.fail("type", args)];
}

function hasType(value: JsonValue, types: ReadonlySet<string>): boolean {
  switch (typeof value) {
    case "string":
      return types.has("string");
    case "boolean":
      return types.has("boolean");
    case "number":
    case "bigint":
      return types.has("number") || (types.has("integer") && isInteger(value));
    default:
      return types.has(value === null ? "null" : Array.isArray(value) ? "array" : "object");
  }
}

function enumChecks(schema: JsonObject): KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  const constant = keyword(schema, "const");
  if (constant !== undefined) {
    checks.push(
      (value, run) =>
        isSameJson(value, constant, run.budget) || run.fail("const", { value: describe(constant, run) }),
    );
  }
  const options = keyword(schema, "enum");
  if (Array.isArray(options)) {
    const list = options as readonly JsonValue[];
    const texts = new Set(list.filter((option) => typeof option === "string"));
    const others = list.filter((option) => typeof option !== "string");
    checks.push(
      (value, run) =>
        (typeof value === "string" ? texts.has(value) : includes(others, value, run.budget)) ||
        run.fail("enum", { values: describe(list, run) }),
    );
  }
  return checks;
}

function includes(options: readonly JsonValue[], value: JsonValue, budget: SchemaBudget): boolean {
  return options.some((option) => isSameJson(option, value, budget));
}

const MAX_DESCRIBED = 300;

/** A value of the schema within a message, cut when it is long. */
function describe(value: JsonValue, run: SchemaRun): string {
  if (!run.reports) return "";
  const text = Array.isArray(value)
    ? (value as readonly JsonValue[])
        .slice(0, 50)
        .map((item) => describeOne(item))
        .join(", ")
    : describeOne(value);
  return text.length > MAX_DESCRIBED ? `${text.slice(0, MAX_DESCRIBED)}…` : text;
}

function describeOne(value: JsonValue): string {
  return isJsonObject(value) || Array.isArray(value)
    ? stringifyJson(value).slice(0, MAX_DESCRIBED)
    : stringifyJson(typeof value === "string" ? value.slice(0, MAX_DESCRIBED) : value);
}

type NumberKeyword = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf";
type NumberRule = (value: number | bigint, limit: number | bigint) => boolean;

/** The operators compare a bigint with a number exactly. */
const NUMBER_RULES: readonly (readonly [NumberKeyword, NumberRule])[] = [
  ["minimum", (value, limit) => value >= limit],
  ["maximum", (value, limit) => value <= limit],
  ["exclusiveMinimum", (value, limit) => value > limit],
  ["exclusiveMaximum", (value, limit) => value < limit],
  ["multipleOf", isMultipleOf],
];

function numberChecks(schema: JsonObject): KeywordCheck[] {
  return NUMBER_RULES.flatMap(([code, holds]): KeywordCheck[] => {
    const limit = keyword(schema, code);
    if (!isNumber(limit)) return [];
    const args = { limit: String(limit) };
    return [(value, run) => !isNumber(value) || holds(value, limit) || run.fail(code, args)];
  });
}

function textChecks(scope: KeywordScope): KeywordCheck[] {
  const { schema } = scope;
  const checks: KeywordCheck[] = [];
  const minimum = keyword(schema, "minLength");
  const maximum = keyword(schema, "maxLength");
  if (minimum !== undefined || maximum !== undefined) {
    checks.push(checkLength(Number(minimum ?? 0), Number(maximum ?? Number.POSITIVE_INFINITY)));
  }
  const pattern = keyword(schema, "pattern");
  if (typeof pattern === "string") {
    const args = { pattern: JSON.stringify(pattern.slice(0, MAX_DESCRIBED)) };
    checks.push(
      (value, run) =>
        typeof value !== "string" ||
        testPattern(scope.graph, pattern, value, run.budget) ||
        run.fail("pattern", args),
    );
  }
  const format = keyword(schema, "format");
  if (typeof format === "string") checks.push(checkFormat(format));
  return checks;
}

function checkLength(least: number, most: number): KeywordCheck {
  return (value, run) => {
    if (typeof value !== "string") return true;
    // A text has at most as many characters as UTF-16 units, and at least half as many.
    const { length } = value;
    const count = length > most || length < least * 2 ? countCharacters(value, run.budget) : length;
    if (count < least) return run.fail("minLength", { limit: least });
    return count <= most || run.fail("maxLength", { limit: most });
  };
}

/** Characters as JSON Schema counts them: code points. */
function countCharacters(text: string, budget: SchemaBudget): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at % 4_096 === 0) budget.spend(1_024);
    const unit = text.charCodeAt(at);
    const isPair = unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(at + 1));
    if (isPair) at += 1;
    count += 1;
  }
  return count;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
