import { NetError } from "../../net/netError.ts";
import { isUnreached } from "../../net/netFailure.ts";
import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import type { AuthSettings } from "../model/authSettings.ts";

/** What servers, and what stands before them, answer while they are out of order. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** True for an HTTP status that says nothing about what was asked for, and passes. */
export function isOutage(status: number): boolean {
  return PASSING.has(status);
}

/** The error for an authorization server that is not there now. `reason` is a few words. */
export function issuerOutage(
  { serverName }: AuthSettings,
  issuer: string,
  reason: string,
  cause?: NetError,
): AuthError {
  const args = { server: serverName, issuer: cleanText(issuer, 300), reason: cleanText(reason, 300) };
  return new AuthError("issuer-unavailable", args, { cause });
}

/**
 * `issuer-unavailable` in place of a NetError that says only that nothing was heard of the authorization server: in
 * the words of the network it would seem to be about the MCP server. A proxy has a remedy of its own, as have all
 * other errors; they are returned as they are.
 */
export function toOutage(settings: AuthSettings, issuer: string, error: unknown): unknown {
  if (!(error instanceof NetError) || !isUnreached(error) || error.code.includes("proxy")) return error;
  const { reason } = error.args;
  return issuerOutage(settings, issuer, typeof reason === "string" ? reason : error.message, error);
}
