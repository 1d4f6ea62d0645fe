import { AuthError } from "../../auth/authError.ts";
import { actionsFor } from "../problemActions.ts";
import { reportProblem, titleOf } from "../report.ts";
import type { HostServices } from "../services.ts";

/** A command of ours with what its button says. */
export interface Cure {
  readonly command: ReturnType<typeof actionsFor>[number];
  readonly label: string;
}

/** What a person can do about a failed authorization, other than reading the log. Empty for every other problem. */
export function authorizationCures(problem: unknown): readonly Cure[] {
  if (!(problem instanceof AuthError)) return [];
  return actionsFor(problem)
    .filter((command) => command !== "signalbox.showServerLog")
    .map((command) => ({ command, label: titleOf(command) }));
}

/**
 * Tells the person of a failed authorization where somebody else hears of the failure: a model, or another extension.
 * Only the person can do something about it. Every other problem, and none at all, is passed over.
 */
export function offerAuthorizationCures(
  services: Pick<HostServices, "log">,
  problem: unknown,
  serverId: string,
): void {
  if (authorizationCures(problem).length > 0) void reportProblem(services, problem, serverId);
}
