import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { type ScriptedExchange, type ScriptedStream, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { TestPool } from "../../support/testPool.ts";

const KEY = "io.modelcontextprotocol/subscriptionId";

async function untilTools(test: TestPool, name: string): Promise<void> {
  while (test.tools()[0] !== name) {
    const changed = deferred();
    const subscription = test.pool.onDidChange(() => changed.resolve(undefined));
    await changed.promise;
    subscription.dispose();
  }
}

/** A modern HTTP server whose n-th list has the tool `tn`, and whose listen streams are handed to the test. */
async function serve(onListen: (exchange: ScriptedExchange) => void): ReturnType<typeof startScriptedHttp> {
  let lists = 0;
  return startScriptedHttp((exchange) => {
    switch (exchange.message.method) {
      case "server/discover":
        exchange.result({
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: { listChanged: true } },
        });
        break;
      case "tools/list":
        lists += 1;
        exchange.result({
          resultType: "complete",
          tools: [{ name: `t${String(lists)}`, inputSchema: { type: "object" } }],
        });
        break;
      case "subscriptions/listen":
        onListen(exchange);
        break;
      default:
        exchange.result({ resultType: "complete", content: [] });
    }
  });
}

function acknowledge(exchange: ScriptedExchange): ScriptedStream {
  const stream = exchange.stream();
  stream.event({
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { toolsListChanged: true }, _meta: { [KEY]: exchange.message.id } },
  });
  return stream;
}

function changed(id: unknown): JsonObject {
  return {
    jsonrpc: "2.0",
    method: "notifications/tools/list_changed",
    params: { _meta: { [KEY]: id as number } },
  };
}

describe("subscriptions of a modern server", () => {
  // Duty: 7.1.9, 13.4
  it("bring a changed tool list, and only with the very id of the subscription", async () => {
    const opened = deferred<ScriptedExchange>();
    let stream: ScriptedStream | undefined;
    const server = await serve((exchange) => {
      stream = acknowledge(exchange);
      opened.resolve(exchange);
    });
    {
      await using test = new TestPool({ s: { url: server.url } });
      await test.connect();
      const { message } = await opened.promise;
      assert.deepEqual(message.params.notifications, { toolsListChanged: true });
      stream?.event(changed(String(message.id)));
      stream?.event(changed(undefined));
      stream?.event(changed(message.id));
      await untilTools(test, "t2");
    }
    const listens = server.messages.filter((message) => message["method"] === "subscriptions/listen");
    const lists = server.messages.filter((message) => message["method"] === "tools/list");
    assert.deepEqual([listens.length, lists.length], [1, 2]);
    await server.close();
  });

  // Duty: 13.8
  it("are opened again after a drop, and the list is read anew", async () => {
    let listens = 0;
    const again = deferred();
    const server = await serve((exchange) => {
      listens += 1;
      const stream = acknowledge(exchange);
      if (listens === 1) stream.cut();
      else again.resolve(undefined);
    });
    {
      await using test = new TestPool({ s: { url: server.url } });
      await test.connect();
      await again.promise;
      await untilTools(test, "t2");
    }
    await server.close();
  });

  // Duty: 2.3.4, 6.9, 15.3
  it("are asked for once when the server refuses them, and calls go on", async () => {
    const refused = deferred();
    const server = await serve((exchange) => {
      exchange.error(404, -32601);
      refused.resolve(undefined);
    });
    {
      await using test = new TestPool({ s: { url: server.url } });
      await test.connect();
      await refused.promise;
      await test.pool.callTool("s", "t1", {}, { origin: "panel" });
      assert.equal(
        server.messages.filter((message) => message["method"] === "subscriptions/listen").length,
        1,
      );
    }
    await server.close();
  });

  // Duty: 3.6, 3.7, 13.5
  it("work on stdio beside calls, and are ended when the server is disconnected", async () => {
    const { command, args } = scriptedStdio((self) => {
      const key = "io.modelcontextprotocol/subscriptionId";
      let lists = 0;
      let listen: string | number | undefined;
      self.on("server/discover", (request) => {
        const capabilities = { tools: { listChanged: true } };
        self.reply(request, { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities });
      });
      self.on("subscriptions/listen", (request) => {
        listen = request.id;
        const _meta = { [key]: listen };
        self.notify("notifications/subscriptions/acknowledged", {
          notifications: { toolsListChanged: true },
          _meta,
        });
      });
      self.on("tools/list", (request) => {
        lists += 1;
        self.reply(request, {
          resultType: "complete",
          tools: [{ name: `t${String(lists)}`, inputSchema: { type: "object" } }],
        });
      });
      self.on("tools/call", (request) => {
        self.reply(request, { resultType: "complete", content: [] });
        self.notify("notifications/tools/list_changed", { _meta: { [key]: listen } });
      });
    });
    await using test = new TestPool({ s: { command, args } });
    await test.connect();
    await test.pool.callTool("s", "t1", {}, { origin: "panel" });
    await untilTools(test, "t2");
  });
});
