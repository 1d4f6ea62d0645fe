import type { ChallengeFacts } from "../model/facts.ts";

/** What to do about a refusal for want of scopes. */
export type StepUpPlan =
  /** Ask the person for `scopes`, all of them; `added` are those that are not granted yet. */
  | {
      readonly kind: "ask";
      readonly scopes: readonly string[];
      readonly added: readonly string[];
      readonly required: readonly string[];
    }
  /** Everything that is wanted is granted: signing in again would change nothing. */
  | { readonly kind: "already-granted"; readonly required: readonly string[] }
  /** The server names no scope, so that nobody knows what to ask for. */
  | { readonly kind: "unnamed" };

/** Plans a step-up from a refusal with `insufficient_scope`. Pure. */
export function planStepUp(_facts: {
  readonly challenge: ChallengeFacts | undefined;
  readonly requested: readonly string[];
  readonly granted: readonly string[];
}): StepUpPlan {
  throw new Error("not built yet");
}
