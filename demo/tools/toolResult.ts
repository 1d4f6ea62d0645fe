import type { CallToolResult } from "@modelcontextprotocol/server";

/** A result that is one text. */
export function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

/** The tool's own failure: the protocol worked, the wish was not carried out. */
export function failedResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
