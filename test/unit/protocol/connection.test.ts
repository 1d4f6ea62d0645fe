import assert from "node:assert/strict";
import { Connection } from "../../../src/protocol/connection.ts";
import type { EraSession } from "../../../src/protocol/eras/eraSession.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../../../src/protocol/limits.ts";
import { CollectingLog } from "../../support/collectingListener.ts";
import { FakeClock } from "../../support/fakeClock.ts";

/** A connection whose only answer comes after three minutes, with progress every fifty seconds. */
function slowConnection(clock: FakeClock): Connection {
  const facts = {
    revision: "2026-07-28",
    server: undefined,
    capabilities: {},
    instructions: undefined,
  } as const;
  const session: EraSession = {
    facts,
    closed: new AbortController().signal,
    onToolsChanged: undefined,
    adoptTools: () => [],
    close: () => Promise.resolve(),
    dispose: () => undefined,
    request: (call) => {
      for (let progress = 1; progress <= 3; progress += 1) {
        clock.advance(50_000);
        call.onProgress?.({ progress });
      }
      clock.advance(30_000);
      call.signal.throwIfAborted();
      return Promise.resolve({ kind: "complete", result: { content: [] } });
    },
  };
  const negotiation = { ...facts, era: "modern", how: "probed", reason: "", steps: [] } as const;
  return new Connection(
    { session, negotiation: { ...negotiation, roundTrips: 1, processes: 1 } },
    {
      serverName: "s",
      limits: DEFAULT_LIMITS,
      timeouts: DEFAULT_TIMEOUTS,
      clock,
      log: new CollectingLog(),
    },
  );
}

describe("the time limit of a request", () => {
  it("starts anew with every progress, for tools and for anything else", async () => {
    const clock = new FakeClock();
    const connection = slowConnection(clock);
    await connection.callTool("t", {}, { callId: "1", input: null });
    await connection.request("resources/read", { uri: "a:b" }, { callId: "2", input: null });
    assert.equal(clock.pending, 0);
  });
});
