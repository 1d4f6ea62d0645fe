import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { deferred } from "../../support/deferred.ts";
import { type ScriptedExchange, type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

/** A legacy stdio server whose tools ask for input and whose answers come back as text. */
function askingServer(): JsonObject {
  const { command, args } = scriptedStdio((self) => {
    let call: { id?: string | number } = {};
    self.on("initialize", (request) => {
      self.reply(request, {
        protocolVersion: "2025-11-25",
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "x", version: "1" },
      });
    });
    self.on("server/discover", (request) => self.fail(request, -32601));
    self.on("tools/list", (request) =>
      self.reply(request, { tools: [{ name: "t", inputSchema: { type: "object" } }] }),
    );
    self.on("tools/call", (request) => {
      call = request;
      const { name } = request.params;
      if (name === "ping") self.send({ jsonrpc: "2.0", id: "p", method: "ping" });
      if (name === "sample")
        self.send({ jsonrpc: "2.0", id: "x", method: "sampling/createMessage", params: {} });
      const properties = name === "nested" ? { a: { type: "object" } } : { a: { type: "string" } };
      if (name === "ask" || name === "withdraw" || name === "nested") {
        self.send({
          jsonrpc: "2.0",
          id: "q",
          method: "elicitation/create",
          params: { message: "?", requestedSchema: { type: "object", properties } },
        });
      }
      if (name === "url") {
        self.send({
          jsonrpc: "2.0",
          id: "u",
          method: "elicitation/create",
          params: { mode: "url", message: "?", url: "https://x.example", elicitationId: "1" },
        });
      }
      if (name === "withdraw") {
        self.after(100, () => {
          self.notify("notifications/cancelled", { requestId: "q" });
          self.after(50, () => self.reply(request, { content: [{ type: "text", text: "withdrawn" }] }));
        });
      }
    });
    self.on("*", (message) => {
      const answer =
        (message as { result?: object; error?: object }).result ?? (message as { error?: object }).error;
      if (answer !== undefined)
        self.reply(call, { content: [{ type: "text", text: JSON.stringify(answer) }] });
    });
  });
  return { command, args };
}

async function ask(tool: string, test: TestPool): Promise<JsonObject> {
  await test.connect();
  const { result } = await test.pool.callTool("s", tool, {}, { origin: "panel" });
  return JSON.parse(firstText(result)) as JsonObject;
}

describe("requests of a legacy server", () => {
  it("are answered: ping", async () => {
    await using test = new TestPool({ s: askingServer() });
    assert.deepEqual(await ask("ping", test), {});
  });

  it("are answered: a form, with its content", async () => {
    await using test = new TestPool({ s: askingServer() }, () => ({ action: "accept", content: { a: "é" } }));
    assert.deepEqual(await ask("ask", test), { action: "accept", content: { a: "é" } });
    assert.deepEqual([test.rounds[0]?.target, test.rounds[0]?.method], ["ask", "tools/call"]);
  });

  it("are answered: a declined form", async () => {
    await using test = new TestPool({ s: askingServer() }, () => ({ action: "decline" }));
    assert.deepEqual(await ask("ask", test), { action: "decline" });
  });

  it("are answered: a URL", async () => {
    await using test = new TestPool({ s: askingServer() }, () => ({ action: "accept" }));
    assert.deepEqual(await ask("url", test), { action: "accept" });
  });

  it("are refused when the form is not allowed, and nobody is asked", async () => {
    await using test = new TestPool({ s: askingServer() }, () => ({ action: "accept", content: {} }));
    assert.equal((await ask("nested", test))["code"], -32602);
    assert.equal(test.rounds.length, 0);
  });

  it("are refused when nobody can be asked", async () => {
    await using test = new TestPool({ s: askingServer() });
    assert.equal((await ask("ask", test))["code"], -32602);
  });

  it("are refused when the method was not offered", async () => {
    await using test = new TestPool({ s: askingServer() });
    assert.equal((await ask("sample", test))["code"], -32601);
  });

  it("stop being asked when the server withdraws them", async () => {
    let withdrawn = false;
    await using test = new TestPool({ s: askingServer() }, (_round, signal) => {
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          withdrawn = true;
          reject(signal.reason as Error);
        });
      });
    });
    await test.connect();
    const { result } = await test.pool.callTool("s", "withdraw", {}, { origin: "panel" });
    assert.equal(firstText(result), "withdrawn");
    assert.equal(withdrawn, true);
  });

  it("are refused when they are larger than a person can be asked", async () => {
    const { command, args } = scriptedStdio((self) => {
      let call = {};
      self.on("initialize", (request) => {
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "x", version: "1" },
        });
      });
      self.on("server/discover", (request) => self.fail(request, -32601));
      self.on("tools/call", (request) => {
        call = request;
        const wide = JSON.stringify({
          type: "string",
          enum: Array.from({ length: 200_000 }, () => "option"),
        });
        const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
        const property = request.params.name === "wide" ? wide : deep;
        self.raw(
          `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":${property}}}}}\n`,
        );
      });
      self.on("*", (message) => {
        const { error } = message as { error?: { code: number } };
        if (error !== undefined) self.reply(call, { content: [{ type: "text", text: String(error.code) }] });
      });
    });
    await using test = new TestPool({ s: { command, args } }, () => ({ action: "accept", content: {} }));
    await test.connect();
    for (const tool of ["wide", "deep"]) {
      const { result } = await test.pool.callTool("s", tool, {}, { origin: "panel" });
      assert.equal(firstText(result), "-32602");
    }
    assert.equal(test.rounds.length, 0);
  });

  it("are answered also when they come with the answer to initialize", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("server/discover", (request) => self.fail(request, -32601));
      self.on("initialize", (request) => {
        const result = {
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "x", version: "1" },
        };
        const answer = JSON.stringify({ jsonrpc: "2.0", id: request.id, result });
        self.raw(`${answer}\n{"jsonrpc":"2.0","id":"early","method":"ping"}\n`);
      });
      self.on("*", (message) => self.stderr(`answered ${String(message.id)}\n`));
    });
    await using test = new TestPool({ s: { command, args } });
    await test.connect();
    while (!test.log.lines.some((line) => line.includes("answered early"))) await new Promise(setImmediate);
  });

  it("stop being asked when the call ends without waiting for the answer, and are answered with cancel", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("initialize", (request) => {
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "x", version: "1" },
        });
      });
      self.on("server/discover", (request) => self.fail(request, -32601));
      self.on("tools/call", (request) => {
        self.send({
          jsonrpc: "2.0",
          id: "q",
          method: "elicitation/create",
          params: { message: "?", requestedSchema: { type: "object", properties: {} } },
        });
        self.after(50, () => self.reply(request, { content: [] }));
      });
      self.on("*", (message) => self.stderr(`told ${JSON.stringify(message.result)}\n`));
    });
    let isOpen = false;
    await using test = new TestPool({ s: { command, args } }, (_round, signal) => {
      isOpen = true;
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          isOpen = false;
          reject(signal.reason as Error);
        });
      });
    });
    await test.connect();
    await test.pool.callTool("s", "t", {}, { origin: "panel" });
    assert.equal(test.rounds.length, 1);
    assert.equal(isOpen, false);
    while (!test.log.lines.some((line) => line.includes('told {"action":"cancel"}')))
      await new Promise(setImmediate);
  });

  it("are bounded, also when they all have the same id", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("initialize", (request) => {
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        });
      });
      self.on("server/discover", (request) => self.fail(request, -32601));
      self.on("tools/list", (request) => self.reply(request, { tools: [] }));
      self.on("notifications/initialized", () => {
        for (let i = 0; i < 100; i += 1) {
          self.send({
            jsonrpc: "2.0",
            id: "same",
            method: "elicitation/create",
            params: { message: "?", requestedSchema: { type: "object", properties: {} } },
          });
        }
      });
      let refused = 0;
      self.on("*", (message) => {
        if ((message as { error?: object }).error !== undefined) refused += 1;
        if (refused === 99) self.stderr("refused 99\n");
      });
    });
    await using test = new TestPool(
      { s: { command, args } },
      (_round, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    );
    await test.connect();
    while (!test.log.lines.some((line) => line.includes("refused 99"))) await new Promise(setImmediate);
    assert.equal(test.rounds.length, 1);
  });
});

describe("tools of a legacy server", () => {
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
    while (test.tools()[0] !== "t2") {
      await new Promise<void>((resolve) => {
        const subscription = test.pool.onDidChange(() => {
          subscription.dispose();
          resolve();
        });
      });
    }
    assert.deepEqual(test.tools(), ["t2"]);
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

describe("a question on the stream of a call that has ended", () => {
  it("is not put to the person in the name of another call", async () => {
    const refused = deferred<JsonObject>();
    const held = deferred<ScriptedExchange>();
    const server = await startScriptedHttp((exchange) => {
      if (exchange.method !== "POST") return exchange.answer(405);
      const { method, id, params } = exchange.message;
      if (method === "server/discover") return exchange.answer(404);
      if (method === "initialize") {
        return exchange.result({
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "f", version: "1" },
        });
      }
      if (id === "late") {
        refused.resolve(exchange.message as JsonObject);
        return exchange.answer(202);
      }
      if (method !== "tools/call") return exchange.answer(202);
      if (params.name === "slow") return held.resolve(exchange);
      const stream = exchange.stream();
      stream.event({ jsonrpc: "2.0", id, result: { content: [] } });
      setTimeout(() => {
        stream.event({
          jsonrpc: "2.0",
          id: "late",
          method: "elicitation/create",
          params: { message: "?", requestedSchema: { type: "object", properties: {} } },
        });
        stream.end();
      }, 50);
    });
    {
      await using test = new TestPool({ s: { url: server.url } }, () => ({ action: "accept", content: {} }));
      await test.connect();
      const slow = test.pool.callTool("s", "slow", {}, { origin: "panel" });
      const waiting = await held.promise;
      await test.pool.callTool("s", "quick", {}, { origin: "panel" });
      assert.equal((((await refused.promise)["error"] ?? {}) as JsonObject)["code"], -32602);
      assert.equal(test.rounds.length, 0);
      waiting.result({ content: [] });
      await slow;
    }
    await server.close();
  });
});

describe("the stream of a legacy server", () => {
  for (const status of [405, 404, 406, 400, 501]) {
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
