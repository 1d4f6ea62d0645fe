import { errorText } from "../../base/errors.ts";
import type { SignOutOutcome } from "../model/authSession.ts";
import type { Credential } from "../store/credential.ts";
import type { Saver } from "./saver.ts";
import type { SessionParts } from "./sessionParts.ts";

/**
 * Revokes what is signed in, where the authorization server takes that, and deletes everything here in any case: before
 * anybody is asked nothing of it is used any more, and when nobody answers it is deleted all the same. A renewal under
 * way is waited for, so that it does not bring back what was deleted.
 *
 * Rejects only with AuthError `store-delete-failed`.
 */
export function signOut(parts: SessionParts, saver: Saver, signal: AbortSignal): Promise<SignOutOutcome> {
  return parts.runAlone(async () => {
    const stored = await parts.keeper.read();
    const credential = stored.kind === "usable" ? stored.credential : parts.state.facts.credential;
    const removal = await Promise.allSettled([saver.remove("signed-out")]);
    const outcome: SignOutOutcome =
      credential === undefined ? { kind: "nothing" } : await revoke(parts, credential, signal);
    if (removal[0].status === "rejected") throw removal[0].reason as Error;
    return outcome;
  }, signal);
}

async function revoke(
  parts: SessionParts,
  { facts, tokens }: Credential,
  signal: AbortSignal,
): Promise<SignOutOutcome> {
  if (tokens === undefined) return { kind: "nothing" };
  if (facts.issuer.revocationEndpoint === undefined) return { kind: "not-supported" };
  try {
    const client = parts.tokenClientOf(facts, signal);
    // With the refresh token its access tokens end too, where the server can do that at all.
    const outcome = await (tokens.refresh === undefined
      ? client.revoke(tokens.access, "access_token")
      : client.revoke(tokens.refresh, "refresh_token"));
    return outcome === "revoked" ? { kind: "revoked" } : { kind: "failed", reason: outcome.failed };
  } catch (error) {
    return { kind: "failed", reason: errorText(error) };
  }
}
