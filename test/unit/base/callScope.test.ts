import assert from "node:assert/strict";
import { CallScope } from "../../../src/base/callScope.ts";
import { FakeClock } from "../../support/fakeClock.ts";

function open(clock: FakeClock, signals: readonly AbortSignal[] = []): CallScope {
  return new CallScope({
    clock,
    signals,
    idleMs: 100,
    maximumMs: 1000,
    timeoutError: (ms) => new Error(`after ${String(ms)}`),
  });
}

function reason(scope: CallScope): string {
  return (scope.signal.reason as Error).message;
}

describe("CallScope", () => {
  // Duty: 14.3.1
  it("ends after its idle limit, which progress starts anew", () => {
    const clock = new FakeClock();
    const scope = open(clock);
    clock.advance(99);
    scope.extend();
    clock.advance(99);
    assert.equal(scope.signal.aborted, false);
    clock.advance(1);
    assert.equal(reason(scope), "after 100");
    scope.dispose();
  });

  // Duty: 14.3.1
  it("ends at its maximum however often it is extended", () => {
    const clock = new FakeClock();
    const scope = open(clock);
    for (let i = 0; i < 20; i += 1) {
      clock.advance(50);
      scope.extend();
    }
    assert.equal(reason(scope), "after 1000");
    scope.dispose();
  });

  // Duty: 5.5.3
  it("does not run out while a person is asked, and does afterwards", () => {
    const clock = new FakeClock();
    const scope = open(clock);
    const pause = scope.pause();
    clock.advance(500);
    assert.equal(scope.signal.aborted, false);
    pause.dispose();
    clock.advance(99);
    assert.equal(scope.signal.aborted, false);
    clock.advance(1);
    assert.equal(scope.signal.aborted, true);
    scope.dispose();
  });

  it("ends with the reason of the first signal, also one that was aborted before", () => {
    const clock = new FakeClock();
    const caller = new AbortController();
    const scope = open(clock, [caller.signal]);
    caller.abort(new Error("enough"));
    assert.equal(reason(scope), "enough");
    scope.dispose();
    const late = open(clock, [caller.signal]);
    assert.equal(reason(late), "enough");
    late.dispose();
  });

  it("ends with what outlives it, unless it was closed before", () => {
    const clock = new FakeClock();
    const connection = new AbortController();
    const lasting = connection.signal;
    const make = (): CallScope => new CallScope({ clock, lasting, timeoutError: () => new Error("late") });
    const [first, closed, second] = [make(), make(), make()];
    closed.dispose();
    connection.abort(new Error("gone"));
    assert.equal(reason(first), "gone");
    assert.equal(reason(second), "gone");
    assert.equal(closed.signal.aborted, false);
    const late = make();
    assert.equal(reason(late), "gone");
    for (const scope of [first, second, late]) scope.dispose();
  });

  it("counts its maximum from the start, whenever the first extension comes", () => {
    const clock = new FakeClock();
    const scope = open(clock);
    clock.advance(90);
    const pause = scope.pause();
    clock.advance(909);
    assert.equal(scope.signal.aborted, false);
    clock.advance(1);
    assert.equal(reason(scope), "after 1000");
    pause.dispose();
    scope.dispose();
    assert.equal(clock.pending, 0);
  });

  it("leaves no timer behind when it is closed", () => {
    const clock = new FakeClock();
    const scope = open(clock);
    scope.dispose();
    scope.extend();
    assert.equal(clock.pending, 0);
  });
});
