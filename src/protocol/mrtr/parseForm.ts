import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from "../../base/json.ts";
import type { ElicitationForm, FormField, FormOption } from "./inputRequired.ts";

/** What a `requestedSchema` turned out to be. A form is shown whole or not at all. */
export type ParsedForm =
  | { readonly kind: "form"; readonly form: ElicitationForm }
  | { readonly kind: "unsupported"; readonly reason: string };

const FORMATS = ["email", "uri", "date", "date-time"] as const;
const MAX_FIELDS = 200;

/** Stops the reading of a form; caught at its top. */
class UnsupportedForm extends Error {}

/**
 * Reads a form from the schema subset of elicitation, of both legacy revisions and the modern one.
 * A `$ref` to a local definition is followed once, because servers generate such schemas; anything nested is refused.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export function parseForm(schema: JsonValue | undefined): ParsedForm {
  try {
    return { kind: "form", form: readForm(schema) };
  } catch (error) {
    if (error instanceof UnsupportedForm) return { kind: "unsupported", reason: error.message };
    throw error;
  }
}

function readForm(schema: JsonValue | undefined): ElicitationForm {
  if (!isJsonObject(schema)) throw new UnsupportedForm("there is no requestedSchema object");
  if (schema["type"] !== undefined && schema["type"] !== "object") {
    throw new UnsupportedForm("the schema is not of type object");
  }
  const properties = schema["properties"] ?? {};
  if (!isJsonObject(properties)) throw new UnsupportedForm("properties is not an object");
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) throw new UnsupportedForm(`it has more than ${String(MAX_FIELDS)} fields`);
  const fields = entries.map(([name, property]) => {
    if (!isJsonObject(property)) throw new UnsupportedForm(`the field “${name}” is not a schema object`);
    return readField(name, followReference(name, property, schema), required.has(name));
  });
  return { fields, schema };
}

function followReference(name: string, property: JsonObject, root: JsonObject): JsonObject {
  const reference = property["$ref"];
  if (reference === undefined) return property;
  const match = typeof reference === "string" ? /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) : null;
  const table = match?.[1] === undefined ? undefined : root[match[1]];
  const key = match?.[2] === undefined ? "" : decodePointer(match[2]);
  const target = isJsonObject(table) ? table[key] : undefined;
  if (!isJsonObject(target) || target["$ref"] !== undefined) {
    throw new UnsupportedForm(`the field “${name}” refers to ${stringifyJson(reference)}`);
  }
  const { $ref: _, ...own } = property;
  return { ...target, ...own };
}

function decodePointer(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return segment;
  }
}

function readField(name: string, property: JsonObject, required: boolean): FormField {
  const description = property["description"];
  const title = property["title"];
  const common = {
    name,
    title: typeof title === "string" && title !== "" ? title : name,
    ...(typeof description === "string" && { description }),
    required,
  };
  switch (property["type"]) {
    case "boolean": {
      const value = property["default"];
      return { ...common, kind: "boolean", ...(typeof value === "boolean" && { default: value }) };
    }
    case "number":
    case "integer":
      return { ...common, ...readNumber(property) };
    case "array":
      return { ...common, ...readChoices(name, property) };
    case "string":
      return { ...common, ...readString(name, property) };
    case undefined:
      // Generators leave the type out where the choices say it.
      if (property["enum"] !== undefined || property["oneOf"] !== undefined) {
        return { ...common, ...readString(name, property) };
      }
      throw new UnsupportedForm(`the field “${name}” has no type`);
    default:
      throw new UnsupportedForm(`the field “${name}” has the type ${stringifyJson(property["type"])}`);
  }
}

function readNumber(property: JsonObject): Extract<FormFieldShape, { kind: "number" }> {
  const { minimum, maximum } = property;
  const value = property["default"];
  return {
    kind: "number",
    integer: property["type"] === "integer",
    ...(isJsonNumber(minimum) && { minimum }),
    ...(isJsonNumber(maximum) && { maximum }),
    ...(isJsonNumber(value) && { default: value }),
  };
}

type WithoutCommon<T> = T extends unknown ? Omit<T, "name" | "title" | "description" | "required"> : never;
type FormFieldShape = WithoutCommon<FormField>;

function readString(
  name: string,
  property: JsonObject,
): Extract<FormFieldShape, { kind: "text" | "choice" }> {
  const value = property["default"];
  const options = readOptions(name, property, "oneOf");
  if (options !== undefined) {
    const known = typeof value === "string" && options.some((option) => option.value === value);
    return { kind: "choice", options, ...(known && { default: value }) };
  }
  const { format, minLength, maxLength, pattern } = property;
  const knownFormat = FORMATS.find((item) => item === format);
  return {
    kind: "text",
    ...(knownFormat !== undefined && { format: knownFormat }),
    ...(typeof minLength === "number" && { minLength }),
    ...(typeof maxLength === "number" && { maxLength }),
    ...(typeof pattern === "string" && { pattern }),
    ...(typeof value === "string" && { default: value }),
  };
}

function readChoices(name: string, property: JsonObject): Extract<FormFieldShape, { kind: "choices" }> {
  const items = property["items"];
  // The schema says `anyOf`, the proposal it came from said `oneOf`; both are in use.
  const options = isJsonObject(items)
    ? (readOptions(name, items, "anyOf") ?? readOptions(name, items, "oneOf"))
    : undefined;
  if (options === undefined)
    throw new UnsupportedForm(`the field “${name}” is a list of something else than choices`);
  const { minItems, maxItems } = property;
  const values = property["default"];
  const chosen = Array.isArray(values)
    ? values.filter((value): value is string => options.some((option) => option.value === value))
    : undefined;
  return {
    kind: "choices",
    options,
    ...(typeof minItems === "number" && { minItems }),
    ...(typeof maxItems === "number" && { maxItems }),
    ...(chosen !== undefined && { default: chosen }),
  };
}

function readOptions(
  name: string,
  schema: JsonObject,
  keyword: "oneOf" | "anyOf",
): readonly FormOption[] | undefined {
  const titled = schema[keyword];
  if (titled !== undefined) {
    if (!Array.isArray(titled)) throw new UnsupportedForm(`the choices of “${name}” are not a list`);
    return titled.map((option: JsonValue) => {
      const value = isJsonObject(option) ? option["const"] : undefined;
      if (!isJsonObject(option) || typeof value !== "string") {
        throw new UnsupportedForm(`a choice of “${name}” has no text as its const`);
      }
      const title = option["title"];
      return { value, title: typeof title === "string" && title !== "" ? title : value };
    });
  }
  const plain = schema["enum"];
  if (plain === undefined) return undefined;
  if (!Array.isArray(plain)) throw new UnsupportedForm(`the choices of “${name}” are not a list`);
  const names = schema["enumNames"];
  return plain.map((value: JsonValue, index) => {
    if (typeof value !== "string") throw new UnsupportedForm(`a choice of “${name}” is not a text`);
    const title: unknown = Array.isArray(names) ? names[index] : undefined;
    return { value, title: typeof title === "string" && title !== "" ? title : value };
  });
}
