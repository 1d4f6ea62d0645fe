import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { Listing } from "../model/listing.ts";
import { shorten } from "../shorten.ts";
import type { ListedPages } from "./listPages.ts";

/** Warnings about entries of one list; more are only counted. */
const MAX_WARNINGS = 5;

/**
 * Reads the entries of a finished list, each for itself: a bad one costs nothing but itself, and one that is listed
 * twice is used once, because its key is all that a request can say.
 */
export function readListing<T>(
  method: string,
  pages: ListedPages,
  parse: (entry: JsonObject) => T | string,
  keyOf: (item: T) => string,
): Listing<T> {
  const items = new Map<string, T>();
  const warnings = [...pages.warnings];
  let odd = 0;
  const warn = (index: number, reason: string): void => {
    odd += 1;
    if (odd <= MAX_WARNINGS) warnings.push(`Entry ${String(index + 1)} of ${method} is left out: ${reason}.`);
  };
  for (const [index, entry] of pages.items.entries()) {
    const item = isJsonObject(entry) ? parse(entry) : "it is not an object";
    if (typeof item === "string") warn(index, item);
    else if (items.has(keyOf(item))) warn(index, `“${shorten(keyOf(item))}” is there already`);
    else items.set(keyOf(item), item);
  }
  if (odd > MAX_WARNINGS)
    warnings.push(`${String(odd - MAX_WARNINGS)} more entries of ${method} are left out.`);
  return { items: [...items.values()], warnings };
}
