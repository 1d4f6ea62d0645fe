import assert from "node:assert/strict";
import { CallTrace, type TraceContext } from "../../../src/protocol/traceContext.ts";
import { CollectingLog } from "../../support/collectingListener.ts";

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

function begin(given?: TraceContext): { trace: CallTrace; log: CollectingLog } {
  const log = new CollectingLog();
  return { trace: new CallTrace(given, "tools/call “t”", log), log };
}

describe("the trace of a call", () => {
  // Duty: 14.4.1, 1.4.4
  it("keeps its id through the rounds, has a span of its own for each, and is in the log", () => {
    const { trace, log } = begin();
    const [first, second] = [trace.next(), trace.next()].map(({ traceparent }) => traceparent);
    const [, firstTrace, firstSpan] = /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(first ?? "") ?? [];
    const [, secondTrace, secondSpan] = /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(second ?? "") ?? [];
    assert.ok(firstTrace !== undefined && firstTrace === secondTrace && firstSpan !== secondSpan);
    assert.notEqual(begin().trace.next()["traceparent"], first);
    assert.deepEqual(Object.keys(trace.next()), ["traceparent"], "nothing else is invented");
    assert.ok(log.visible.some((line) => line.includes(`tools/call “t”: traceparent ${first}`)));
  });

  // Duty: 14.4.1, 14.4.2
  it("becomes a part of the caller's trace, whose state and baggage it passes on", () => {
    const given = {
      traceparent: PARENT,
      tracestate: "vendor=a1,other@x=b",
      baggage: "user=1;p=2, k=v",
    };
    const { traceparent, ...rest } = begin(given).trace.next();
    assert.match(traceparent, /^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-00$/);
    assert.notEqual(traceparent, PARENT);
    assert.deepEqual(rest, { tracestate: given.tracestate, baggage: given.baggage });
  });

  for (const traceparent of [
    "",
    "nonsense",
    PARENT.toUpperCase(),
    `${PARENT}-more`,
    `ff${PARENT.slice(2)}`,
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${"0".repeat(16)}-01`,
  ]) {
    it(`is one of its own when the caller's is malformed: “${traceparent.slice(0, 20)}”`, () => {
      const next = begin({ traceparent, tracestate: "a=b" }).trace.next();
      assert.doesNotMatch(next.traceparent, /4bf92f35|-0{16}-/);
      assert.equal("tracestate" in next, false, "a state without its parent means nothing");
    });
  }

  it("leaves out what is malformed beside the parent", () => {
    const next = begin({ traceparent: PARENT, tracestate: "no state", baggage: "a=b\r\nx: y" }).trace.next();
    assert.deepEqual(Object.keys(next), ["traceparent"]);
  });
});
