import assert from "node:assert/strict";
import { ProgressLines } from "../../../../src/host/chat/progressLines.ts";
import { FakeClock } from "../../../support/fakeClock.ts";

describe("ProgressLines", () => {
  it("says new words, not too often, and nothing for numbers alone", () => {
    const clock = new FakeClock();
    const lines = new ProgressLines(clock);
    assert.equal(lines.next({ progress: 1 }), undefined);
    assert.equal(lines.next({ progress: 2, message: " Copying\n tables " }), "Copying tables");
    assert.equal(lines.next({ progress: 3, message: "Building indexes" }), undefined);
    clock.advance(2_000);
    assert.equal(lines.next({ progress: 4, message: "Copying tables" }), undefined);
    assert.equal(lines.next({ progress: 5, message: "Building indexes" }), "Building indexes");
  });

  it("cuts what is long", () => {
    const line = new ProgressLines(new FakeClock()).next({ progress: 1, message: "x".repeat(500) });
    assert.equal(line, `${"x".repeat(120)}…`);
  });
});
