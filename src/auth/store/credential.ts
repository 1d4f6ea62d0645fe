import type { EarlierSignIn, TokenFacts } from "../model/facts.ts";

/** What is kept of one sign-in: what it found and settled, and the tokens as long as they are good. */
export interface Credential {
  /** Random, made at each sign-in; the same across refreshes and windows. */
  readonly account: string;
  /** Counts what is written for a server, so that a window sees that another one was faster. */
  readonly rev: number;
  /** Names the session that wrote it. */
  readonly writer: string;
  readonly facts: EarlierSignIn;
  /** Undefined when they were revoked: the client is still known then. */
  readonly tokens?: TokenFacts;
  readonly signedInAtMs: number;
  readonly refreshedAtMs: number;
}
