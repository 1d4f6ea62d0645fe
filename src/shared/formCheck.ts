import { isJsonNumber } from "../base/json.ts";
import { matchesFormat } from "../base/textFormats.ts";
import type { ElicitationForm, FormField, FormValue } from "../protocol/mrtr/inputRequired.ts";
import { limitArg, type ValueProblem } from "./problems.ts";
import { testPattern } from "./safePattern.ts";
import { isNumberText, readNumber } from "./schemaForm/jsonText.ts";

/** A checked field: what will be sent (undefined: left out), or what is wrong. */
export type FieldVerdict =
  | { readonly ok: true; readonly value: FormValue | undefined }
  | { readonly ok: false; readonly problem: ValueProblem };

/** A checked form: the content to send, and the problems by field name. The content is complete when there are none. */
export interface FormVerdict {
  readonly content: Readonly<Record<string, FormValue>>;
  readonly problems: ReadonlyMap<string, ValueProblem>;
}

type FieldOf<Kind extends FormField["kind"]> = Extract<FormField, { readonly kind: Kind }>;

/**
 * Checks one field of an elicitation form. `raw` is what a control holds (the text of a number field, too) or what a
 * message carries, so page and host use the same rules. An empty optional field is left out of the answer.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export function checkField(field: FormField, raw: unknown): FieldVerdict {
  switch (field.kind) {
    case "text":
      return checkText(field, raw);
    case "number":
      return checkNumber(field, raw);
    case "boolean":
      if (raw === undefined) return field.required ? wrong("required") : right(undefined);
      return typeof raw === "boolean" ? right(raw) : wrong("type", { expected: "boolean" });
    case "choice":
      return checkChoice(field, raw);
    case "choices":
      return checkChoices(field, raw);
  }
}

/** Checks a whole form. Values of names that the form does not have are dropped. */
export function checkForm(form: ElicitationForm, values: Readonly<Record<string, unknown>>): FormVerdict {
  const content: [string, FormValue][] = [];
  const problems = new Map<string, ValueProblem>();
  for (const field of form.fields) {
    const raw = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    const verdict = checkField(field, raw);
    if (!verdict.ok) problems.set(field.name, verdict.problem);
    else if (verdict.value !== undefined) content.push([field.name, verdict.value]);
  }
  // `fromEntries` makes own properties of any name, `__proto__` included.
  return { content: Object.fromEntries(content), problems };
}

function checkText(field: FieldOf<"text">, raw: unknown): FieldVerdict {
  if (raw === undefined || raw === "") {
    // A server that proposes an empty text accepts one.
    if (raw === "" && field.default === "") return right("");
    return field.required ? wrong("required") : right(undefined);
  }
  if (typeof raw !== "string") return wrong("type", { expected: "string" });
  const length = countCharacters(raw);
  if (field.minLength !== undefined && length < field.minLength) {
    return wrong("minLength", { limit: field.minLength, actual: length });
  }
  if (field.maxLength !== undefined && length > field.maxLength) {
    return wrong("maxLength", { limit: field.maxLength, actual: length });
  }
  if (field.format !== undefined && !matchesFormat(field.format, raw))
    return wrong("format", { format: field.format });
  if (field.pattern !== undefined && testPattern(field.pattern, raw) === "mismatch") {
    return wrong("pattern", { pattern: field.pattern });
  }
  return right(raw);
}

function checkNumber(field: FieldOf<"number">, raw: unknown): FieldVerdict {
  const given = typeof raw === "string" ? raw.trim() : raw;
  if (given === undefined || given === "") return field.required ? wrong("required") : right(undefined);
  if (typeof given !== "string" && !isJsonNumber(given)) return wrong("type", { expected: "number" });
  if (typeof given !== "string") return checkRange(field, given);
  return isNumberText(given) ? checkRange(field, readNumber(given)) : wrong("number");
}

function checkRange(field: FieldOf<"number">, value: number | bigint): FieldVerdict {
  const { integer, minimum, maximum } = field;
  if (typeof value === "number" && !Number.isFinite(value)) return wrong("number");
  if (integer && typeof value === "number" && !Number.isInteger(value)) return wrong("integer");
  // The operators compare a bigint with a number exactly.
  if (minimum !== undefined && value < minimum) return wrong("minimum", { limit: limitArg(minimum) });
  if (maximum !== undefined && value > maximum) return wrong("maximum", { limit: limitArg(maximum) });
  return right(value);
}

function checkChoice(field: FieldOf<"choice">, raw: unknown): FieldVerdict {
  if (raw === undefined) return field.required ? wrong("choose") : right(undefined);
  if (typeof raw !== "string" || !field.options.some((option) => option.value === raw))
    return wrong("option");
  return right(raw);
}

function checkChoices(field: FieldOf<"choices">, raw: unknown): FieldVerdict {
  if (raw !== undefined && !Array.isArray(raw)) return wrong("type", { expected: "array" });
  const chosen: readonly unknown[] = raw ?? [];
  const allowed = new Set(field.options.map((option) => option.value));
  const values = chosen.filter((value): value is string => typeof value === "string" && allowed.has(value));
  if (values.length !== chosen.length) return wrong("option");
  if (new Set(values).size !== values.length) return wrong("option");
  // Nothing chosen in an optional field is no answer, unless the server proposed some and they were taken away.
  if (values.length === 0 && !field.required && field.default === undefined) return right(undefined);
  if (field.minItems !== undefined && values.length < field.minItems) {
    return wrong("minItems", { limit: field.minItems, actual: values.length });
  }
  if (field.maxItems !== undefined && values.length > field.maxItems) {
    return wrong("maxItems", { limit: field.maxItems, actual: values.length });
  }
  return right(values);
}

/** Characters as JSON Schema counts them: code points. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const character of text) if (character !== "") count += 1;
  return count;
}

function right(value: FormValue | undefined): FieldVerdict {
  return { ok: true, value };
}

function wrong(code: ValueProblem["code"], args: ValueProblem["args"] = {}): FieldVerdict {
  return { ok: false, problem: { code, args } };
}
