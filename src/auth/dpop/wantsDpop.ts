import type { AuthSettings } from "../model/authSettings.ts";
import type { ChallengeFacts, IssuerFacts, ResourceFacts } from "../model/facts.ts";

const ALGORITHM = "ES256";

/** What decides about DPoP. */
export interface DpopFacts {
  readonly settings: Pick<AuthSettings, "dpop">;
  readonly challenge: Pick<ChallengeFacts, "scheme"> | undefined;
  readonly resource: Pick<ResourceFacts, "dpopRequired">;
  readonly issuer: Pick<IssuerFacts, "dpopAlgorithms">;
}

/**
 * Whether tokens are to be bound to a key. The settings demand it or forbid it, or leave it to the server: that it can
 * be done is no reason to do it, that the resource takes nothing else is.
 */
export function wantsDpop({ settings, challenge, resource, issuer }: DpopFacts): boolean {
  if (settings.dpop !== "auto") return settings.dpop === "required";
  const isAsked = resource.dpopRequired || challenge?.scheme === "dpop";
  return isAsked && (issuer.dpopAlgorithms === undefined || issuer.dpopAlgorithms.includes(ALGORITHM));
}
