import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { nonEmpty } from "../lists/readTexts.ts";
import type { RejectedTool, Tool, ToolAnnotations } from "../model/tool.ts";

/** One entry of `tools/list`, usable or not. */
export type ParsedTool =
  | { readonly kind: "tool"; readonly tool: Tool }
  | { readonly kind: "rejected"; readonly rejected: RejectedTool };

/**
 * Reads one tool in constant time: schemas are kept as they came and compiled only when they are needed.
 * One bad entry costs itself alone.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
 */
export function parseTool(entry: JsonValue): ParsedTool {
  if (!isJsonObject(entry)) return reject("?", "The entry is not an object.");
  const { name, title, description, inputSchema, outputSchema, annotations } = entry;
  if (typeof name !== "string" || name === "") return reject("?", "The tool has no name.");
  if (!isJsonObject(inputSchema)) return reject(name, "The tool has no inputSchema object.");
  const claims = isJsonObject(annotations) ? readAnnotations(annotations) : undefined;
  return {
    kind: "tool",
    tool: {
      name,
      displayName: nonEmpty(title) ?? claims?.title ?? name,
      ...(typeof description === "string" && { description }),
      inputSchema,
      ...(isJsonObject(outputSchema) && { outputSchema }),
      ...(claims !== undefined && { annotations: claims }),
      raw: entry,
    },
  };
}

function readAnnotations(value: JsonObject): ToolAnnotations {
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = value;
  const shown = nonEmpty(title);
  return {
    ...(shown !== undefined && { title: shown }),
    ...(typeof readOnlyHint === "boolean" && { readOnlyHint }),
    ...(typeof destructiveHint === "boolean" && { destructiveHint }),
    ...(typeof idempotentHint === "boolean" && { idempotentHint }),
    ...(typeof openWorldHint === "boolean" && { openWorldHint }),
  };
}

function reject(name: string, reason: string): ParsedTool {
  return { kind: "rejected", rejected: { name, reason } };
}
