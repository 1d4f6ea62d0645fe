import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { Tool } from "../model/tool.ts";
import { shorten } from "../shorten.ts";
import { readDialect } from "./readDialect.ts";

/** Dialects that one list is warned of by name. A server that makes up more gets one line for the rest. */
const MAX_DIALECTS = 5;

/**
 * One warning for each dialect of JSON Schema that is in a list of tools and not checked here. The tools can be called
 * all the same: only values are not compared with their schemas.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export function warnOfDialects(tools: readonly Tool[]): readonly string[] {
  const users = new Map<string, Set<string>>();
  const note = (schema: JsonObject | undefined, tool: string): void => {
    const declared = schema?.["$schema"];
    if (readDialect(declared) !== undefined) return;
    const dialect = nameOf(declared);
    users.set(dialect, (users.get(dialect) ?? new Set()).add(tool));
  };
  for (const { name, inputSchema, outputSchema } of tools) {
    note(inputSchema, name);
    note(outputSchema, name);
  }
  const warnings = [...users]
    .slice(0, MAX_DIALECTS)
    .map(
      ([dialect, names]) =>
        `Nothing is compared with schemas in the dialect ${dialect}, which is unknown here. The tools can be used: ${shorten([...names].join(", "))}.`,
    );
  const more = users.size - MAX_DIALECTS;
  return more > 0 ? [...warnings, `${String(more)} more dialects of schemas are unknown here.`] : warnings;
}

function nameOf(declared: JsonValue | undefined): string {
  return typeof declared === "string" ? `“${shorten(declared)}”` : "of a $schema that is no text";
}
