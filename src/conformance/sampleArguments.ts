import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** Arguments that satisfy the required part of a simple schema. */
export function sampleArguments(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.fromEntries(
    required
      .filter((name): name is string => typeof name === "string")
      .map((name) => [name, sample(properties[name])]),
  );
}

function sample(schema: JsonValue | undefined): JsonValue {
  switch (isJsonObject(schema) ? schema["type"] : undefined) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    case "null":
      return null;
    default:
      return "text";
  }
}
