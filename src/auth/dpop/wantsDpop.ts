import type { AuthSettings } from "../model/authSettings.ts";
import type { IssuerFacts, ResourceFacts } from "../model/facts.ts";

/** Whether tokens are to be bound to a key: the settings demand it, or let a resource decide that does. */
export function wantsDpop(
  settings: Pick<AuthSettings, "dpop">,
  resource: Pick<ResourceFacts, "dpopRequired">,
  issuer: Pick<IssuerFacts, "dpopAlgorithms">,
): boolean {
  if (settings.dpop !== "auto") return settings.dpop === "required";
  return resource.dpopRequired && issuer.dpopAlgorithms?.includes("ES256") !== false;
}
