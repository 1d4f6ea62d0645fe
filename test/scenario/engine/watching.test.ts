import assert from "node:assert/strict";
import { deferred } from "../../../src/base/deferred.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { EngineError } from "../../../src/protocol/engineError.ts";
import { concernsResource, type SubscriptionState } from "../../../src/protocol/model/subscriptions.ts";
import { RpcError } from "../../../src/protocol/rpcError.ts";
import { type ScriptedStream, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

type Era = "modern" | "legacy";

/** A server that can watch resources. Its tool `touch` changes one, and `seen` tells which messages came. */
interface Watchable {
  readonly entry: JsonObject;
  readonly close: () => Promise<void>;
}

function stdioServer(era: Era): Watchable {
  const { command, args } = scriptedStdio((self) => {
    const modern = self.data === "modern";
    const seen: string[] = [];
    const listens = new Map<unknown, string[]>();
    const watched = new Set<string>();
    const capabilities = { tools: {}, resources: { subscribe: true }, prompts: { listChanged: true } };
    const done = modern ? { resultType: "complete" } : {};
    self.on("server/discover", (request) => {
      if (modern) self.reply(request, { ...done, supportedVersions: ["2026-07-28"], capabilities });
      else self.fail(request, -32601);
    });
    self.on("initialize", (request) =>
      self.reply(request, {
        protocolVersion: "2025-11-25",
        capabilities,
        serverInfo: { name: "w", version: "1" },
      }),
    );
    self.on("subscriptions/listen", (request) => {
      const { notifications } = request.params;
      const uris: string[] = notifications.resourceSubscriptions ?? [];
      seen.push(`listen ${uris.join()}`);
      listens.set(request.id, uris);
      self.notify("notifications/subscriptions/acknowledged", {
        notifications,
        _meta: { "io.modelcontextprotocol/subscriptionId": request.id },
      });
    });
    self.on("notifications/cancelled", ({ params }) => void listens.delete(params.requestId));
    for (const verb of ["subscribe", "unsubscribe"] as const) {
      self.on(`resources/${verb}`, (request) => {
        seen.push(`${verb} ${request.params.uri}`);
        if (request.params.uri === "x:secret") {
          self.fail(request, -32002, "no such thing");
          return;
        }
        if (verb === "subscribe") watched.add(request.params.uri);
        else watched.delete(request.params.uri);
        self.reply(request, {});
      });
    }
    for (const list of ["tools", "prompts", "resources"])
      self.on(`${list}/list`, (request) => self.reply(request, { ...done, [list]: [] }));
    self.on("resources/templates/list", (request) => self.reply(request, { ...done, resourceTemplates: [] }));
    self.on("tools/call", (request) => {
      const { uri } = request.params.arguments;
      const touch = (meta: object): void => self.notify("notifications/resources/updated", { uri, ...meta });
      if (watched.size > 0) touch({});
      for (const [id, uris] of listens)
        if (uris.length > 0) touch({ _meta: { "io.modelcontextprotocol/subscriptionId": id } });
      self.reply(request, { ...done, content: [{ type: "text", text: seen.join("; ") }] });
    });
  }, era);
  return { entry: { command, args }, close: () => Promise.resolve() };
}

async function httpServer(era: Era): Promise<Watchable> {
  const modern = era === "modern";
  const done = modern ? { resultType: "complete" } : {};
  const seen: string[] = [];
  const listens = new Map<unknown, { stream: ScriptedStream; uris: string[] }>();
  const watched = new Set<string>();
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: { listChanged: true } };
  let background: ScriptedStream | undefined;
  const server = await startScriptedHttp((exchange) => {
    if (exchange.method === "GET") {
      background = exchange.stream();
      return;
    }
    if (exchange.method === "DELETE") return exchange.answer(200);
    const { id, method, params } = exchange.message;
    switch (method) {
      case "server/discover":
        if (!modern) return exchange.error(404, -32601);
        return exchange.result({ ...done, supportedVersions: ["2026-07-28"], capabilities });
      case "initialize":
        return exchange.result({
          protocolVersion: "2025-11-25",
          capabilities,
          serverInfo: { name: "w", version: "1" },
        });
      case "subscriptions/listen": {
        const uris: string[] = params.notifications.resourceSubscriptions ?? [];
        seen.push(`listen ${uris.join()}`);
        const stream = exchange.stream();
        listens.set(id, { stream, uris });
        void exchange.abandoned.then(() => listens.delete(id));
        stream.event({
          jsonrpc: "2.0",
          method: "notifications/subscriptions/acknowledged",
          params: {
            notifications: params.notifications,
            _meta: { "io.modelcontextprotocol/subscriptionId": id },
          },
        });
        return;
      }
      case "resources/subscribe":
      case "resources/unsubscribe": {
        const subscribes = method === "resources/subscribe";
        seen.push(`${subscribes ? "" : "un"}subscribe ${params.uri}`);
        if (params.uri === "x:secret") return exchange.error(200, -32002, "no such thing");
        if (subscribes) watched.add(params.uri as string);
        else watched.delete(params.uri as string);
        return exchange.result({});
      }
      case "tools/call": {
        const { uri } = params.arguments;
        const touch = (meta: object): object => ({
          jsonrpc: "2.0",
          method: "notifications/resources/updated",
          params: { uri, ...meta },
        });
        if (watched.size > 0) background?.event(touch({}));
        for (const [listen, { stream, uris }] of listens)
          if (uris.length > 0)
            stream.event(touch({ _meta: { "io.modelcontextprotocol/subscriptionId": listen } }));
        return exchange.result({ ...done, content: [{ type: "text", text: seen.join("; ") }] });
      }
      case "notifications/initialized":
        return exchange.answer(202);
      default:
        return exchange.result({ ...done, tools: [], prompts: [], resources: [], resourceTemplates: [] });
    }
  });
  return { entry: { url: server.url }, close: () => server.close() };
}

/** Changes a resource at the server, and answers what came there before that. */
async function touch(test: TestPool, uri: string): Promise<string> {
  const { result } = await test.pool.callTool("s", "touch", { uri }, { origin: "panel" });
  return firstText(result);
}

async function nextUpdate(test: TestPool): Promise<string> {
  const update = deferred<string>();
  const subscription = test.pool.onDidNotice(({ notice }) => {
    if (notice.kind === "resource-updated") update.resolve(notice.uri);
  });
  const uri = await update.promise;
  subscription.dispose();
  return uri;
}

function subscriptions(test: TestPool): SubscriptionState {
  const state = test.state();
  if (state.kind !== "connected") throw new Error(`It is ${state.kind}`);
  return state.subscriptions;
}

for (const era of ["modern", "legacy"] as const) {
  for (const transport of ["stdio", "HTTP"] as const) {
    describe(`a watched resource of a ${era} server over ${transport}`, () => {
      let server: Watchable;
      beforeEach(async () => {
        server = transport === "stdio" ? stdioServer(era) : await httpServer(era);
      });
      afterEach(() => server.close());

      // Duty: 3.12, 8.1.7, 8.1.8, 13.1, 13.9
      it("is told about, once for all who watch, until the last of them stops, and again after a restart", async () => {
        await using test = new TestPool({ s: server.entry });
        await test.connect();
        const first = await test.pool.watchResource("s", "x:a");
        const second = await test.pool.watchResource("s", "x:a");
        assert.deepEqual(subscriptions(test).honoured, { lists: ["prompts"], resources: ["x:a"], tasks: [] });
        let update = nextUpdate(test);
        await touch(test, "x:a/below");
        const below = await update;
        assert.ok(concernsResource(below, "x:a") && !concernsResource(below, "x:b"));

        await test.pool.restart("s");
        while (subscriptions(test).honoured.resources.length === 0) await test.changed();
        update = nextUpdate(test);
        await touch(test, "x:a");
        assert.equal(await update, "x:a");

        first.dispose();
        first.dispose();
        assert.deepEqual(subscriptions(test).asked.resources, ["x:a"]);
        second.dispose();
        while (subscriptions(test).honoured.resources.length > 0) await test.changed();
        const seen = (await touch(test, "x:a")).split("; ");
        // A process is a new one after the restart, and remembers nothing of the first.
        const times = transport === "stdio" ? 1 : 2;
        const asked = seen.filter((line) => line === "listen x:a" || line === "subscribe x:a");
        assert.equal(asked.length, times, seen.join("; "));
        assert.equal(seen.at(-1), era === "modern" ? "listen " : "unsubscribe x:a");
      });
    });
  }
}

describe("a resource that is not watched", () => {
  // Duty: 8.1.8
  it("is not asked for where the server does not announce it", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("server/discover", (request) =>
        self.reply(request, {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { resources: {} },
        }),
      );
    });
    await using test = new TestPool({ s: { command, args } });
    await test.connect();
    await assert.rejects(
      test.pool.watchResource("s", "x:a"),
      (error) => error instanceof EngineError && error.code === "not-watched" && /x:a/.test(error.message),
    );
    assert.deepEqual(subscriptions(test).asked.resources, []);
  });

  it("is reported with the words of a legacy server that refuses it, and is no longer wanted", async () => {
    await using test = new TestPool({ s: stdioServer("legacy").entry });
    await test.connect();
    await assert.rejects(
      test.pool.watchResource("s", "x:secret"),
      (error) => error instanceof RpcError && error.rpcCode === -32002,
    );
    assert.deepEqual(subscriptions(test).asked.resources, []);
    await assert.rejects(test.pool.watchResource("nobody", "x:a"), /nobody/);
  });
});
