import type { JsonObject } from "../../base/json.ts";
import type { Tool, ToolResult } from "../model/tool.ts";
import { parseToolResult, type ReadOptions } from "./parseToolResult.ts";

/**
 * Reads a finished `tools/call` as `parseToolResult` does. What checks values is loaded with the first result that has
 * a value to check; all others are read at once.
 */
export function readToolResult(
  result: JsonObject,
  tool: Tool | undefined,
  { serverName, limits }: Pick<ReadOptions, "serverName" | "limits">,
): ToolResult | Promise<ToolResult> {
  const { structuredContent, isError } = result;
  const isChecked = tool?.outputSchema !== undefined && structuredContent !== undefined && isError !== true;
  if (!isChecked) return parseToolResult(result, tool, { serverName, limits });
  return import("../schema/prepareSchema.ts").then(({ prepareSchema }) =>
    parseToolResult(result, tool, { serverName, limits, prepareSchema }),
  );
}
