import { isJsonObject, type JsonValue } from "../../base/json.ts";
import { explainShape, type SchemaDialect, shapeOf, visitChildSchemas } from "./keywordShapes.ts";
import type { SchemaBudget } from "./schemaRun.ts";

/**
 * What is wrong with a value that should be a schema, or undefined. It stands in for the meta-schema of the dialect
 * where a schema refers to that, as a tool that takes a schema does. Not recursive: the value may be of any depth.
 */
export function scanShape(root: JsonValue, dialect: SchemaDialect, budget: SchemaBudget): string | undefined {
  const open: JsonValue[] = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (typeof schema === "boolean") continue;
    if (!isJsonObject(schema)) return "a part of it is no object and no boolean";
    for (const keyword of Object.keys(schema)) {
      budget.spend(4);
      const value = schema[keyword];
      const shape = shapeOf(dialect, keyword);
      if (shape === undefined || value === undefined) continue;
      const problem = explainShape(shape, value);
      if (problem !== undefined) return `${keyword} ${problem}`;
      visitChildSchemas(shape, value, (child) => {
        budget.spend(1);
        open.push(child);
      });
    }
  }
  return undefined;
}
