import assert from "node:assert/strict";
import { getEventListeners } from "node:events";

import { PendingExchanges } from "../../../../../src/protocol/transports/stdio/pendingExchanges.ts";

const { signal } = new AbortController();

describe("PendingExchanges", () => {
  it("matches the very id, or the integer that a text spells, and nothing else", async () => {
    const pending = new PendingExchanges();
    const all = [pending.add(0, "m", signal), pending.add(7, "m", signal), pending.add("1", "m", signal)];
    for (const [id, found] of [
      [7, 7],
      ["7", 7],
      ["0", 0],
      ["1", "1"],
      [1, undefined],
      ["07", undefined],
      [" 7", undefined],
      ["7.0", undefined],
      ["", undefined],
      ["8", undefined],
    ] as const) {
      assert.equal(pending.find(id), found);
    }
    pending.rejectAll(new Error("end"));
    await Promise.allSettled(all);
  });

  it("rejects with the reason of the signal, forgets the id and lets go of the signal", async () => {
    const pending = new PendingExchanges();
    const controller = new AbortController();
    const first = pending.add(1, "m", controller.signal);
    const second = pending.add(2, "m", controller.signal);
    pending.resolve(1, { jsonrpc: "2.0", id: 1, result: {} });
    await first;
    assert.equal(getEventListeners(controller.signal, "abort").length, 1);
    const reason = new Error("stop");
    controller.abort(reason);
    await assert.rejects(second, reason);
    assert.equal(pending.size, 0);
  });

  it("refuses to use an id twice", async () => {
    const pending = new PendingExchanges();
    const first = pending.add(1, "m", signal);
    assert.throws(() => pending.add(1, "m", signal));
    pending.rejectAll(new Error("end"));
    await assert.rejects(first);
  });
});
