import type { JsonValue } from "../../base/json.ts";

/** How big a JSON value is, counted without recursion and no further than the bounds. */
export interface SchemaSize {
  readonly depth: number;
  /** Objects and arrays, the root included. */
  readonly nodes: number;
}

/**
 * Measures a schema before anything recursive touches it. Stops as soon as a bound is passed,
 * so that the answer for a huge schema costs no more than the bound.
 */
export function measureSchema(schema: JsonValue, maxDepth: number, maxNodes: number): SchemaSize {
  let depth = 0;
  let nodes = 0;
  const open: { readonly value: object; readonly depth: number }[] = [];
  const visit = (value: unknown, at: number): void => {
    if (typeof value === "object" && value !== null) open.push({ value, depth: at });
  };
  visit(schema, 1);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes += 1;
    depth = Math.max(depth, next.depth);
    if (nodes > maxNodes || depth > maxDepth) break;
    for (const child of Object.values(next.value)) visit(child, next.depth + 1);
  }
  return { depth, nodes };
}
