import { AuthError } from "../authError.ts";

/**
 * What a failed refresh means: `revoked`, the refresh token is no longer good; `client-unknown`, the client is not;
 * `refused`, refreshing does not work as things are, and signing in anew may; `later`, it may pass. Only the first two
 * are a reason to forget something.
 */
export type RefreshVerdict = "revoked" | "client-unknown" | "refused" | "later";

/** RFC 6749 §5.2, and what some servers say in its place. */
const REVOKED: ReadonlySet<unknown> = new Set([
  "invalid_grant",
  "bad_refresh_token",
  "invalid_refresh_token",
]);

/** Judges what `TokenClient.refresh` rejected with. */
export function refreshVerdict(error: unknown): RefreshVerdict {
  if (!(error instanceof AuthError)) return "later";
  switch (error.code) {
    case "client-unknown":
      return "client-unknown";
    case "token-refused":
      return REVOKED.has(error.args["error"]) ? "revoked" : "refused";
    case "client-refused":
    case "token-not-bound":
    case "bad-settings":
    case "bad-client-key":
    case "bad-dpop-key":
    case "secret-cross-origin":
      return "refused";
    default:
      return "later";
  }
}
