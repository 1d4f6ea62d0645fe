import assert from "node:assert/strict";
import { keepStreamOpen } from "../../../../../src/protocol/eras/legacy/serverStream.ts";
import type { HttpTransport } from "../../../../../src/protocol/transports/transport.ts";
import { CollectingLog } from "../../../../support/collectingListener.ts";
import { FakeClock } from "../../../../support/fakeClock.ts";
import { settle } from "../../../../support/fakeTransport.ts";

/** Keeps a stream open for a minute and says when it was asked for, in milliseconds. */
async function opened(listenAgainMs: number | undefined, livesMs: number): Promise<readonly number[]> {
  const clock = new FakeClock();
  const stop = new AbortController();
  const at: number[] = [];
  const listen: HttpTransport["listen"] = async ({ onOpen }) => {
    at.push(clock.now());
    onOpen?.(true);
    if (livesMs > 0) await new Promise<void>((resolve) => clock.after(livesMs, resolve));
    return true;
  };
  const transport = { listen, listenAgainMs } as unknown as HttpTransport;
  const keeping = keepStreamOpen({
    transport,
    headers: () => ({}),
    clock,
    log: new CollectingLog(),
    signal: stop.signal,
    wasThere: false,
    onOpen: () => undefined,
    onGap: () => undefined,
  });
  for (let passed = 0; passed < 60_000; passed += 10) {
    await settle();
    clock.advance(10);
  }
  stop.abort();
  await keeping;
  assert.equal(clock.pending, 0);
  return at;
}

describe("the stream of a legacy server that ends again and again", () => {
  // Duty: 5.4.3
  it("is opened after exactly the delay that the server names", async () => {
    const at = await opened(500, 2_000);
    assert.deepEqual(at.slice(0, 3), [0, 2_500, 5_000]);
  });

  // Duty: 5.4.3
  it("is not opened as fast as the client can, though the server wants that", async () => {
    const at = await opened(0, 0);
    assert.deepEqual(at.slice(0, 3), [0, 50, 100]);
    assert.ok(at.length < 100, `${String(at.length)} times in a minute`);
  });

  it("is opened more and more seldom when the server names no delay", async () => {
    const at = await opened(undefined, 0);
    assert.ok(at.length < 10, `${String(at.length)} times in a minute`);
  });
});
