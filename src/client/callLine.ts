import { CodedError } from "../base/errors.ts";
import { stringifyJson } from "../base/json.ts";
import type { ToolResult } from "../protocol/model/tool.ts";
import { RpcError } from "../protocol/rpcError.ts";
import { shorten } from "../protocol/shorten.ts";
import type { CallOptions } from "./serverPool.ts";

/** How a call of a tool ended. */
export type CallEnd = { readonly result: Pick<ToolResult, "isError"> } | { readonly error: unknown };

/**
 * The line of the log that says which tool was called, who wanted it and what came of it. It has neither arguments
 * nor results nor words of the server, so that it can be kept and handed on.
 */
export function callLine(
  tool: string,
  { origin, signal }: Pick<CallOptions, "origin" | "signal">,
  end: CallEnd,
  durationMs: number,
): string {
  const outcome =
    "result" in end
      ? end.result.isError
        ? "the tool reports an error"
        : "done"
      : failure(end.error, signal);
  return `tools/call ${stringifyJson(shorten(tool))} (${origin}): ${outcome}, ${String(Math.round(durationMs))} ms`;
}

function failure(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted === true) return "cancelled";
  if (error instanceof CodedError) return `failed, ${error.code}`;
  return error instanceof RpcError ? `failed, error ${String(error.rpcCode)}` : "failed";
}
