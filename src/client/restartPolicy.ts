import { AuthError, type AuthErrorCode } from "../auth/authError.ts";
import { isUnreached } from "../net/netFailure.ts";
import { EngineError, type EngineErrorCode } from "../protocol/engineError.ts";
import type { Problem } from "./serverState.ts";

/** How often a server is started again before a person has to. */
export const MAX_RESTARTS = 5;
/** A connection that stood for this long was well: what ends it begins a new count. */
export const STEADY_MS = 60_000;
const FIRST_DELAY_MS = 1_000;
const LAST_DELAY_MS = 60_000;

/** What the decision depends on. */
export interface RestartCase {
  /** Why the connection ended, or why the last restart failed. */
  readonly problem: Problem;
  /** Restarts since the server was well or a person started it. */
  readonly restarts: number;
  /** For how long the connection stood, in milliseconds; undefined when none came about. */
  readonly heldMs: number | undefined;
  /** From 0 to 1: servers that ended together are not started together. */
  readonly random: number;
}

export type RestartDecision =
  | { readonly kind: "again"; readonly attempt: number; readonly delayMs: number }
  /** It was started again often enough. */
  | { readonly kind: "enough" }
  /** It would end in the same way until a person does something. */
  | { readonly kind: "useless" };

/** Whether and when a server is started again on its own. */
export function decideRestart({ problem, restarts, heldMs, random }: RestartCase): RestartDecision {
  if (!mayPass(problem)) return { kind: "useless" };
  const earlier = heldMs !== undefined && heldMs >= STEADY_MS ? 0 : restarts;
  if (earlier >= MAX_RESTARTS) return { kind: "enough" };
  const pauseMs = Math.min(FIRST_DELAY_MS * 2 ** earlier, LAST_DELAY_MS);
  return { kind: "again", attempt: earlier + 1, delayMs: Math.round((pauseMs * (1 + random)) / 2) };
}

/** Only what is known to pass by itself: of anything else a person decides. */
function mayPass(problem: Problem): boolean {
  if (problem instanceof EngineError)
    return PASSING.has(problem.code) || (problem.httpStatus !== undefined && problem.httpStatus >= 500);
  if (problem instanceof AuthError) return PASSING_AUTHORIZATION.has(problem.code);
  return isUnreached(problem);
}

/** The person is signed in, and the authorization server or another window is in the way for a moment. */
const PASSING_AUTHORIZATION: ReadonlySet<AuthErrorCode> = new Set([
  "refresh-unavailable",
  "token-unavailable",
  "lock-timeout",
]);

const PASSING: ReadonlySet<EngineErrorCode> = new Set([
  "process-exited",
  "stream-ended",
  "session-lost",
  "timeout",
  "busy",
]);
