import type { AuthSettings } from "../model/authSettings.ts";
import type { ChallengeFacts, IssuerFacts, ResourceFacts, ScopeChoice } from "../model/facts.ts";

/** What may name scopes. */
export interface ScopeFacts {
  /** Of this sign-in alone. */
  readonly command?: readonly string[] | undefined;
  readonly settings: AuthSettings;
  readonly challenge: ChallengeFacts | undefined;
  readonly resource: ResourceFacts;
  readonly issuer: IssuerFacts;
}

/** Chooses the scopes of a request by the order of precedence. */
export function chooseScopes(_facts: ScopeFacts): ScopeChoice {
  throw new Error("not built yet");
}
