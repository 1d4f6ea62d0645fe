import assert from "node:assert/strict";

import { judgeLock, type LockHolder, type LockSight } from "../../../../src/auth/store/judgeLock.ts";

const HOLDER: LockHolder = { owner: "o", pid: 7, host: "here", atMs: 1_000_000, upMs: 50_000 };
const SIGHT: LockSight = { host: "here", nowMs: 1_000_500, upMs: 50_500, isRunning: () => true };
const DAY = 86_400_000;

describe("whether a lock is held", () => {
  const cases: readonly [what: string, sight: Partial<LockSight>, verdict: "held" | "stale"][] = [
    ["a moment ago", {}, "held"],
    ["29 seconds ago", { upMs: 79_000, nowMs: 1_029_000 }, "held"],
    ["31 seconds ago", { upMs: 81_000, nowMs: 1_031_000 }, "stale"],
    ["by a process that is gone", { isRunning: () => false }, "stale"],
    ["and the wall clock was set forward since", { nowMs: 1_000_500 + DAY }, "held"],
    ["and the wall clock was set back since", { nowMs: 1_000_500 - DAY }, "held"],
    ["for long, and the wall clock was set back", { upMs: 81_000, nowMs: 1_000_000 - DAY }, "stale"],
    ["before the machine was started anew", { upMs: 10_000 }, "stale"],
    ["elsewhere, a moment ago", { host: "there", isRunning: () => false, upMs: 1 }, "held"],
    ["elsewhere, long ago", { host: "there", nowMs: 1_031_000 }, "stale"],
    ["elsewhere, in a future that cannot be", { host: "there", nowMs: 900_000 }, "stale"],
  ];
  for (const [what, sight, verdict] of cases) {
    // Attack: 47
    it(`taken ${what}: ${verdict}`, () => {
      assert.equal(judgeLock(HOLDER, { ...SIGHT, ...sight }), verdict);
    });
  }
});
