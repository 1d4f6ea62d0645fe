import assert from "node:assert/strict";
import { Channel } from "../../../src/protocol/channel.ts";
import { DEFAULT_LIMITS } from "../../../src/protocol/limits.ts";
import { AuthorizationRenewed } from "../../../src/protocol/transports/authorizationRefusal.ts";
import type { Progress } from "../../../src/protocol/model/tool.ts";
import { CollectingLog } from "../../support/collectingListener.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { type FakeRequest, FakeTransport, settle } from "../../support/fakeTransport.ts";

describe("a channel", () => {
  let transport: FakeTransport;
  let channel: Channel;
  let log: CollectingLog;
  let stop: AbortController;

  beforeEach(async () => {
    transport = new FakeTransport("stdio");
    log = new CollectingLog();
    stop = new AbortController();
    channel = new Channel(transport, {
      serverName: "s",
      limits: DEFAULT_LIMITS,
      clock: new FakeClock(),
      log,
    });
    await channel.start();
  });

  afterEach(() => {
    channel.dispose();
  });

  async function begin(onProgress: (progress: Progress) => void): Promise<[FakeRequest, Promise<unknown>]> {
    const exchanged = channel.exchange({
      method: "tools/call",
      signal: stop.signal,
      onProgress,
      build: (id) => ({ params: { _meta: { progressToken: id } } }),
      cancelMessage: (requestId) => ({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId },
      }),
    });
    exchanged.catch(() => undefined);
    await new Promise(setImmediate);
    const request = transport.requests.at(-1);
    if (request === undefined) throw new Error("Nothing was sent");
    return [request, exchanged];
  }

  // Duty: 14.1.1, 14.1.2
  it("delivers progress to its own request, fractions included, and none that goes back", async () => {
    const heard: Progress[] = [];
    const [{ message, result }, exchanged] = await begin((progress) => heard.push(progress));
    const progressToken = message.id;
    for (const params of [
      { progressToken, progress: 0.5, total: 2.5 },
      { progressToken, progress: 0.25 },
      { progressToken: "nobody's", progress: 9 },
      { progressToken: String(progressToken), progress: 9 },
      { progressToken, progress: "9" },
      { progress: 9 },
      { progressToken, progress: 2, message: "nearly" },
    ]) {
      transport.notify("notifications/progress", params);
    }
    result({});
    await exchanged;
    transport.notify("notifications/progress", { progressToken, progress: 3 });
    assert.deepEqual(heard, [
      { progress: 0.5, total: 2.5 },
      { progress: 2, message: "nearly" },
    ]);
  });

  // Duty: 14.2.1, 14.2.2
  it("tells the server of a cancelled request once, and hears no more of it", async () => {
    const heard: Progress[] = [];
    const [{ message, result }, exchanged] = await begin((progress) => heard.push(progress));
    stop.abort(new Error("enough"));
    await assert.rejects(exchanged, /enough/);
    transport.notify("notifications/progress", { progressToken: message.id, progress: 1 });
    result({});
    await new Promise(setImmediate);
    assert.deepEqual(heard, []);
    assert.deepEqual(transport.sent, [
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: message.id } },
    ]);
  });

  it("keeps what comes before there is a session to hear it, in order, up to a bound", () => {
    transport.notify("notifications/first", {});
    transport.notify("notifications/huge", { data: "x".repeat(70_000) });
    for (let count = 0; count < 100; count += 1) transport.notify("notifications/more", {});
    const heard: string[] = [];
    channel.attach({ onNotification: ({ method }) => heard.push(method), onRequest: () => undefined });
    assert.equal(heard[0], "notifications/first");
    assert.equal(heard.length, 64);
    assert.ok(!heard.includes("notifications/huge"));
    assert.match(log.visible.join("\n"), /notifications\/huge.*too large/);
  });

  describe("whose request was refused while its authorization was renewed", () => {
    const refusal = new Error("refused");

    it("makes it once more, with another id and the progress of that one", async () => {
      const heard: Progress[] = [];
      const [first, exchanged] = await begin((progress) => heard.push(progress));
      transport.notify("notifications/progress", { progressToken: first.message.id, progress: 5 });
      first.fail(new AuthorizationRenewed(refusal));
      await settle();
      const again = transport.requests.at(-1);
      assert.ok(again !== undefined && transport.requests.length === 2);
      assert.notEqual(again.message.id, first.message.id);
      assert.deepEqual(again.params, { _meta: { progressToken: again.message.id } });
      transport.notify("notifications/progress", { progressToken: first.message.id, progress: 6 });
      transport.notify("notifications/progress", { progressToken: again.message.id, progress: 1 });
      again.result({});
      await exchanged;
      assert.deepEqual(heard, [{ progress: 5 }, { progress: 1 }]);
    });

    it("tells the refusal when that is refused as well, and makes place for others", async () => {
      const [first, exchanged] = await begin(() => undefined);
      first.fail(new AuthorizationRenewed(new Error("the first")));
      await settle();
      transport.requests.at(-1)?.fail(new AuthorizationRenewed(refusal));
      await assert.rejects(exchanged, (error) => error === refusal);
      assert.equal(transport.requests.length, 2);
      const calls = Array.from({ length: DEFAULT_LIMITS.concurrentRequests }, () => begin(() => undefined));
      await Promise.all(calls);
      assert.equal(transport.requests.length, 2 + DEFAULT_LIMITS.concurrentRequests);
    });

    it("does not make it once more for whoever gave it up", async () => {
      const [first, exchanged] = await begin(() => undefined);
      first.fail(new AuthorizationRenewed(refusal));
      stop.abort(new Error("given up"));
      await assert.rejects(exchanged, /given up/);
      assert.equal(transport.requests.length, 1);
    });
  });
});
