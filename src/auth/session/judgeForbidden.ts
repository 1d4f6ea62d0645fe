import type { ChallengeFacts, EarlierSignIn } from "../model/facts.ts";
import { planStepUp } from "../scopes/scopeUnion.ts";
import type { ScopeLack } from "./sessionState.ts";

/**
 * What a 403 means. `other`: nothing about scopes. `lack`: a person may grant what is missing. `unnamed`: the server
 * does not say what is missing. `granted`: nothing is missing. `withheld`: a step-up has asked for it already, and the
 * authorization server did not grant it.
 */
export type ForbiddenVerdict =
  | { readonly kind: "other" }
  | { readonly kind: "lack"; readonly lack: ScopeLack }
  | { readonly kind: "unnamed" }
  | { readonly kind: "granted"; readonly required: readonly string[] }
  | { readonly kind: "withheld"; readonly missing: readonly string[] };

/** Decides about a 403 that came for a request with a token of `facts`. Pure. */
export function judgeForbidden(
  challenge: ChallengeFacts | undefined,
  facts: EarlierSignIn | undefined,
): ForbiddenVerdict {
  if (challenge?.error !== "insufficient_scope" || facts === undefined) return { kind: "other" };
  const { requested, granted } = facts;
  const plan = planStepUp({ challenge, requested: requested.scopes, granted });
  if (plan.kind === "unnamed") return plan;
  if (plan.kind === "already-granted") return { kind: "granted", required: plan.required };
  const { required, added: missing, scopes } = plan;
  if (requested.source === "step-up" && missing.every((scope) => requested.scopes.includes(scope)))
    return { kind: "withheld", missing };
  return { kind: "lack", lack: { challenge, required, missing, scopes } };
}
