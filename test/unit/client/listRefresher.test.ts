import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { ListRefresher } from "../../../src/client/listRefresher.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { FakeClock } from "../../support/fakeClock.ts";

describe("ListRefresher", () => {
  it("reads once for a burst, also for one that never pauses", async () => {
    const clock = new FakeClock();
    let reads = 0;
    const refresher = new ListRefresher(clock, () => {
      reads += 1;
      return Promise.resolve();
    });
    for (let i = 0; i < 10; i += 1) {
      refresher.request();
      clock.advance(20);
    }
    await setImmediate();
    assert.equal(reads, 1);
    refresher.dispose();
  });

  it("reads again after a change that came while it was reading, and never twice at once", async () => {
    const clock = new FakeClock();
    const readings = [deferred(), deferred()];
    let reads = 0;
    const refresher = new ListRefresher(clock, () => readings[reads++]?.promise ?? Promise.resolve());
    refresher.request();
    clock.advance(200);
    refresher.request();
    clock.advance(60_000);
    assert.equal(reads, 1);
    readings[0]?.resolve(undefined);
    await setImmediate();
    clock.advance(400);
    assert.equal(reads, 2);
    readings[1]?.resolve(undefined);
    await setImmediate();
    refresher.dispose();
  });

  it("reads more and more seldom for a server that announces a change with every list", async () => {
    const clock = new FakeClock();
    let reads = 0;
    const refresher: ListRefresher = new ListRefresher(clock, () => {
      reads += 1;
      refresher.request();
      return Promise.resolve();
    });
    refresher.request();
    for (let second = 0; second < 600; second += 1) {
      clock.advance(1_000);
      await setImmediate();
    }
    assert.ok(reads < 40, String(reads));
    refresher.dispose();
  });

  it("is settled when nothing is planned or being read any more, and when it is disposed", async () => {
    const clock = new FakeClock();
    const readings = [deferred(), deferred()];
    let reads = 0;
    const refresher = new ListRefresher(clock, () => readings[reads++]?.promise ?? Promise.resolve());
    await refresher.settled();
    let isSettled = false;
    refresher.request();
    void refresher.settled().then(() => {
      isSettled = true;
    });
    clock.advance(200);
    refresher.request();
    readings[0]?.resolve(undefined);
    await setImmediate();
    assert.equal(isSettled, false);
    clock.advance(400);
    readings[1]?.resolve(undefined);
    await setImmediate();
    assert.equal(isSettled, true);
    refresher.request();
    const settled = refresher.settled();
    refresher.dispose();
    await settled;
  });

  it("reads quickly again after a quiet time, and not at all once it is disposed", async () => {
    const clock = new FakeClock();
    let reads = 0;
    const refresher = new ListRefresher(clock, () => {
      reads += 1;
      return Promise.resolve();
    });
    for (let i = 1; i <= 3; i += 1) {
      refresher.request();
      clock.advance(200);
      await setImmediate();
      assert.equal(reads, i);
      clock.advance(20_000);
    }
    refresher.request();
    refresher.dispose();
    clock.advance(1_000);
    refresher.request();
    assert.equal(clock.pending, 0);
    assert.equal(reads, 3);
  });
});
