import assert from "node:assert/strict";
import {
  currentRound,
  EMPTY_QUEUE,
  enqueue,
  forgetEndedCalls,
  type InputQueue,
  MAX_WAITING,
  settle,
  type WaitingRound,
  withdraw,
} from "../../../../src/host/panels/inputQueue.ts";
import type { InputHistoryEntry } from "../../../../src/shared/inputMessages.ts";

function round(roundId: string, callId = roundId): WaitingRound {
  return {
    roundId,
    round: {
      callId,
      serverId: "s",
      method: "tools/call",
      target: "t",
      round: 1,
      maxRounds: 10,
      requests: [],
    },
  };
}

function filled(...rounds: WaitingRound[]): InputQueue {
  let queue: InputQueue = EMPTY_QUEUE;
  for (const entry of rounds) {
    const next = enqueue(queue, entry);
    assert.ok(next !== undefined);
    queue = next;
  }
  return queue;
}

const ids = (queue: InputQueue): readonly string[] => queue.waiting.map((entry) => entry.roundId);
const answered: readonly InputHistoryEntry[] = [{ round: 1, message: "m", action: "accept", values: [] }];

describe("input queue", () => {
  it("shows rounds in the order they came, whichever server they are of", () => {
    const queue = filled(round("a"), round("b"), round("c"));
    assert.deepEqual(ids(queue), ["a", "b", "c"]);
    assert.equal(currentRound(queue)?.roundId, "a");
    assert.equal(currentRound(settle(queue, "a", []))?.roundId, "b");
  });

  it("refuses the round after the last place and stays as it is", () => {
    const full = filled(...Array.from({ length: MAX_WAITING }, (_, index) => round(String(index))));
    assert.equal(MAX_WAITING, 32);
    assert.equal(enqueue(full, round("more")), undefined);
  });

  it("takes an aborted round out of the middle", () => {
    assert.deepEqual(ids(withdraw(filled(round("a"), round("b"), round("c")), "b")), ["a", "c"]);
  });

  it("changes nothing for a round that is gone", () => {
    const queue = filled(round("a"));
    assert.equal(withdraw(queue, "x"), queue);
    assert.equal(settle(queue, "x", answered), queue);
  });

  it("collects the answers of a call over its rounds", () => {
    let queue = settle(filled(round("1", "call")), "1", answered);
    queue = settle(filledFrom(queue, round("2", "call")), "2", answered);
    assert.equal(queue.histories.get("call")?.length, 2);
    assert.equal(queue.waiting.length, 0);
  });

  it("forgets answers when the call is over, but not while it waits", () => {
    let queue = settle(filled(round("1", "over"), round("2", "live"), round("3", "waiting")), "1", answered);
    queue = settle(queue, "2", answered);
    queue = settle(queue, "3", answered);
    queue = filledFrom(queue, round("4", "waiting"));
    const kept = forgetEndedCalls(queue, new Set(["live"]));
    assert.deepEqual([...kept.histories.keys()], ["live", "waiting"]);
    assert.equal(forgetEndedCalls(kept, new Set(["live"])), kept);
  });
});

function filledFrom(queue: InputQueue, entry: WaitingRound): InputQueue {
  const next = enqueue(queue, entry);
  assert.ok(next !== undefined);
  return next;
}
