import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { type ScriptedExchange, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

/** A legacy stdio server whose tools ask for input and whose answers come back as text. */
function askingServer(revision = "2025-11-25"): JsonObject {
  const { command, args } = scriptedStdio((self) => {
    let call: { id?: string | number } = {};
    self.on("initialize", (request) => {
      self.reply(request, {
        protocolVersion: self.data,
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
          self.notify("notifications/cancelled", { requestId: "q", reason: "too late" });
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
  }, revision);
  return { command, args };
}

async function ask(tool: string, test: TestPool): Promise<JsonObject> {
  await test.connect();
  const { result } = await test.pool.callTool("s", tool, {}, { origin: "panel" });
  return JSON.parse(firstText(result)) as JsonObject;
}

describe("requests of a legacy server", () => {
  // Duty: 1.1.10, 5.5.1
  it("are answered: ping", async () => {
    await using test = new TestPool({ s: askingServer() });
    assert.deepEqual(await ask("ping", test), {});
  });

  // Duty: 1.1.10, 10.1.2, 10.1.6
  it("are answered: a form, with its content", async () => {
    await using test = new TestPool({ s: askingServer() }, () => ({ action: "accept", content: { a: "é" } }));
    assert.deepEqual(await ask("ask", test), { action: "accept", content: { a: "é" } });
    assert.deepEqual([test.rounds[0]?.target, test.rounds[0]?.method], ["ask", "tools/call"]);
  });

  // Duty: 10.1.6
  it("are answered: a declined form", async () => {
    await using test = new TestPool({ s: askingServer() }, () => ({ action: "decline" }));
    assert.deepEqual(await ask("ask", test), { action: "decline" });
  });

  // Duty: 10.3.1
  it("are answered: a URL", async () => {
    await using test = new TestPool({ s: askingServer() }, () => ({ action: "accept" }));
    assert.deepEqual(await ask("url", test), { action: "accept" });
  });

  // Duty: 10.1.3
  it("are refused when they ask for a URL in a revision that knows forms only", async () => {
    await using test = new TestPool({ s: { ...askingServer("2025-06-18"), protocol: "2025-06-18" } }, () => ({
      action: "accept",
    }));
    assert.equal((await ask("url", test))["code"], -32602);
    assert.equal(test.rounds.length, 0);
  });

  // Duty: 10.2.8
  it("are refused when the form is not allowed, and nobody is asked", async () => {
    await using test = new TestPool({ s: askingServer() }, () => ({ action: "accept", content: {} }));
    assert.equal((await ask("nested", test))["code"], -32602);
    assert.equal(test.rounds.length, 0);
  });

  // Duty: 10.1.3
  it("are refused when nobody can be asked", async () => {
    await using test = new TestPool({ s: askingServer() });
    assert.equal((await ask("ask", test))["code"], -32602);
  });

  // Duty: 1.4.14, 15.13
  it("are refused when the method was not offered", async () => {
    await using test = new TestPool({ s: askingServer() });
    assert.equal((await ask("sample", test))["code"], -32601);
  });

  // Duty: 14.2.3
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
    assert.ok(test.log.lines.some((line) => line.endsWith("wants an answer: too late")));
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

  // Duty: 10.1.6
  it("belong to the only call that can ask, whatever list is being read beside it", async () => {
    const { command, args } = scriptedStdio((self) => {
      let call = {};
      let lists: object[] = [];
      self.on("initialize", (request) => {
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: "x", version: "1" },
        });
      });
      self.on("server/discover", (request) => self.fail(request, -32601));
      self.on("tools/list", (request) => {
        lists = [...lists, request];
        if (lists.length === 1) self.reply(request, { tools: [] });
        else {
          // The list stays open while the question is.
          const params = { message: "?", requestedSchema: { type: "object", properties: {} } };
          self.send({ jsonrpc: "2.0", id: "q", method: "elicitation/create", params });
        }
      });
      self.on("tools/call", (request) => {
        call = request;
        self.notify("notifications/tools/list_changed");
      });
      self.on("*", (message) => {
        if (message.id !== "q") return;
        for (const list of lists.slice(1)) self.reply(list, { tools: [] });
        self.reply(call, { content: [] });
      });
    });
    await using test = new TestPool({ s: { command, args } }, () => ({ action: "decline" }));
    await test.connect();
    await test.pool.callTool("s", "t", {}, { origin: "panel" });
    assert.deepEqual(
      test.rounds.map(({ method, target }) => [method, target]),
      [["tools/call", "t"]],
    );
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

  // Duty: 10.1.5
  it("are refused when a server asks a person outside of calls without end", async () => {
    const { command, args } = scriptedStdio((self) => {
      let asked = 0;
      const ask = (): void => {
        asked += 1;
        self.send({
          jsonrpc: "2.0",
          id: asked,
          method: "elicitation/create",
          params: { message: "?", requestedSchema: { type: "object", properties: {} } },
        });
      };
      self.on("server/discover", (request) => self.fail(request, -32601));
      self.on("initialize", (request) => {
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "x", version: "1" },
        });
      });
      self.on("notifications/initialized", ask);
      self.on("*", (message) => {
        if (message.result !== undefined && asked < 200) ask();
        else self.stderr(`stopped after ${JSON.stringify(message.id)}\n`);
      });
    });
    await using test = new TestPool({ s: { command, args } }, () => ({ action: "decline" }));
    const stopped = deferred<string>();
    const write = test.log.write.bind(test.log);
    test.log.write = (level, text, content) => {
      write(level, text, content);
      if (text.includes("stopped after")) stopped.resolve(text);
    };
    await test.connect();
    assert.match(await stopped.promise, /stopped after 21$/);
    assert.equal(test.rounds.length, 20);
  });

  // Duty: 5.4.6, 10.1.5
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

describe("a question on the stream of a call that has ended", () => {
  // Duty: 5.1.6
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
