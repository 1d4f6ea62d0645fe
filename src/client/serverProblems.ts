import { CodedError, errorText } from "../base/errors.ts";
import { EngineError } from "../protocol/engineError.ts";
import { RpcError } from "../protocol/rpcError.ts";
import { ClientError, type ClientErrorCode } from "./clientError.ts";
import type { Problem } from "./serverState.ts";

/** Whatever was thrown, as a problem that can be shown. */
export function toProblem(error: unknown, serverId: string): Problem {
  if (error instanceof CodedError || error instanceof RpcError) return error;
  return new ClientError("unexpected", { server: serverId, reason: errorText(error) }, { cause: error });
}

/** True when a remembered way of speaking led nowhere: the server died of it, or ignored it. */
export function isDeadEnd(error: unknown): boolean {
  return error instanceof EngineError && (error.code === "process-exited" || error.code === "timeout");
}

/** True when only the person can do something about it. */
export function isBlocking(problem: Problem): boolean {
  return problem instanceof ClientError && BLOCKING.has(problem.code);
}

const BLOCKING: ReadonlySet<ClientErrorCode> = new Set([
  "untrusted",
  "not-approved",
  "unset-variable",
  "invalid-config",
  "tls-file",
  "tls-not-pem",
  "tls-key",
  "tls-key-missing",
  "tls-pair",
]);
