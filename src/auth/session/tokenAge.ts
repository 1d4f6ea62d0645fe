import type { TokenFacts } from "../model/facts.ts";

/** `due`: still good, and time to renew it. */
export type TokenAge = "fresh" | "due" | "expired";

/** A token is renewed this long before its end, or a tenth of its life if that is longer. */
const LEAD_MS = 60_000;

/**
 * How old a token is. Times are counted from when it came by this machine's own clock, so that the server's clock does
 * not matter; a clock that was set back since makes it fresh, and a refusal tells. A token that would be due from its
 * first second on is due at half its life. A life of nothing counts as unknown.
 */
export function tokenAge({ obtainedAtMs, expiresAtMs }: TokenFacts, nowMs: number): TokenAge {
  if (expiresAtMs === undefined) return "fresh";
  const lifeMs = expiresAtMs - obtainedAtMs;
  if (lifeMs <= 0 || nowMs < obtainedAtMs) return "fresh";
  if (nowMs >= expiresAtMs) return "expired";
  const leadMs = Math.min(Math.max(LEAD_MS, lifeMs / 10), lifeMs / 2);
  return nowMs >= expiresAtMs - leadMs ? "due" : "fresh";
}
