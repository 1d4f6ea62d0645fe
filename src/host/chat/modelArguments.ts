import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { explainLoosened } from "./schemaForModel.ts";

/** The arguments that a model meant, or why they cannot be known, in words for the model. */
export type ModelArguments =
  | { readonly kind: "arguments"; readonly args: JsonObject }
  | { readonly kind: "refused"; readonly reason: string };

const LONG_INTEGER = /^-?[1-9]\d{15,}$/;
const MAX_DEPTH = 64;

/**
 * Gives integers back the digits that they lost on their way from a model. The editor hands over what a model wrote
 * after reading it as JavaScript does, so an integer beyond 2^53 is a neighbour of the one that was meant. Where the
 * schema wants an integer, such a neighbour is refused, and a text of that many digits is taken for the integer:
 * that is how a model is told to write it. Rules that the model got in words only are checked here.
 */
export function readModelArguments(schema: JsonObject, args: JsonObject): ModelArguments {
  try {
    const restored = restoreObject(schema, args, 0);
    const reason = explainLoosened(schema, restored);
    return reason === undefined ? { kind: "arguments", args: restored } : { kind: "refused", reason };
  } catch (error) {
    if (error instanceof RoundedInteger) return { kind: "refused", reason: error.message };
    throw error;
  }
}

class RoundedInteger extends Error {
  constructor(value: number) {
    super(
      `The arguments have an integer that was rounded to ${String(BigInt(value))} before it arrived, because it has too many digits. Nothing was called. Call again with that integer as a string of its exact digits: it will be sent as an integer.`,
    );
  }
}

function restore(schema: JsonValue | undefined, value: JsonValue, depth: number): JsonValue {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return value;
  if (schema["type"] === "integer") {
    if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
      throw new RoundedInteger(value);
    if (typeof value === "string" && LONG_INTEGER.test(value)) return BigInt(value);
  }
  if (isJsonObject(value)) return restoreObject(schema, value, depth);
  if (!Array.isArray(value)) return value;
  return (value as readonly JsonValue[]).map((item) => restore(schema["items"], item, depth + 1));
}

function restoreObject(schema: JsonObject, value: JsonObject, depth: number): JsonObject {
  const properties = schema["properties"];
  if (!isJsonObject(properties)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      item === undefined || !Object.hasOwn(properties, name)
        ? item
        : restore(properties[name], item, depth + 1),
    ]),
  );
}
