import { isJsonObject, type JsonValue } from "../../base/json.ts";
import { parsePlaceholders } from "../../client/placeholders.ts";

/** The names of the secrets that a piece of the settings refers to, wherever they stand in it. */
export function secretNamesIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === "string") {
    return parsePlaceholders(value).flatMap((part) => (part.kind === "secret" ? [part.name] : []));
  }
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => secretNamesIn(item));
  if (isJsonObject(value)) return Object.values(value).flatMap((item) => secretNamesIn(item));
  return [];
}
