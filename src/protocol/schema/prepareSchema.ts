import { errorText } from "../../base/errors.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { Limits } from "../limits.ts";
import type { SchemaCheck } from "./keywordCheck.ts";
import { readDialect } from "./readDialect.ts";
import { isTimeUp, runBounded } from "./runBounded.ts";
import { quote, SchemaIndex } from "./schemaIndex.ts";
import { SchemaGraph } from "./schemaNode.ts";
import { SchemaBudget, SchemaRun } from "./schemaRun.ts";
import { measureSchema } from "./schemaSize.ts";
import { reasonText, type SchemaProblem, SchemaStop, type SchemaText } from "./schemaTexts.ts";

/** What came of comparing a value with a schema. */
export type SchemaVerdict =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly problems: readonly SchemaProblem[] }
  /** The comparison itself failed: it took too long or went too deep. */
  | { readonly kind: "unchecked"; readonly reason: SchemaText };

/** A schema that is ready to check values, or why it cannot be. Its function never throws. */
export type PreparedSchema =
  | { readonly kind: "usable"; check(value: JsonValue): SchemaVerdict }
  | { readonly kind: "unusable"; readonly reason: SchemaText };

/** The parts of Limits that bound a validation. */
export type SchemaLimits = Pick<Limits, "schemaDepth" | "schemaNodes" | "schemaMs">;

const cache = new WeakMap<JsonObject, { readonly key: string; readonly prepared: PreparedSchema }>();

/**
 * Prepares a tool's schema for validation: 2020-12 unless `$schema` says draft-07, nothing fetched, everything bounded.
 * Preparing reads the schema once, and each part is made ready when the first value gets there, so that the first check
 * costs little more than any other. Never throws; the same schema is prepared once.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export function prepareSchema(schema: JsonObject, limits: SchemaLimits): PreparedSchema {
  const key = `${String(limits.schemaDepth)}/${String(limits.schemaNodes)}/${String(limits.schemaMs)}`;
  const known = cache.get(schema);
  if (known?.key === key) return known.prepared;
  const prepared = prepare(schema, limits);
  cache.set(schema, { key, prepared });
  return prepared;
}

function prepare(schema: JsonObject, limits: SchemaLimits): PreparedSchema {
  const refusal = refuseSize(schema, limits);
  if (refusal !== undefined) return unusable(refusal);
  const dialect = readDialect(schema["$schema"]);
  if (dialect === undefined) return unusable(reasonText("dialect", { dialect: quote(schema["$schema"]) }));
  try {
    const index = new SchemaIndex(schema, dialect, new SchemaBudget(limits.schemaMs));
    const root = new SchemaGraph(index).nodeOf(schema, index.root);
    return { kind: "usable", check: (value) => compare(root, value, index.hasPatterns, limits.schemaMs) };
  } catch (error) {
    return unusable(explain(error, limits.schemaMs));
  }
}

/** Properties and items that a schema may have for each of its parts; far more than any real one. */
const ENTRIES_PER_NODE = 10;

function refuseSize(schema: JsonObject, limits: SchemaLimits): SchemaText | undefined {
  const entries = limits.schemaNodes * ENTRIES_PER_NODE;
  const size = measureSchema(schema, { depth: limits.schemaDepth, nodes: limits.schemaNodes, entries });
  if (size.depth > limits.schemaDepth) return reasonText("depth", { limit: limits.schemaDepth });
  if (size.nodes > limits.schemaNodes) return reasonText("nodes", { limit: limits.schemaNodes });
  if (size.entries > entries) return reasonText("entries", { limit: entries });
  return undefined;
}

function compare(root: SchemaCheck, value: JsonValue, hasPatterns: boolean, limitMs: number): SchemaVerdict {
  const run = new SchemaRun(new SchemaBudget(limitMs));
  try {
    // The run watches its own time, but nothing except V8 can end an expression that backtracks.
    const holds = hasPatterns
      ? runBounded(() => root.check(value, run, undefined), limitMs)
      : root.check(value, run, undefined);
    return holds ? { kind: "valid" } : { kind: "invalid", problems: run.problems };
  } catch (error) {
    return { kind: "unchecked", reason: explain(error, limitMs) };
  }
}

function unusable(reason: SchemaText): PreparedSchema {
  return { kind: "unusable", reason };
}

function explain(error: unknown, limitMs: number): SchemaText {
  if (isTimeUp(error)) return reasonText("time", { limit: limitMs });
  if (error instanceof SchemaStop) return reasonText(error.code, error.args);
  return reasonText("failed", { reason: errorText(error).slice(0, 500) });
}
