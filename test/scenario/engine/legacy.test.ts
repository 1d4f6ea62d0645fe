import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { type ScriptedExchange, type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

describe("tools of a legacy server", () => {
  // Duty: 7.1.9
  it("are listed again when the server says that they changed, once for a burst", async () => {
    const { command, args } = scriptedStdio((self) => {
      let lists = 0;
      self.on("initialize", (request) => {
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: "x", version: "1" },
        });
      });
      self.on("server/discover", (request) => self.fail(request, -32601));
      self.on("tools/list", (request) => {
        lists += 1;
        self.reply(request, { tools: [{ name: `t${String(lists)}`, inputSchema: { type: "object" } }] });
        if (lists === 1) for (let i = 0; i < 5; i += 1) self.notify("notifications/tools/list_changed");
      });
    });
    await using test = new TestPool({ s: { command, args } });
    await test.connect();
    while (test.tools()[0] !== "t2") await test.changed();
    assert.deepEqual(test.tools(), ["t2"]);
  });

  it("can be waited for after a call that changed them, and not for ever", async () => {
    const { command, args } = scriptedStdio((self) => {
      let tools = ["login"];
      self.on("initialize", (request) => {
        const capabilities = { tools: { listChanged: true } };
        const serverInfo = { name: "x", version: "1" };
        self.reply(request, { protocolVersion: "2025-11-25", capabilities, serverInfo });
      });
      self.on("tools/list", (request) => {
        if (tools.includes("never")) return;
        self.reply(request, { tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })) });
      });
      self.on("tools/call", (request) => {
        tools = request.params.name === "login" ? ["login", "secret_tool"] : ["never"];
        self.notify("notifications/tools/list_changed");
        self.reply(request, { content: [] });
      });
    });
    const clock = new FakeClock();
    await using test = new TestPool({ s: { command, args, protocol: "legacy" } }, undefined, { clock });
    await test.connect();
    await test.pool.callTool("s", "login", {}, { origin: "chat" });
    const settled = test.pool.toolsSettled(new AbortController().signal);
    clock.advance(200);
    await settled;
    assert.deepEqual(test.tools(), ["login", "secret_tool"]);
    await test.pool.callTool("s", "secret_tool", {}, { origin: "chat" });
    const late = test.pool.toolsSettled(new AbortController().signal);
    const stop = new AbortController();
    const stopped = test.pool.toolsSettled(stop.signal);
    stop.abort(new Error("enough"));
    await assert.rejects(stopped, { message: "enough" });
    clock.advance(2_000);
    await late;
  });
});

/** A legacy HTTP server that forgets sessions. */
class ForgetfulServer {
  sessions = 0;
  readonly dead = new Set<string>();
  readonly http: Promise<ScriptedHttp> = startScriptedHttp((exchange) => this.#answer(exchange));

  #answer(exchange: ScriptedExchange): void {
    if (exchange.method !== "POST") return exchange.answer(exchange.method === "DELETE" ? 200 : 405);
    const { method } = exchange.message;
    if (method === "server/discover") return exchange.answer(404);
    if (method === "initialize") {
      this.sessions += 1;
      return exchange.result(
        {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "f", version: "1" },
        },
        { "mcp-session-id": `s-${String(this.sessions)}` },
      );
    }
    const session = String(exchange.request.headers["mcp-session-id"]);
    if (this.dead.has(session))
      return exchange.json(404, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32001, message: "no such session" },
      });
    if (method === "tools/list") return exchange.result({ tools: [] });
    if (method === "tools/call") return exchange.result({ content: [{ type: "text", text: session }] });
    return exchange.answer(202);
  }
}

describe("a legacy session that the server forgot", () => {
  // Duty: 5.2.3
  it("is begun anew once for all calls in flight, and each call is made once more", async () => {
    const server = new ForgetfulServer();
    const http = await server.http;
    {
      await using test = new TestPool({ s: { url: http.url } });
      await test.connect();
      server.dead.add("s-1");
      const outcomes = await Promise.all(
        [1, 2, 3].map(() => test.pool.callTool("s", "t", {}, { origin: "panel" })),
      );
      assert.deepEqual(
        outcomes.map(({ result }) => firstText(result)),
        ["s-2", "s-2", "s-2"],
      );
      assert.equal(server.sessions, 2);
      const renewed = http.requests.filter(({ body }) => body.includes('"initialize"'))[1];
      assert.equal(renewed?.headers["mcp-session-id"], undefined);
    }
    await http.close();
  });

  it("is begun anew for the others when the call that found it out is cancelled", async () => {
    const server = new ForgetfulServer();
    const http = await server.http;
    {
      await using test = new TestPool({ s: { url: http.url } });
      await test.connect();
      server.dead.add("s-1");
      const renewing = deferred<ScriptedExchange>();
      const { handler } = http;
      http.handler = (exchange) => {
        if (exchange.request.body.includes('"initialize"')) renewing.resolve(exchange);
        else return handler(exchange);
      };
      const abort = new AbortController();
      const first = test.pool.callTool("s", "t", {}, { origin: "panel", signal: abort.signal });
      const initialize = await renewing.promise;
      const second = test.pool.callTool("s", "t", {}, { origin: "panel" });
      // The second call has been told that its session is gone when there are four requests more.
      while (http.messages.filter(({ method }) => method === "tools/call").length < 2)
        await new Promise(setImmediate);
      abort.abort(new Error("enough"));
      await assert.rejects(first, /enough/);
      await handler(initialize);
      assert.equal(firstText((await second).result), "s-2");
    }
    await http.close();
  });

  // Duty: 5.2.4
  it("is reported when the new one is forgotten at once", async () => {
    const server = new ForgetfulServer();
    const http = await server.http;
    {
      await using test = new TestPool({ s: { url: http.url } });
      await test.connect();
      for (const id of ["s-1", "s-2", "s-3"]) server.dead.add(id);
      await assert.rejects(test.pool.callTool("s", "t", {}, { origin: "panel" }));
      assert.equal(server.sessions, 2);
    }
    await http.close();
  });
});

describe("the stream of a legacy server", () => {
  for (const status of [405, 404, 406, 400, 501]) {
    // Duty: 5.3.2
    it(`is done without when GET is answered with ${String(status)}`, async () => {
      const server = await startScriptedHttp((exchange) => {
        if (exchange.method !== "POST")
          return exchange.answer(status, "<html></html>", { "content-type": "text/html" });
        const { method } = exchange.message;
        if (method === "server/discover") return exchange.answer(404);
        if (method === "initialize") {
          return exchange.result({
            protocolVersion: "2025-11-25",
            capabilities: { tools: {} },
            serverInfo: { name: "f", version: "1" },
          });
        }
        if (method === "tools/list") return exchange.result({ tools: [] });
        return method === "tools/call" ? exchange.result({ content: [] }) : exchange.answer(202);
      });
      {
        await using test = new TestPool({ s: { url: server.url } });
        await test.connect();
        for (let i = 0; i < 3; i += 1) await test.pool.callTool("s", "t", {}, { origin: "panel" });
        assert.equal(server.requests.filter(({ method }) => method === "GET").length, 1);
      }
      await server.close();
    });
  }

  // Duty: 5.4.3, 5.4.5
  it("is opened again after the delay that the server names", async () => {
    const opened: number[] = [];
    const again = deferred();
    const server = await startScriptedHttp((exchange) => {
      if (exchange.method === "GET") {
        opened.push(performance.now());
        if (opened.length === 3) {
          again.resolve(undefined);
          return;
        }
        const stream = exchange.stream();
        stream.raw("retry: 60\nid: 1\ndata:\n\n");
        stream.end();
        return;
      }
      if (exchange.method === "DELETE") return exchange.answer(200);
      const { method } = exchange.message;
      if (method === "server/discover") return exchange.answer(404);
      if (method !== "initialize") return exchange.answer(202);
      exchange.result({
        protocolVersion: "2025-11-25",
        capabilities: {},
        serverInfo: { name: "f", version: "1" },
      });
    });
    {
      await using test = new TestPool({ s: { url: server.url } });
      await test.connect();
      await again.promise;
      const [first = 0, second = 0, third = 0] = opened;
      assert.ok(second - first >= 55 && third - second >= 55, String(opened));
      assert.ok(third - first < 1_400, String(opened));
    }
    await server.close();
  });

  // Duty: 5.3.3, 5.3.4
  it("brings questions of the server, which are asked and answered", async () => {
    const answered = deferred<JsonObject>();
    const server = await startScriptedHttp((exchange) => {
      if (exchange.method === "GET") {
        const params = {
          message: "?",
          requestedSchema: { type: "object", properties: { a: { type: "string" } } },
        };
        exchange.stream().event({ jsonrpc: "2.0", id: 77, method: "elicitation/create", params });
        return;
      }
      if (exchange.method === "DELETE") return exchange.answer(200);
      const { method, id } = exchange.message;
      if (id === 77) {
        answered.resolve(exchange.message as JsonObject);
        return exchange.answer(202);
      }
      if (method === "server/discover") return exchange.answer(404);
      if (method === "initialize") {
        return exchange.result({
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "f", version: "1" },
        });
      }
      return exchange.answer(202);
    });
    {
      await using test = new TestPool({ s: { url: server.url } }, () => ({
        action: "accept",
        content: { a: "b" },
      }));
      await test.connect();
      const message = await answered.promise;
      assert.deepEqual(message["result"], { action: "accept", content: { a: "b" } });
      assert.deepEqual([test.rounds[0]?.target, test.rounds[0]?.serverId], [undefined, "s"]);
    }
    await server.close();
  });
});
