import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { SchemaResource } from "./schemaIndex.ts";
import type { SchemaGraph } from "./schemaNode.ts";
import type { EvaluatedParts, SchemaRun } from "./schemaRun.ts";

/** Compares a value with one schema. `parts` collects what the schema speaks of, when somebody asks for that. */
export interface SchemaCheck {
  check(value: JsonValue, run: SchemaRun, parts: EvaluatedParts | undefined): boolean;
}

/** One keyword, or a few that belong together, made ready to compare values with. False and a noted problem, or true. */
export type KeywordCheck = (value: JsonValue, run: SchemaRun, parts: EvaluatedParts | undefined) => boolean;

/** What making a keyword ready needs to know. */
export interface KeywordScope {
  readonly schema: JsonObject;
  readonly resource: SchemaResource;
  readonly graph: SchemaGraph;
  /** The same for a schema directly within this one. */
  child(schema: JsonValue): SchemaCheck;
}

/** The value of a keyword, if the schema has it. */
export function keyword(schema: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(schema, name) ? schema[name] : undefined;
}
