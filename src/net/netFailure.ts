import { CodedError } from "../base/errors.ts";
import type { NetErrorCode } from "./netError.ts";

/** Failures in which nothing was heard of the server itself: they may pass by themselves. */
const UNREACHED: ReadonlySet<NetErrorCode> = new Set<NetErrorCode>([
  "dns",
  "refused",
  "unreachable",
  "connect-timeout",
  "connect-closed",
  "proxy-unreachable",
  "environment-proxy",
  "answer-timeout",
  "reset",
]);

/**
 * The code of a NetError; undefined for any other error. Who only asks for that does not load the texts of all of
 * them, which come with whatever makes one.
 */
export function netErrorCode(error: unknown): NetErrorCode | undefined {
  return error instanceof CodedError && "mayHaveRun" in error ? (error.code as NetErrorCode) : undefined;
}

/** True when an error says only that nothing was heard of the server. */
export function isUnreached(error: unknown): boolean {
  const code = netErrorCode(error);
  return code !== undefined && UNREACHED.has(code);
}
