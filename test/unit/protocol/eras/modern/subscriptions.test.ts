import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { mock } from "node:test";
import type { JsonObject, JsonValue } from "../../../../../src/base/json.ts";
import { Channel } from "../../../../../src/protocol/channel.ts";
import { EngineError } from "../../../../../src/protocol/engineError.ts";
import { Subscriptions } from "../../../../../src/protocol/eras/modern/subscriptions.ts";
import { DEFAULT_LIMITS } from "../../../../../src/protocol/limits.ts";
import type { ListName } from "../../../../../src/protocol/model/listing.ts";
import type { ServerNotice } from "../../../../../src/protocol/model/notice.ts";
import type { SubscriptionState } from "../../../../../src/protocol/model/subscriptions.ts";
import { CollectingLog } from "../../../../support/collectingListener.ts";
import { FakeClock } from "../../../../support/fakeClock.ts";
import { type FakeRequest, FakeTransport, settle } from "../../../../support/fakeTransport.ts";
import { never } from "../../../../support/transportHelpers.ts";

const ID = "io.modelcontextprotocol/subscriptionId";

/** Subscriptions whose server is the test. */
class Fixture {
  readonly clock = new FakeClock();
  readonly transport: FakeTransport;
  readonly notices: ServerNotice[] = [];
  readonly states: SubscriptionState[] = [];
  readonly channel: Channel;
  readonly subscriptions: Subscriptions;

  private constructor(kind: "stdio" | "http", lists: readonly ListName[]) {
    this.transport = new FakeTransport(kind);
    const { clock } = this;
    const log = new CollectingLog();
    this.channel = new Channel(this.transport, { serverName: "s", limits: DEFAULT_LIMITS, clock, log });
    this.subscriptions = new Subscriptions({
      channel: this.channel,
      lists,
      envelope: (params) => ({ ...params, _meta: { own: true } }),
      onNotice: (notice) => this.notices.push(notice),
      onState: (state) => this.states.push(state),
    });
    this.channel.attach({
      onNotification: (message) => void this.subscriptions.take(message),
      onRequest: () => undefined,
    });
  }

  static async make(
    lists: readonly ListName[] = ["tools"],
    kind: "stdio" | "http" = "stdio",
  ): Promise<Fixture> {
    const fixture = new Fixture(kind, lists);
    await fixture.channel.start();
    await settle();
    return fixture;
  }

  get listens(): FakeRequest[] {
    return this.transport.requests;
  }

  get open(): FakeRequest[] {
    return this.listens.filter(({ signal }) => !signal.aborted);
  }

  last(): FakeRequest {
    const request = this.listens.at(-1);
    if (request === undefined) throw new Error("Nothing was asked");
    return request;
  }

  /** Acknowledges the last request, as a whole or in part. */
  async acknowledge(notifications: JsonValue = this.last().params["notifications"] ?? {}): Promise<void> {
    this.notify(this.last(), "subscriptions/acknowledged", { notifications });
    await settle();
  }

  notify(request: FakeRequest, name: string, params: JsonObject = {}): void {
    this.transport.notify(`notifications/${name}`, { ...params, _meta: { [ID]: request.message.id } });
  }

  /** The ids whose requests were taken back on the wire. */
  cancelled(): unknown[] {
    return this.transport.sent.map((message) =>
      "method" in message && message.method === "notifications/cancelled"
        ? message.params?.["requestId"]
        : message,
    );
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settle();
  }

  [Symbol.dispose](): void {
    this.subscriptions.dispose();
    this.channel.dispose();
  }
}

describe("modern subscriptions", () => {
  // Duty: 13.1, 13.10
  it("ask for what the server announces, and for nothing when it announces nothing", async () => {
    using all = await Fixture.make(["tools", "prompts", "resources"]);
    assert.equal(all.last().message.method, "subscriptions/listen");
    assert.deepEqual(all.last().params, {
      notifications: { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
      _meta: { own: true },
    });
    using none = await Fixture.make([]);
    assert.equal(none.listens.length, 0);
  });

  // Duty: 13.2, 13.3
  it("say what is honoured of what was asked, and count nothing that was not asked", async () => {
    using test = await Fixture.make(["tools", "prompts"]);
    assert.deepEqual(test.subscriptions.state.honoured.lists, []);
    await test.acknowledge({ promptsListChanged: true, resourcesListChanged: true, toolsListChanged: false });
    assert.deepEqual(test.subscriptions.state, {
      asked: { lists: ["tools", "prompts"], resources: [], tasks: [] },
      honoured: { lists: ["prompts"], resources: [], tasks: [] },
    });
    assert.deepEqual(test.states.at(-1), test.subscriptions.state);
  });

  // Duty: 4.4.5, 13.4, 13.5, 13.12
  it("hear only what carries the very id of the request, with its type", async () => {
    using test = await Fixture.make();
    await test.acknowledge();
    const { id } = test.last().message;
    for (const wrong of [String(id), undefined, Number(id) + 1, null]) {
      const _meta = wrong === undefined ? {} : { [ID]: wrong };
      test.transport.notify("notifications/tools/list_changed", { _meta });
    }
    assert.deepEqual(test.notices, []);
    test.notify(test.last(), "tools/list_changed");
    assert.deepEqual(test.notices, [{ kind: "list-changed", list: "tools" }]);
    test.notify(test.last(), "prompts/list_changed");
    test.notify(test.last(), "message", { level: "error", data: "elsewhere" });
    test.notify(test.last(), "progress", { progressToken: test.last().message.id ?? 0, progress: 1 });
    assert.equal(test.notices.length, 1, "they were not asked for, or belong elsewhere");
  });

  // Duty: 13.5, 13.10
  it("change what they ask for by a new request, and close the old one after its acknowledgement", async () => {
    using test = await Fixture.make();
    await test.acknowledge();
    const first = test.last();
    const watching = test.subscriptions.watchResource("file:///a", never);
    await settle();
    const second = test.last();
    assert.deepEqual(second.params["notifications"], {
      toolsListChanged: true,
      resourceSubscriptions: ["file:///a"],
    });
    assert.deepEqual(test.open, [first, second]);
    test.notify(first, "tools/list_changed");
    assert.equal(test.notices.length, 1, "the old one is heard until the new one is in force");
    await test.acknowledge();
    await watching;
    assert.deepEqual(test.open, [second]);
    assert.deepEqual(test.cancelled(), [first.message.id]);
    test.notify(second, "resources/updated", { uri: "file:///a/b" });
    assert.deepEqual(test.notices.at(-1), { kind: "resource-updated", uri: "file:///a/b" });
    assert.equal(test.notices.length, 2, "there was no gap, so nothing is read anew");
    test.subscriptions.unwatchResource("file:///a");
    await settle();
    assert.deepEqual(test.last().params["notifications"], { toolsListChanged: true });
  });

  it("gather changes that are made together", async () => {
    using test = await Fixture.make();
    await test.acknowledge();
    const watching = ["a:1", "a:2", "a:3"].map((uri) => test.subscriptions.watchResource(uri, never));
    test.subscriptions.watchTasks(["t-1"]);
    await settle();
    assert.equal(test.listens.length, 2);
    await test.acknowledge();
    await Promise.all(watching);
    test.notify(test.last(), "tasks", { taskId: "t-1", status: "working" });
    assert.equal(test.notices.at(-1)?.kind, "task");
    assert.deepEqual(test.subscriptions.state.honoured.tasks, ["t-1"]);
  });

  // Duty: 13.3
  it("reject a watch that the acknowledgement leaves out", async () => {
    using test = await Fixture.make();
    const watching = test.subscriptions.watchResource("a:1", never);
    const rejected = assert.rejects(watching, (error: EngineError) => error.code === "not-watched");
    await settle();
    await test.acknowledge({ toolsListChanged: true });
    await test.acknowledge({ toolsListChanged: true });
    await rejected;
    const again = test.subscriptions.watchResource("a:1", never);
    await assert.rejects(again, (error: EngineError) => error.code === "not-watched");
  });

  it("end the wait of a watch with its caller", async () => {
    using test = await Fixture.make();
    const stop = new AbortController();
    const watching = test.subscriptions.watchResource("a:1", stop.signal);
    stop.abort(new Error("enough"));
    await assert.rejects(watching, /enough/);
  });

  // The official server SDK refuses what is beyond its limit with an internal error.
  for (const code of [-32602, -32603, -32000]) {
    it(`do without the old request where the server allows only one and says ${String(code)}`, async () => {
      using test = await Fixture.make();
      await test.acknowledge();
      const first = test.last();
      const watching = test.subscriptions.watchResource("a:1", never);
      await settle();
      test.last().error(code);
      await settle();
      assert.ok(first.signal.aborted);
      assert.equal(test.listens.length, 3);
      await test.acknowledge();
      await watching;
      assert.deepEqual(test.notices, [
        { kind: "list-changed", list: "tools" },
        { kind: "resource-updated", uri: "a:1" },
      ]);
    });
  }

  it("keep the old request when the new one breaks, and try again", async () => {
    using test = await Fixture.make();
    await test.acknowledge();
    const first = test.last();
    const watching = test.subscriptions.watchResource("a:1", never);
    await settle();
    test.last().fail(new EngineError("stream-ended", { server: "s", method: "m" }));
    await settle();
    test.notify(first, "tools/list_changed");
    assert.equal(test.notices.length, 1);
    await test.pass(1_000);
    await test.acknowledge();
    await watching;
    assert.equal(test.notices.length, 1, "there was no gap");
  });

  it("go back to the lists where the server refuses single resources", async () => {
    using test = await Fixture.make();
    await test.acknowledge();
    const rejected = assert.rejects(test.subscriptions.watchResource("a:1", never));
    await settle();
    test.last().error(-32602);
    await settle();
    test.last().error(-32602);
    await settle();
    await rejected;
    assert.deepEqual(test.last().params["notifications"], { toolsListChanged: true });
    await test.acknowledge();
    assert.deepEqual(test.subscriptions.state.honoured.lists, ["tools"]);
    await test.pass(600_000);
    assert.equal(test.listens.length, 4);
  });

  // Duty: 13.3
  it("say at once that a resource is not watched when the very same was refused before", async () => {
    using test = await Fixture.make();
    await test.acknowledge();
    const isNotWatched = (error: EngineError): boolean => error.code === "not-watched";
    const first = assert.rejects(test.subscriptions.watchResource("a:1", never), isNotWatched);
    await settle();
    test.last().error(-32602);
    await settle();
    test.last().error(-32602);
    await settle();
    await first;
    await test.acknowledge();
    test.subscriptions.unwatchResource("a:1");
    await settle();
    const outcomes: unknown[] = [];
    test.subscriptions.watchResource("a:1", never).catch((error: unknown) => outcomes.push(error));
    await settle();
    assert.deepEqual(
      outcomes.map((error) => error instanceof EngineError && error.code),
      ["not-watched"],
    );
  });
});

describe("modern subscriptions at the end of a request", () => {
  // Duty: 13.8, 13.11
  it("ask again with a growing pause after a drop, and read everything anew once", async () => {
    using test = await Fixture.make(["tools", "prompts"], "http");
    await test.acknowledge();
    for (const [attempt, least, most] of [
      [2, 500, 1_000],
      [3, 1_000, 2_000],
      [4, 2_000, 4_000],
    ] as const) {
      test.last().fail(new EngineError("stream-ended", { server: "s", method: "m" }));
      await settle();
      assert.deepEqual(test.subscriptions.state.honoured.lists, []);
      await test.pass(least - 1);
      assert.equal(test.listens.length, attempt - 1, `attempt ${String(attempt)} came too soon`);
      await test.pass(most - least + 1);
      assert.equal(test.listens.length, attempt);
    }
    assert.deepEqual(test.notices, []);
    await test.acknowledge();
    assert.deepEqual(test.notices, [
      { kind: "list-changed", list: "tools" },
      { kind: "list-changed", list: "prompts" },
    ]);
  });

  for (const order of [["result"], ["cancelled"], ["result", "cancelled"], ["cancelled", "result"]]) {
    // Duty: 13.6, 13.7
    it(`act once when the server ends one by ${order.join(" and ")}`, async () => {
      using test = await Fixture.make();
      await test.acknowledge();
      const { message, result } = test.last();
      for (const how of order) {
        if (how === "result") result({ resultType: "complete", _meta: { [ID]: message.id } });
        else test.transport.notify("notifications/cancelled", { requestId: message.id });
        await settle();
      }
      assert.deepEqual(test.cancelled(), [], "the server knows already");
      await test.pass(29_000);
      assert.equal(test.listens.length, 1, "a server that closes in good order is not pestered");
      await test.pass(31_000);
      assert.equal(test.listens.length, 2);
      await test.acknowledge();
      assert.deepEqual(test.notices, [{ kind: "list-changed", list: "tools" }]);
    });
  }

  // Duty: 13.8
  it("do not let a new wish wait for a server that ended one in good order", async () => {
    using test = await Fixture.make();
    await test.acknowledge();
    test.last().result({ resultType: "complete" });
    await settle();
    const watching = test.subscriptions.watchResource("a:1", never);
    await settle();
    assert.equal(test.listens.length, 2);
    await test.acknowledge();
    await watching;
    await test.pass(600_000);
    assert.equal(test.listens.length, 2, "the pause is over");
  });

  it("mind no cancellation of something else", async () => {
    using test = await Fixture.make();
    await test.acknowledge();
    test.transport.notify("notifications/cancelled", { requestId: String(test.last().message.id) });
    test.transport.notify("notifications/cancelled", {});
    await settle();
    assert.equal(test.open.length, 1);
  });

  for (const [name, code, status] of [
    ["an unknown method", -32601, 404],
    ["a 404 of its own", -32000, 404],
  ] as const) {
    it(`ask no more after ${name}`, async () => {
      using test = await Fixture.make(["tools"], "http");
      test.last().error(code, status);
      await settle();
      await test.pass(3_600_000);
      assert.equal(test.listens.length, 1);
      await assert.rejects(test.subscriptions.watchResource("a:1", never));
    });
  }

  for (const status of [429, 503]) {
    it(`ask again later after HTTP ${String(status)}`, async () => {
      using test = await Fixture.make(["tools"], "http");
      test.last().error(-32000, status);
      await settle();
      await test.pass(1_000);
      assert.equal(test.listens.length, 2);
    });
  }

  // Duty: 13.10, 14.3.1
  it("have no time limit, and keep a request that is never acknowledged", async () => {
    using test = await Fixture.make();
    await test.pass(24 * 3_600_000);
    assert.equal(test.open.length, 1);
    assert.deepEqual(test.subscriptions.state.honoured.lists, []);
    await test.acknowledge();
    assert.deepEqual(test.subscriptions.state.honoured.lists, ["tools"], "better late than never");
  });

  // Duty: 13.6, 14.2.1
  it("are taken back by a message over stdio, by closing the stream over HTTP", async () => {
    for (const kind of ["stdio", "http"] as const) {
      const test = await Fixture.make(["tools"], kind);
      await test.acknowledge();
      test.subscriptions.dispose();
      await settle();
      assert.equal(test.open.length, 0);
      assert.deepEqual(test.cancelled(), kind === "stdio" ? [test.last().message.id] : []);
      test.channel.dispose();
    }
  });

  it("leave nothing behind with each request that ended", async () => {
    using test = await Fixture.make(["tools"], "http");
    const listening = mock.method(AbortSignal.prototype, "addEventListener");
    try {
      for (let round = 0; round < 40; round += 1) {
        await test.acknowledge();
        test.last().fail(new EngineError("stream-ended", { server: "s", method: "m" }));
        await settle();
        await test.pass(60_000);
      }
    } finally {
      listening.mock.restore();
    }
    assert.equal(test.listens.length, 41);
    const signals = new Set(listening.mock.calls.map((call) => call.this as AbortSignal));
    const kept = [...signals].map((signal) => getEventListeners(signal, "abort").length);
    assert.ok(Math.max(...kept) < 10, `${String(Math.max(...kept))} listeners are left on one signal`);
  });

  it("end with the connection", async () => {
    using test = await Fixture.make();
    await test.acknowledge();
    test.transport.end(new Error("gone"));
    await test.pass(3_600_000);
    assert.equal(test.listens.length, 1);
    assert.equal(test.clock.pending, 0);
  });
});
