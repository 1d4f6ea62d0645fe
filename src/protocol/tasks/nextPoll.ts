import type { Task } from "../model/task.ts";

/** Below this a server is asked no faster, whatever it suggests. */
export const SHORTEST_POLL_MS = 250;
/** Above this it is asked no slower: then it is more likely a mistake than a wish. */
export const LONGEST_POLL_MS = 15 * 60_000;
/** How often a task is asked about although the server tells of it: a notification may be lost. */
export const HEARD_POLL_MS = 60_000;
const FIRST_POLL_MS = 1_000;
const SLOWEST_OWN_POLL_MS = 15_000;

/** What is known when it is decided whether to ask about a task. Times are on our own clock. */
export interface PollFacts {
  readonly task: Pick<Task, "ttlMs" | "pollIntervalMs">;
  readonly nowMs: number;
  /** When the server said first that there is a task. */
  readonly begunMs: number;
  /** When it was asked last, or said on its own how the task is. */
  readonly heardMs: number;
  /** How often it was asked, which slows down where the server suggests nothing. */
  readonly polls: number;
  /** Failures in a row. */
  readonly failures: number;
  /** True while the server has agreed to tell of this task, without a gap since `heardMs`. */
  readonly isTold: boolean;
  /** True when a notification came that says only that something changed. */
  readonly isPoked: boolean;
  /** True when the last answer was not the same as the one before. */
  readonly hasChanged: boolean;
}

/** What to do now about a task that is not finished. */
export type PollVerdict =
  | { readonly kind: "poll" }
  /** Decide again after this time, or when something comes. */
  | { readonly kind: "wait"; readonly ms: number }
  /** The server need not have the task any more, and it stands still. */
  | { readonly kind: "expired" };

/**
 * Decides when a task is asked about. After its time to live it is looked at once more; then it is given up, unless
 * it has changed since or its time was prolonged.
 *
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export function nextPoll(facts: PollFacts): PollVerdict {
  const { task, nowMs, heardMs, begunMs } = facts;
  const endMs = task.ttlMs === null ? Number.POSITIVE_INFINITY : begunMs + task.ttlMs;
  if (heardMs >= endMs && !facts.hasChanged && facts.failures === 0) return { kind: "expired" };
  const intervalMs = pollInterval(facts);
  const dueMs = heardMs + (facts.isTold ? Math.max(intervalMs, HEARD_POLL_MS) : intervalMs);
  const wakeMs = facts.isPoked ? Math.min(dueMs, heardMs + SHORTEST_POLL_MS) : dueMs;
  const isLastLook = nowMs >= endMs && heardMs < endMs && facts.failures === 0;
  if (nowMs >= wakeMs || isLastLook) return { kind: "poll" };
  const untilEnd = endMs > nowMs ? endMs - nowMs : Number.POSITIVE_INFINITY;
  // Between two questions it is looked whether the server still tells of the task.
  const untilLook = facts.isTold ? intervalMs : Number.POSITIVE_INFINITY;
  return { kind: "wait", ms: Math.min(wakeMs - nowMs, untilEnd, untilLook) };
}

function pollInterval({ task, polls, failures }: PollFacts): number {
  const own = Math.min(FIRST_POLL_MS * 1.5 ** Math.min(polls, 20), SLOWEST_OWN_POLL_MS);
  const wanted = (task.pollIntervalMs ?? own) * 2 ** Math.min(failures, 10);
  return Math.min(Math.max(wanted, SHORTEST_POLL_MS), LONGEST_POLL_MS);
}
