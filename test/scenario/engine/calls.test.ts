import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import type { Progress } from "../../../src/protocol/model/tool.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { type ScriptedExchange, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

/** A stdio server that speaks the era in `data.era` and has tools for everything that calls can meet. */
function stdioServer(era: "modern" | "legacy"): JsonObject {
  const { command, args } = scriptedStdio((self) => {
    const text = (value: string): object => ({
      resultType: "complete",
      content: [{ type: "text", text: value }],
    });
    let cancelled: unknown;
    self.on("server/discover", (request) => {
      if (self.data === "legacy") self.fail(request, -32601);
      else
        self.reply(request, {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
        });
    });
    self.on("initialize", (request) => {
      self.reply(request, {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "x", version: "1" },
      });
    });
    self.on("tools/list", (request) => {
      const names = ["echo", "progress", "slow", "late", "die", "odd", "cancelled"];
      self.reply(request, {
        resultType: "complete",
        tools: names.map((name) => ({ name, inputSchema: { type: "object" } })),
      });
    });
    self.on("notifications/cancelled", (message) => {
      cancelled = message.params.requestId;
    });
    self.on("tools/call", (request) => {
      const { name, _meta } = request.params;
      if (name === "echo") self.reply(request, text(JSON.stringify(request.params)));
      if (name === "progress") {
        for (const progress of [1, 2, 3]) {
          self.notify("notifications/progress", {
            progressToken: _meta.progressToken,
            progress,
            total: 3,
            message: `step ${String(progress)}`,
          });
        }
        self.reply(request, text("done"));
      }
      if (name === "late") self.after(300, () => self.fail(request, 0, "stopped by caller"));
      if (name === "die") {
        self.stderr("out of cheese\n");
        self.crash();
      }
      if (name === "odd") self.reply(request, { resultType: "task", task: {} });
      if (name === "cancelled") self.reply(request, text(String(cancelled)));
    });
  }, era);
  return { command, args };
}

for (const era of ["modern", "legacy"] as const) {
  describe(`calls on stdio, ${era}`, () => {
    // Duty: 7.2.1, 7.2.7
    it("hands arguments over and reads the result", async () => {
      await using test = new TestPool({ s: stdioServer(era) });
      await test.connect();
      const { result, durationMs } = await test.pool.callTool(
        "s",
        "echo",
        { a: "é — 读 🎉" },
        { origin: "panel" },
      );
      const params = JSON.parse(firstText(result)) as JsonObject;
      assert.deepEqual(params["arguments"], { a: "é — 读 🎉" });
      assert.ok(durationMs >= 0);
      const logged = test.log.visible.filter((line) => line.includes("tools/call"));
      assert.equal(logged.length, 1);
      assert.match(logged[0] ?? "", /^info tools\/call "echo" \(panel\): done, \d+ ms$/);
    });

    // Duty: 3.6, 14.1.2
    it("delivers all progress, in order, also when it shares a chunk with the result", async () => {
      await using test = new TestPool({ s: stdioServer(era) });
      await test.connect();
      const seen: Progress[] = [];
      await test.pool.callTool(
        "s",
        "progress",
        {},
        { origin: "panel", onProgress: (item) => seen.push(item) },
      );
      assert.deepEqual(
        seen,
        [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${String(progress)}` })),
      );
    });

    // Duty: 3.8, 5.1.7, 14.2.1, 14.2.2
    it("tells the server of a cancelled call, ignores its late answer, and goes on", async () => {
      await using test = new TestPool({ s: stdioServer(era) });
      await test.connect();
      const abort = new AbortController();
      const call = test.pool.callTool("s", "late", {}, { origin: "panel", signal: abort.signal });
      abort.abort(new Error("enough"));
      await assert.rejects(call, { message: "enough" });
      const { result } = await test.pool.callTool("s", "cancelled", {}, { origin: "panel" });
      assert.match(firstText(result), /^\d+$/);
      assert.equal(test.state().kind, "connected");
    });

    // Duty: 14.3.1
    it("times a call out by name and tells the server", async () => {
      await using test = new TestPool({ s: stdioServer(era) });
      await test.connect();
      await assert.rejects(test.pool.callTool("s", "slow", {}, { origin: "panel", timeoutMs: 50 }), {
        code: "timeout",
        message: "“s” did not answer tools/call within 0.05 s.",
      });
      const { result } = await test.pool.callTool("s", "cancelled", {}, { origin: "panel" });
      assert.match(firstText(result), /^\d+$/);
    });

    // Duty: 3.10, 3.13
    it("fails all calls at once when the process dies, shows why, and restarts", async () => {
      await using test = new TestPool({ s: stdioServer(era) });
      await test.connect();
      const waiting = test.pool.callTool("s", "slow", {}, { origin: "panel" });
      const dying = test.pool.callTool("s", "die", {}, { origin: "panel" });
      for (const call of [waiting, dying]) {
        await assert.rejects(call, (error: { code: string; detail: string }) => {
          assert.equal(error.code, "process-exited");
          assert.match(error.detail, /out of cheese/);
          return true;
        });
      }
      const state = await test.until("failed");
      assert.match(state.kind === "failed" ? state.problem.message : "", /SIGKILL/);
      assert.deepEqual(test.pool.calls(), []);
      await test.pool.restart("s");
      const { result } = await test.pool.callTool("s", "echo", {}, { origin: "panel" });
      assert.equal(result.isError, false);
    });
  });
}

describe("calls on stdio", () => {
  // Duty: 1.2.4
  it("makes nothing of an unknown result type", async () => {
    await using test = new TestPool({ s: stdioServer("modern") });
    await test.connect();
    await assert.rejects(test.pool.callTool("s", "odd", {}, { origin: "panel" }), {
      code: "unknown-result-type",
    });
    assert.equal(test.state().kind, "connected");
  });

  it("refuses a call while it is not connected", async () => {
    await using test = new TestPool({ s: stdioServer("modern") });
    await assert.rejects(test.pool.callTool("s", "echo", {}, { origin: "panel" }), { code: "not-connected" });
    await assert.rejects(test.pool.callTool("none", "echo", {}, { origin: "panel" }), {
      code: "no-such-server",
    });
  });

  it("hides and refuses tools that the settings leave out", async () => {
    await using test = new TestPool({ s: { ...stdioServer("modern"), tools: ["echo"] } });
    await test.connect();
    assert.deepEqual(test.tools(), ["echo"]);
    await assert.rejects(test.pool.callTool("s", "slow", {}, { origin: "panel" }), { code: "unknown-tool" });
  });
});

/** A modern HTTP server whose tool calls are a script. */
async function modernHttp(
  onCall: (exchange: ScriptedExchange) => void,
  tools: readonly JsonObject[],
): Promise<ReturnType<typeof startScriptedHttp>> {
  return startScriptedHttp((exchange) => {
    switch (exchange.message.method) {
      case "server/discover":
        exchange.result({
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
        });
        break;
      case "tools/list":
        exchange.result({ resultType: "complete", tools });
        break;
      default:
        onCall(exchange);
    }
  });
}

describe("calls over HTTP, modern", () => {
  const region: JsonObject = {
    name: "deploy",
    inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
  };
  const bad: JsonObject = {
    name: "bad",
    inputSchema: { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } },
  };
  const done = { resultType: "complete", content: [] };

  // Duty: 4.1.6, 4.2.1, 4.2.2, 4.3.1, 7.1.8
  it("mirrors annotated arguments, encodes what is unsafe, and withholds a tool with a bad annotation", async () => {
    const server = await modernHttp((exchange) => exchange.result(done), [region, bad]);
    await using test = new TestPool({ s: { url: server.url } });
    await test.connect();
    await test.pool.callTool("s", "deploy", { region: "Hello, 世界" }, { origin: "panel" });
    assert.equal(server.requests.at(-1)?.headers["mcp-param-region"], "=?base64?SGVsbG8sIOS4lueVjA==?=");
    assert.equal(server.requests.at(-1)?.headers["mcp-name"], "deploy");
    const state = test.state();
    assert.deepEqual(state.kind === "connected" && state.catalog.rejectedTools.map((tool) => tool.name), [
      "bad",
    ]);
    const before = server.requests.length;
    await assert.rejects(test.pool.callTool("s", "bad", {}, { origin: "panel" }), { code: "unknown-tool" });
    assert.equal(server.requests.length, before);
    await server.close();
  });

  // Duty: 4.2.7, 15.6
  it("lists again and calls once more when the mirrored headers do not fit", async () => {
    let calls = 0;
    const server = await modernHttp(
      (exchange) => {
        calls += 1;
        if (calls === 1) exchange.error(400, -32020, "Mcp-Param-Zone is missing");
        else exchange.result(done);
      },
      [region],
    );
    await using test = new TestPool({ s: { url: server.url } });
    await test.connect();
    await test.pool.callTool("s", "deploy", { region: "a" }, { origin: "panel" });
    assert.deepEqual(
      server.messages.slice(2).map((message) => message["method"]),
      ["tools/call", "tools/list", "tools/call"],
    );
    await server.close();
  });

  // Duty: 15.6
  it("gives up after the second refusal of the headers", async () => {
    const server = await modernHttp((exchange) => exchange.error(400, -32020, "no"), [region]);
    await using test = new TestPool({ s: { url: server.url } });
    await test.connect();
    await assert.rejects(test.pool.callTool("s", "deploy", {}, { origin: "panel" }), { rpcCode: -32020 });
    await server.close();
  });

  // Duty: 4.1.9, 4.5.1, 14.2.1
  it("cancels by closing the stream, with no message", async () => {
    const cut = deferred();
    const started = deferred();
    const server = await modernHttp(
      (exchange) => {
        exchange.stream().raw(": working\n\n");
        started.resolve(undefined);
        void exchange.abandoned.then(() => {
          cut.resolve(undefined);
        });
      },
      [region],
    );
    await using test = new TestPool({ s: { url: server.url } });
    await test.connect();
    const abort = new AbortController();
    const call = test.pool.callTool("s", "deploy", {}, { origin: "panel", signal: abort.signal });
    await started.promise;
    abort.abort(new Error("enough"));
    await assert.rejects(call, { message: "enough" });
    await cut.promise;
    assert.ok(!server.messages.some((message) => message["method"] === "notifications/cancelled"));
    await server.close();
  });

  // Duty: 4.4.3, 4.4.4
  it("does not repeat a call whose stream ended without an answer", async () => {
    const server = await modernHttp((exchange) => exchange.stream().end(), [region]);
    await using test = new TestPool({ s: { url: server.url } });
    await test.connect();
    await assert.rejects(test.pool.callTool("s", "deploy", {}, { origin: "panel" }), {
      code: "stream-ended",
    });
    assert.equal(server.messages.filter((message) => message["method"] === "tools/call").length, 1);
    await server.close();
  });

  // Duty: 1.4.13, 15.7
  it("says that the server wants something that is off, and how to allow it", async () => {
    const server = await modernHttp(
      (exchange) => {
        exchange.error(400, -32021, "need sampling", { requiredCapabilities: { sampling: {} } });
      },
      [region],
    );
    await using test = new TestPool({ s: { url: server.url } });
    await test.connect();
    await assert.rejects(test.pool.callTool("s", "deploy", {}, { origin: "panel" }), {
      code: "sampling-off",
      remedy: /“sampling” to “ask”/,
    });
    await server.close();
  });

  // Duty: 1.1.8, 1.1.9
  it("drops a request that a modern server must not send", async () => {
    const server = await modernHttp(
      (exchange) => {
        const stream = exchange.stream();
        stream.event({ jsonrpc: "2.0", id: 900, method: "ping" });
        stream.event({ jsonrpc: "2.0", id: exchange.message.id, result: done });
        stream.end();
      },
      [region],
    );
    await using test = new TestPool({ s: { url: server.url } });
    await test.connect();
    await test.pool.callTool("s", "deploy", {}, { origin: "panel" });
    assert.ok(server.messages.every((message) => message["method"] !== undefined));
    await server.close();
  });
});
