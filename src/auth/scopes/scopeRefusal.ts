import { AuthError } from "../authError.ts";
import type { ScopeChoice } from "../model/facts.ts";

/** What is asked for when scopes that were found are refused. */
export const NO_SCOPES: ScopeChoice = { scopes: [], source: "none", offline: false };

const DECIDED: ReadonlySet<ScopeChoice["source"]> = new Set(["command", "settings", "step-up"]);

/** True where scopes may be left out in a second request: they were found, and no person decided on them. */
export function mayGoWithout({ scopes, source }: ScopeChoice): boolean {
  return scopes.length > 0 && !DECIDED.has(source);
}

/** True when scopes were refused: by the page, the endpoint for pushed requests, or the token endpoint. */
export function isScopeRefusal(error: unknown): boolean {
  if (!(error instanceof AuthError)) return false;
  const isRefusal = error.code === "authorization-refused" || error.code === "token-refused";
  return isRefusal && error.args["error"] === "invalid_scope";
}
