import type { AuthContext } from "../model/authContext.ts";
import type { SignInWish } from "../model/authSession.ts";
import type { ChallengeFacts, EarlierSignIn, SignedIn } from "../model/facts.ts";
import type { SignInPorts } from "../model/signInPorts.ts";

/** What one sign-in starts from. */
export interface SignInFacts {
  readonly challenge: ChallengeFacts | undefined;
  readonly wish: SignInWish;
  /** What is stored of an earlier sign-in. */
  readonly before: EarlierSignIn | undefined;
  /** A sign-in for more scopes: `scopes` is all that is asked for, `added` what is new of it. */
  readonly stepUp?: { readonly scopes: readonly string[]; readonly added: readonly string[] };
}

/** Signs a person in with a browser. Rejects with AuthError or NetError, or with the reason of the signal. */
export function signIn(_context: AuthContext, _ports: SignInPorts, _facts: SignInFacts): Promise<SignedIn> {
  return Promise.reject(new Error("not built yet"));
}
