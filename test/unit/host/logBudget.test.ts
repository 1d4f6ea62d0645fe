import assert from "node:assert/strict";
import { LogBudget } from "../../../src/host/logBudget.ts";

const KIB = 1024;

describe("LogBudget", () => {
  it("lets an ordinary server write everything", () => {
    const budget = new LogBudget();
    for (let second = 0; second < 600; second += 1) {
      for (let line = 0; line < 100; line += 1) assert.equal(budget.take(500, second * 1000), 0);
    }
  });

  // Duty: 11.3.3
  it("stops one that never stops, and counts what was left out", () => {
    const budget = new LogBudget();
    let written = 0;
    let told = 0;
    let notices = 0;
    // Ten seconds of 10,000 lines each.
    for (let line = 0; line < 100_000; line += 1) {
      const leftOut = budget.take(KIB, line / 10);
      if (leftOut === undefined) continue;
      written += 1;
      told += leftOut;
      if (leftOut > 0) notices += 1;
    }
    assert.ok(written <= 1024 + 10 * 128, String(written));
    assert.ok(notices <= 6, String(notices));
    told += budget.take(KIB, 60_000) ?? 0;
    assert.equal(told, 100_000 - written);
    assert.equal(budget.take(KIB, 60_001), 0);
  });

  it("does not break when the clock is set back", () => {
    const budget = new LogBudget();
    assert.equal(budget.take(10, 5_000), 0);
    assert.equal(budget.take(10, 1_000), 0);
  });
});
