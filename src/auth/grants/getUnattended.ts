import type { AuthContext } from "../model/authContext.ts";
import type { ChallengeFacts, EarlierSignIn, SignedIn } from "../model/facts.ts";

/**
 * Gets tokens where no person is needed: client credentials, an enterprise's identity provider, a workload's own
 * identity. Rejects with AuthError or NetError.
 */
export function getUnattended(
  _context: AuthContext,
  _challenge: ChallengeFacts | undefined,
  _before: EarlierSignIn | undefined,
): Promise<SignedIn> {
  throw new Error("not built yet");
}
