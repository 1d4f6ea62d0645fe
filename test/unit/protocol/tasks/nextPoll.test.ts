import assert from "node:assert/strict";
import {
  HEARD_POLL_MS,
  LONGEST_POLL_MS,
  nextPoll,
  type PollFacts,
  type PollVerdict,
  SHORTEST_POLL_MS,
} from "../../../../src/protocol/tasks/nextPoll.ts";

type Change = Partial<Omit<PollFacts, "task">> & { readonly ttlMs?: number | null; readonly pollMs?: number };

/** A task that began at 0 and was heard of at 10 000, when it was changed. */
function decide({ ttlMs = null, pollMs, ...facts }: Change): PollVerdict {
  return nextPoll({
    task: { ttlMs, pollIntervalMs: pollMs },
    nowMs: 10_000,
    begunMs: 0,
    heardMs: 10_000,
    polls: 1,
    failures: 0,
    isTold: false,
    isPoked: false,
    hasChanged: true,
    ...facts,
  });
}

const wait = (ms: number): PollVerdict => ({ kind: "wait", ms });
const poll: PollVerdict = { kind: "poll" };
const expired: PollVerdict = { kind: "expired" };

// Duty: 17.3.1, 17.3.2
describe("when a task is asked about", () => {
  const cases: readonly (readonly [name: string, facts: Change, verdict: PollVerdict])[] = [
    ["waits as long as the server wants", { pollMs: 5_000 }, wait(5_000)],
    ["waits for the rest of that time", { pollMs: 5_000, nowMs: 12_000 }, wait(3_000)],
    ["asks when it is over", { pollMs: 5_000, nowMs: 15_000 }, poll],
    ["asks no faster than it should", { pollMs: 0 }, wait(SHORTEST_POLL_MS)],
    ["asks no slower than it should", { pollMs: 10 ** 12 }, wait(LONGEST_POLL_MS)],
    ["begins fast where the server says nothing", { polls: 0 }, wait(1_000)],
    ["slows down then", { polls: 2 }, wait(2_250)],
    ["does not slow down for ever", { polls: 1_000 }, wait(15_000)],
    ["waits longer after failures", { pollMs: 1_000, failures: 3 }, wait(8_000)],
    ["looks at the end of its time to live", { pollMs: 60_000, ttlMs: 30_000 }, wait(20_000)],
    ["asks once more after it", { pollMs: 60_000, ttlMs: 30_000, nowMs: 30_000 }, poll],
    ["gives up when nothing changed after it", { ttlMs: 10_000, hasChanged: false, nowMs: 10_001 }, expired],
    ["goes on when it changed after it", { ttlMs: 10_000, pollMs: 5_000 }, wait(5_000)],
    ["goes on when its time was prolonged", { ttlMs: 20_000, pollMs: 5_000, hasChanged: false }, wait(5_000)],
    [
      "does not take a failure for standing still",
      { ttlMs: 10_000, pollMs: 1_000, hasChanged: false, failures: 1 },
      wait(2_000),
    ],
    [
      "only looks from time to time while the server tells",
      { pollMs: 5_000, isTold: true, nowMs: 15_000 },
      wait(5_000),
    ],
    ["asks all the same after a while", { pollMs: 5_000, isTold: true, nowMs: 10_000 + HEARD_POLL_MS }, poll],
    ["asks soon after a hint", { pollMs: 60_000, isPoked: true, nowMs: 10_100 }, wait(150)],
    ["asks at once when the last time is long ago", { pollMs: 60_000, isPoked: true, nowMs: 12_000 }, poll],
  ];
  for (const [name, facts, verdict] of cases) {
    it(name, () => {
      assert.deepEqual(decide(facts), verdict);
    });
  }
});
