import type { AuthStatus } from "../model/authStatus.ts";
import type { TokenFacts } from "../model/facts.ts";
import type { SessionFacts } from "./sessionState.ts";
import { tokenAge } from "./tokenAge.ts";

/** What a session shows of itself. Pure. */
export function showStatus(facts: SessionFacts, isUnattended: boolean, nowMs: number): AuthStatus {
  const { credential, need, rejected, lack, signingInSinceMs } = facts;
  const tokens = credential?.tokens;
  if (signingInSinceMs !== undefined) return { kind: "signing-in", sinceMs: signingInSinceMs };
  if (need !== undefined) return { kind: "needs-sign-in", reason: need };
  if (credential === undefined || tokens === undefined) return { kind: "none" };
  const { issuer } = credential.facts.issuer;
  const canRenew = isUnattended || tokens.refresh !== undefined;
  const isExpired = tokenAge(tokens, nowMs) === "expired";
  if (isExpired && (!canRenew || rejected === tokens.access))
    return { kind: "expired", issuer, expiredAtMs: tokens.expiresAtMs ?? nowMs };
  if (rejected === tokens.access) return { kind: "needs-sign-in", reason: "revoked" };
  const granted = credential.facts.granted;
  if (lack !== undefined)
    return { kind: "needs-scopes", issuer, required: lack.required, granted, missing: lack.missing };
  return signedIn(facts, issuer, granted, tokens, canRenew);
}

function signedIn(
  { refreshProblem, storeProblem }: SessionFacts,
  issuer: string,
  scopes: readonly string[],
  { expiresAtMs }: TokenFacts,
  canRefresh: boolean,
): AuthStatus {
  const problem = refreshProblem ?? storeProblem;
  return {
    kind: "signed-in",
    issuer,
    scopes,
    canRefresh,
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    ...(problem === undefined ? {} : { refreshProblem: problem }),
  };
}
