import type { JsonObject, JsonValue } from "../../base/json.ts";

/** A text that has something in it, else undefined. */
export function nonEmpty(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Name, display name and description, which everything that is listed has. Undefined without a name. */
export function readNames(
  entry: JsonObject,
): { readonly name: string; readonly displayName: string; readonly description?: string } | undefined {
  const { name, title, description } = entry;
  if (typeof name !== "string" || name === "") return undefined;
  return {
    name,
    displayName: nonEmpty(title) ?? name,
    ...(typeof description === "string" && { description }),
  };
}
