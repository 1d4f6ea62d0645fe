import type { InputRound } from "../../protocol/mrtr/inputRequired.ts";
import type { InputHistoryEntry } from "../../shared/inputMessages.ts";

/** Rounds that may wait for a person at once; a server beyond it is told “cancel”. */
export const MAX_WAITING = 32;

/** One round that waits for its answer. */
export interface WaitingRound {
  /** Unique within the process, and never used again. */
  readonly roundId: string;
  readonly round: InputRound;
  /** True when the round was accepted, and what it asked for is being done in the browser. */
  readonly isElsewhere?: boolean;
}

/** Everything that waits, in the order it came, and what was answered in the calls that still live. */
export interface InputQueue {
  readonly waiting: readonly WaitingRound[];
  /** By call id, oldest first. */
  readonly histories: ReadonlyMap<string, readonly InputHistoryEntry[]>;
}

export const EMPTY_QUEUE: InputQueue = { waiting: [], histories: new Map() };

/** Puts a round at the end. Undefined when the queue is full: the round is then not shown to anybody. */
export function enqueue(queue: InputQueue, entry: WaitingRound): InputQueue | undefined {
  if (queue.waiting.length >= MAX_WAITING) return undefined;
  return { ...queue, waiting: [...queue.waiting, entry] };
}

/** Takes a round out, whatever its place. A round that is gone already changes nothing. */
export function withdraw(queue: InputQueue, roundId: string): InputQueue {
  const waiting = queue.waiting.filter((entry) => entry.roundId !== roundId);
  return waiting.length === queue.waiting.length ? queue : { ...queue, waiting };
}

/** Takes an answered round out and remembers what was answered, for the next round of the same call. */
export function settle(
  queue: InputQueue,
  roundId: string,
  answered: readonly InputHistoryEntry[],
): InputQueue {
  const entry = queue.waiting.find((one) => one.roundId === roundId);
  if (entry === undefined) return queue;
  const { callId } = entry.round;
  const histories = new Map(queue.histories);
  histories.set(callId, [...(histories.get(callId) ?? []), ...answered]);
  return { waiting: queue.waiting.filter((one) => one !== entry), histories };
}

/** Forgets the answers of calls that are over and have nothing waiting. */
export function forgetEndedCalls(queue: InputQueue, liveCallIds: ReadonlySet<string>): InputQueue {
  const kept = [...queue.histories].filter(
    ([callId]) => liveCallIds.has(callId) || queue.waiting.some((entry) => entry.round.callId === callId),
  );
  return kept.length === queue.histories.size ? queue : { ...queue, histories: new Map(kept) };
}

/** The round that is shown: the one that has waited longest. */
export function currentRound(queue: InputQueue): WaitingRound | undefined {
  return queue.waiting[0];
}
