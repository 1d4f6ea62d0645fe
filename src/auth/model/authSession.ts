import type { Disposable } from "../../base/disposable.ts";
import type { Event } from "../../base/emitter.ts";
import type { RequestAuthorizer } from "../../net/requestAuthorizer.ts";
import type { AuthReport, AuthStatus } from "./authStatus.ts";

/** What is wanted of a sign-in. */
export interface SignInWish {
  /** Scopes for this sign-in alone, as they are; undefined lets settings and server decide. */
  readonly scopes?: readonly string[];
  /** Forgets what is known of the client and registers anew. */
  readonly newRegistration?: boolean;
  /** Has the person sign in at the authorization server anew, so that another account can be chosen there. */
  readonly otherAccount?: boolean;
}

/** What signing out did on the server; here everything is deleted whatever happens. */
export type SignOutOutcome =
  | { readonly kind: "revoked" }
  | { readonly kind: "not-supported" }
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly reason: string };

/** The authorization of one server: who asks for headers, who signs in, and what there is to show. */
export interface AuthSession extends Disposable {
  readonly authorizer: RequestAuthorizer;
  readonly status: AuthStatus;
  readonly onDidChange: Event<void>;
  /**
   * Names who is signed in: another text after each sign-in and sign-out, the same across refreshes and windows. What
   * was kept for one is not shown to another.
   */
  readonly account: string;
  /** Reads what is stored; called before the first request. Never rejects: what is unusable means signing in again. */
  load(signal: AbortSignal): Promise<void>;
  /**
   * Signs in, or gets tokens where no person is needed. One at a time: a second one joins the first, or takes its place
   * when it says how to sign in; the first rejects with AuthError `sign-in-declined` then.
   * Rejects with AuthError or NetError; what was signed in before stays in use then.
   */
  signIn(wish: SignInWish, signal: AbortSignal): Promise<void>;
  /** True when tokens can be got without a person, so that connecting may do it unasked. */
  readonly isUnattended: boolean;
  /** Asks the person for the scopes that the last refusal named; once per operation. Rejects as `signIn`. */
  stepUp(signal: AbortSignal): Promise<void>;
  /** Revokes where that is possible, and deletes everything here in any case. */
  signOut(signal: AbortSignal): Promise<SignOutOutcome>;
  report(): AuthReport;
}
