import { netErrorCode } from "../../net/netFailure.ts";
import { EngineError, type EngineErrorCode } from "../engineError.ts";
import { RPC_CODES, RpcError } from "../rpcError.ts";
import { shorten } from "../shorten.ts";

/** Ours that may be gone the next time. */
const PASSING: ReadonlySet<EngineErrorCode> = new Set(["timeout", "busy", "stream-ended"]);

/** True when a question about a task may be asked again: it changes nothing, and the next answer may be better. */
export function isPassing(error: unknown): boolean {
  if (netErrorCode(error) !== undefined) return true;
  if (error instanceof RpcError) return error.rpcCode === RPC_CODES.internalError;
  if (!(error instanceof EngineError)) return false;
  if (error.code === "http-status") return (error.httpStatus ?? 0) >= 500;
  return PASSING.has(error.code);
}

/** The error for what a server answers about one of its tasks: it says only “invalid parameters” when it has none. */
export function explainTaskError(error: unknown, server: string, taskId: string): unknown {
  if (!(error instanceof RpcError) || error.rpcCode !== RPC_CODES.invalidParams) return error;
  return new EngineError(
    "task-gone",
    { server, task: shorten(taskId), reason: error.message },
    { cause: error },
  );
}
