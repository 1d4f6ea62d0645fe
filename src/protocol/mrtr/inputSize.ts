import type { JsonValue } from "../../base/json.ts";

/** What a value costs beside its text: quotes, brackets, a comma. */
const VALUE_COST = 4;

/**
 * True when a JSON value takes more characters than a limit, as near as it matters. Stops at the limit and does not
 * recurse, because what asks for input may be built to make its reader stumble.
 */
export function isLargerThan(value: JsonValue | undefined, limit: number): boolean {
  let size = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    size += VALUE_COST;
    if (typeof next === "string") size += next.length;
    else if (typeof next === "object" && next !== null) {
      for (const [key, child] of Object.entries(next)) {
        size += Array.isArray(next) ? 0 : key.length;
        open.push(child);
      }
    }
    if (size > limit) return true;
  }
  return false;
}
