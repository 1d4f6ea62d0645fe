import type { ChallengeFacts } from "../model/facts.ts";
import { withoutOffline } from "./offlineAccess.ts";
import { capScopes, MAX_SCOPE_CHARACTERS, MAX_SCOPES } from "./scopeTokens.ts";

/** What to do about a refusal for want of scopes. */
export type StepUpPlan =
  /** Ask the person for `scopes`, all of them; `added` are those that are not granted yet. */
  | {
      readonly kind: "ask";
      readonly scopes: readonly string[];
      readonly added: readonly string[];
      readonly required: readonly string[];
    }
  /** Everything that is wanted is granted: signing in again would change nothing. */
  | { readonly kind: "already-granted"; readonly required: readonly string[] }
  /** The server names no scope, so that nobody knows what to ask for. */
  | { readonly kind: "unnamed" };

/** Bounds of all scopes of one request: those of before are never cut for the sake of new ones. */
const BOUNDS = { count: 2 * MAX_SCOPES, characters: 2 * MAX_SCOPE_CHARACTERS };

/**
 * Plans what to do about a refusal with `insufficient_scope`: a new authorization for everything that was requested,
 * everything that was granted, and what the challenge names. A challenge names what this one operation wants, so that
 * asking for that alone would lose what others need. Whether to ask for a refresh token is no business of a challenge.
 */
export function planStepUp({
  challenge,
  requested,
  granted,
}: {
  readonly challenge: ChallengeFacts | undefined;
  readonly requested: readonly string[];
  readonly granted: readonly string[];
}): StepUpPlan {
  const required = capScopes(withoutOffline(challenge?.scopes));
  if (required.length === 0) return { kind: "unnamed" };
  if (required.every((scope) => granted.includes(scope))) return { kind: "already-granted", required };
  const scopes = capScopes([...requested, ...granted, ...required], BOUNDS);
  const added = required.filter((scope) => !granted.includes(scope) && scopes.includes(scope));
  return added.length === 0 ? { kind: "unnamed" } : { kind: "ask", scopes, added, required };
}
