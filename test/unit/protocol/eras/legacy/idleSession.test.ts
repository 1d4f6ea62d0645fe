import assert from "node:assert/strict";
import { Channel } from "../../../../../src/protocol/channel.ts";
import { LegacySession, type LegacyStart } from "../../../../../src/protocol/eras/legacy/legacySession.ts";
import { ServerRequests } from "../../../../../src/protocol/eras/legacy/serverRequests.ts";
import { DEFAULT_LIMITS } from "../../../../../src/protocol/limits.ts";
import { NO_FEATURES } from "../../../../../src/protocol/mrtr/clientFeatures.ts";
import { FeatureUse } from "../../../../../src/protocol/mrtr/featureUse.ts";
import type { ListenOptions } from "../../../../../src/protocol/transports/transport.ts";
import { CollectingLog } from "../../../../support/collectingListener.ts";
import { FakeClock } from "../../../../support/fakeClock.ts";
import { FakeTransport, settle } from "../../../../support/fakeTransport.ts";

/** A server that forgets each session with the first stream of it. */
class ForgetfulTransport extends FakeTransport {
  #listens = 0;
  listenAgainMs = undefined;

  listen({ onOpen }: ListenOptions): Promise<boolean> {
    this.#listens += 1;
    const isFirst = this.#listens % 2 === 1;
    if (isFirst) onOpen?.(false);
    return Promise.resolve(isFirst);
  }

  endSession(): Promise<void> {
    return Promise.resolve();
  }
}

describe("a legacy session that nobody makes calls in", () => {
  // Duty: 5.2.4
  it("is begun anew when it is gone, but not again and again", async () => {
    const clock = new FakeClock();
    const log = new CollectingLog();
    const transport = new ForgetfulTransport("http");
    const channel = new Channel(transport, { serverName: "s", limits: DEFAULT_LIMITS, clock, log });
    await channel.start();
    let begun = 0;
    const begin = (): Promise<LegacyStart> => {
      begun += 1;
      const facts = {
        revision: "2025-11-25",
        capabilities: {},
        server: undefined,
        instructions: undefined,
      } as const;
      return Promise.resolve({ facts, sessionId: `s-${String(begun)}` });
    };
    const session = new LegacySession({
      channel,
      start: await begin(),
      initialize: begin,
      inputBytes: 1_000,
      serverRequests: new ServerRequests({
        log,
        serverName: "s",
        inputBytes: 1_000,
        revision: "2025-11-25",
        unrelated: undefined,
        use: new FeatureUse({ features: NO_FEATURES, serverName: "s", clock, log }),
      }),
    });
    await session.ready();
    for (let second = 0; second < 120; second += 1) {
      await settle();
      for (const { message, error } of transport.requests.splice(0))
        if (message.method === "ping") error(-32001, 404);
      await settle();
      clock.advance(1_000);
    }
    assert.ok(begun > 1 && begun <= 4, `${String(begun)} sessions in two minutes`);
    session.dispose();
  });
});
