import assert from "node:assert/strict";
import { untilSettled } from "../../../../src/host/resources/untilSettled.ts";
import { connected, fakeEntry, FakePool } from "../fakePool.ts";

describe("waiting for a server that is being connected", () => {
  const connecting = (step: "negotiating" | "signing-in") =>
    fakeEntry("a", { kind: "connecting", step, sinceMs: 0 });

  for (const [how, end] of [
    ["it is connected", [fakeEntry("a", connected([]))]],
    ["nobody goes on with it", [fakeEntry("a", { kind: "stopped" })]],
    ["it is no longer there", []],
  ] as const) {
    // The pool here has nothing by which it could be connected.
    it(`ends when ${how}, and not before`, async () => {
      const pool = new FakePool([connecting("negotiating")]);
      let isOver = false;
      const waiting = untilSettled(pool, "a").then(() => (isOver = true));
      pool.change([connecting("signing-in")], "a");
      await Promise.resolve();
      assert.equal(isOver, false);
      pool.change(end, "a");
      await waiting;
      pool.dispose();
    });
  }

  it("ends at once where nothing is being done", async () => {
    const pool = new FakePool([fakeEntry("a", { kind: "stopped" })]);
    await untilSettled(pool, "a");
    await untilSettled(pool, "unknown");
    pool.dispose();
  });
});
