/**
 * What a failed refresh means: `revoked`, the refresh token is no longer good; `client-unknown`, the client is not;
 * `refused`, refreshing will not work, and a new sign-in may; `later`, everything is kept and it is tried again.
 */
export type RefreshVerdict = "revoked" | "client-unknown" | "refused" | "later";

/** Judges what `TokenClient.refresh` rejected with. */
export function refreshVerdict(_error: unknown): RefreshVerdict {
  throw new Error("not built yet");
}
