import { type JsonValue, stringifyJson } from "../../src/base/json.ts";
import type { FormPlan, VariantTitle } from "../../src/shared/schemaForm/formPlan.ts";
import type { RawReason } from "../../src/shared/schemaForm/schemaContext.ts";
import { limitArg } from "../../src/shared/problems.ts";
import { t } from "../l10n.ts";

const MAX_SHOWN = 200;

/** The kind of value that a plan takes, in a word or two. */
export function planType(plan: FormPlan): string {
  switch (plan.kind) {
    case "string":
      return plan.format === undefined ? t("text") : t("text ({format})", { format: plan.format });
    case "number":
      return plan.integer ? t("whole number") : t("number");
    case "boolean":
      return t("true or false");
    case "enum":
      return t("one of {count}", { count: plan.options.length });
    case "object":
      return t("object");
    case "array":
      return t("list");
    case "variants":
      return t("one of {count} kinds", { count: plan.variants.length });
    case "const":
    case "null":
      return t("fixed value");
    case "raw":
      return t("JSON");
  }
}

/** The name of a type of JSON Schema. */
export function typeName(type: string): string {
  switch (type) {
    case "string":
      return t("text");
    case "integer":
      return t("whole number");
    case "number":
      return t("number");
    case "boolean":
      return t("true or false");
    case "array":
      return t("list");
    case "object":
      return t("object");
    default:
      return type;
  }
}

export function variantName(title: VariantTitle): string {
  switch (title.kind) {
    case "text":
      return title.text;
    case "type":
      return typeName(title.type);
    case "number":
      return t("Kind {number}", { number: title.number });
  }
}

/** Why a part is a JSON field. */
export function rawReason(reason: RawReason): string {
  switch (reason.code) {
    case "any":
      return t("The schema allows any value here, so it is written as JSON.");
    case "never":
      return t("The schema allows no value here.");
    case "unresolved":
      return t(
        "The schema refers to “{ref}”, which is not part of it. Nothing is fetched, so this is written as JSON.",
        {
          ref: reason.ref,
        },
      );
    case "circular":
      return t("The schema refers to itself through “{ref}” without an end, so this is written as JSON.", {
        ref: reason.ref,
      });
    case "conflict":
      return t("The schema combines rules that cannot be shown as fields, so this is written as JSON.");
    case "unknownType":
      return t("The schema names the unknown type “{type}”, so this is written as JSON.", {
        type: reason.type,
      });
    case "tooLarge":
      return t("The schema is too large to be shown as fields here, so this is written as JSON.");
    case "mismatch":
      return t("The value does not fit the field, so it is shown as JSON.");
  }
}

/** What helps to fill a field: default, examples and limits. */
export function planHints(plan: FormPlan, showDefault: boolean): string[] {
  const hints: string[] = [];
  if (showDefault && plan.default !== undefined)
    hints.push(t("Default: {value}", { value: shortJson(plan.default) }));
  if (plan.examples.length > 0) {
    hints.push(t("For example: {values}", { values: plan.examples.map(shortJson).join(", ") }));
  }
  if (plan.kind === "number")
    hints.push(...rangeHint(plan.minimum ?? plan.exclusiveMinimum, plan.maximum ?? plan.exclusiveMaximum));
  if (plan.kind === "string") {
    if (plan.maxLength !== undefined) hints.push(t("At most {limit} characters", { limit: plan.maxLength }));
    if (plan.pattern !== undefined)
      hints.push(t("Pattern: {pattern}", { pattern: plan.pattern.slice(0, MAX_SHOWN) }));
  }
  return hints;
}

/** A range in words; nothing when there is none. */
export function rangeHint(
  minimum: number | bigint | undefined,
  maximum: number | bigint | undefined,
): string[] {
  const limits = { minimum: limitArg(minimum ?? 0), maximum: limitArg(maximum ?? 0) };
  if (minimum !== undefined && maximum !== undefined) return [t("From {minimum} to {maximum}", limits)];
  if (minimum !== undefined) return [t("From {minimum}", limits)];
  return maximum === undefined ? [] : [t("Up to {maximum}", limits)];
}

function shortJson(value: JsonValue): string {
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
