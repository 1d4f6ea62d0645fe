import { AuthError, type AuthErrorCode } from "../auth/authError.ts";
import { CodedError, errorText, fillTemplate } from "../base/errors.ts";
import { NetError } from "../net/netError.ts";
import { EngineError } from "../protocol/engineError.ts";
import { RpcError } from "../protocol/rpcError.ts";
import { ClientError, type ClientErrorCode } from "./clientError.ts";
import type { ConfigProblem } from "./serverConfig.ts";
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
  if (problem instanceof AuthError) return BLOCKING_AUTHORIZATION.has(problem.code);
  // Somebody has to look where the address leads now, and sign in again.
  if (problem instanceof NetError) return problem.code === "zone-changed";
  return problem instanceof ClientError && BLOCKING.has(problem.code);
}

const BLOCKING_AUTHORIZATION: ReadonlySet<AuthErrorCode> = new Set([
  "sign-in-needed",
  "credential-rejected",
  "insufficient-scope",
  "insufficient-scope-unnamed",
  "scope-withheld",
  "scope-already-granted",
  "sign-in-declined",
  "sign-in-timeout",
  "bad-settings",
  "no-client",
  "no-client-metadata-url",
  "client-unknown",
  "client-refused",
  "zone-changed",
]);

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

/** The first problem of an entry that is too broken to be a server. */
export function brokenConfig(id: string, problems: readonly ConfigProblem[]): ClientError {
  const first = problems.find((problem) => problem.severity === "error") ?? problems[0];
  const problem = first === undefined ? "" : fillTemplate(first.template, first.args);
  return new ClientError("invalid-config", { server: id, problem });
}
