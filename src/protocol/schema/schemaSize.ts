import type { JsonValue } from "../../base/json.ts";

/** How big a JSON value is, counted without recursion and no further than the bounds. */
export interface SchemaSize {
  readonly depth: number;
  /** Objects and arrays, the root included. */
  readonly nodes: number;
  /** Everything in them: properties and items. */
  readonly entries: number;
}

/**
 * Measures a schema before anything recursive touches it. Stops as soon as a bound is passed,
 * so that the answer for a huge schema costs no more than the bounds.
 */
export function measureSchema(schema: JsonValue, bounds: SchemaSize): SchemaSize {
  let depth = 0;
  let nodes = 0;
  let entries = 0;
  const open: { readonly value: object; readonly depth: number }[] = [];
  const visit = (value: unknown, at: number): void => {
    if (typeof value === "object" && value !== null) open.push({ value, depth: at });
  };
  visit(schema, 1);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes += 1;
    depth = Math.max(depth, next.depth);
    // The names alone: making a list of the values of a huge object takes three times as long.
    const names = Object.keys(next.value);
    entries += names.length;
    if (nodes > bounds.nodes || depth > bounds.depth || entries > bounds.entries) break;
    for (const name of names) visit((next.value as Readonly<Record<string, unknown>>)[name], next.depth + 1);
  }
  return { depth, nodes, entries };
}
