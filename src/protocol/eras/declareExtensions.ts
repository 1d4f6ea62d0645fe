import type { JsonObject } from "../../base/json.ts";

/** The part of the client's capabilities that names extensions without settings, the same in both eras. */
export function declareExtensions(names: readonly string[]): JsonObject {
  return names.length === 0 ? {} : { extensions: Object.fromEntries(names.map((name) => [name, {}])) };
}
