import assert from "node:assert/strict";
import { deferred } from "../../../src/base/deferred.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import type { InputResponse } from "../../../src/protocol/mrtr/inputRequired.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { type ScriptedExchange, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

const PANEL = { origin: "panel" } as const;
const SERVER = {
  name: "old",
  version: "1",
  title: "An old one",
  description: "It says what it is",
  websiteUrl: "https://old.example",
};

/** A legacy server with a session, and one tool that tells which session it is called in. */
function answerLegacy(exchange: ScriptedExchange, session: () => string): void {
  if (exchange.method !== "POST") return exchange.answer(405);
  const { method } = exchange.message;
  if (method === "initialize") {
    const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, instructions: "Be kind" };
    return exchange.result({ ...result, serverInfo: SERVER }, { "mcp-session-id": session() });
  }
  if (method === "tools/list")
    return exchange.result({ tools: [{ name: "t", inputSchema: { type: "object" } }] });
  if (method !== "tools/call") return exchange.answer(202);
  const given = exchange.request.headers["mcp-session-id"];
  if (given !== session()) return exchange.answer(404);
  return exchange.result({ content: [{ type: "text", text: given }] });
}

describe("what a legacy server gets", () => {
  // Duty: 1.1.1, 1.1.2, 1.1.4, 1.1.5, 1.1.12, 2.4.1, 2.4.2, 2.4.4, 2.4.5, 2.4.9, 2.4.10, 5.1.1, 5.1.4, 5.2.3
  it("begins with initialize, says that it is ready, and repeats no id even in a new session", async () => {
    let session = "one";
    const server = await startScriptedHttp((exchange) => answerLegacy(exchange, () => session));
    {
      await using test = new TestPool({ s: { url: server.url, protocol: "legacy" } });
      const { server: said, instructions } = await test.connect();
      assert.deepEqual([said, instructions], [SERVER, "Be kind"]);
      session = "two";
      const { result } = await test.pool.callTool("s", "t", {}, PANEL);
      assert.equal(firstText(result), "two");
    }
    const { messages } = server;
    assert.deepEqual(
      messages.slice(0, 3).map(({ method }) => method),
      ["initialize", "notifications/initialized", "tools/list"],
    );
    const [initialize] = messages;
    assert.deepEqual(initialize?.["params"], {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "signalbox-test", version: "1" },
    });
    assert.equal(messages.filter(({ method }) => method === "initialize").length, 2);
    const ids = messages.flatMap((message) => ("id" in message ? [message["id"]] : []));
    assert.ok(ids.every(Number.isInteger));
    assert.equal(new Set(ids).size, ids.length);
    for (const { jsonrpc, id, method } of messages) {
      assert.equal(jsonrpc, "2.0");
      assert.equal(id === undefined, (method as string).startsWith("notifications/"));
    }
    for (const { method, headers } of server.requests) {
      if (method === "POST") assert.equal(headers.accept, "application/json, text/event-stream");
      const mirrored = Object.keys(headers).filter((name) => /^mcp-(method|name|param)/.test(name));
      assert.deepEqual(mirrored, []);
    }
    await server.close();
  });

  // Duty: 2.4.6
  it("is never told that initialize is cancelled", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("*", (message) => self.stderr(`got ${String(message.method)}\n`));
    });
    await using test = new TestPool({ s: { command, args, protocol: "legacy" } });
    const abort = new AbortController();
    const connecting = test.pool.connect("s", abort.signal);
    while (!test.log.lines.some((line) => line.includes("got initialize"))) await new Promise(setImmediate);
    abort.abort();
    await assert.rejects(connecting, { code: "cancelled" });
    await test.until("stopped");
    assert.deepEqual(
      test.log.lines.filter((line) => line.includes("stderr: got")),
      ["info stderr: got initialize"],
    );
  });

  // Duty: 2.2.7
  it("may answer the probe late: it stays what it was found to be", async () => {
    const { command, args } = scriptedStdio((self) => {
      let probe: { id?: string | number } | undefined;
      const capabilities = { tools: {} };
      self.on("server/discover", (message) => {
        probe = message;
      });
      self.on("initialize", (message) => {
        const serverInfo = { name: "x", version: "1" };
        self.reply(message, { protocolVersion: "2025-11-25", capabilities, serverInfo });
      });
      self.on("tools/list", (message) => {
        if (probe !== undefined)
          self.reply(probe, { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities });
        self.reply(message, { tools: [{ name: `t${String(message.id)}`, inputSchema: { type: "object" } }] });
        self.stderr(`${JSON.stringify([probe?.id, message.id])}\n`);
      });
      self.on("tools/call", (message) => self.reply(message, { content: [] }));
    });
    await using test = new TestPool({ s: { command, args } });
    assert.equal((await test.connect()).era, "legacy");
    await test.pool.callTool("s", "t", {}, PANEL);
    const state = test.state();
    assert.equal(state.kind === "connected" && state.negotiation.revision, "2025-11-25");
    assert.ok(test.log.lines.some((line) => line.includes("Dropped an answer to request 1")));
    assert.match(test.tools()[0] ?? "", /^t[2-9]$/);
  });
});

describe("what a legacy server says", () => {
  // Duty: 2.1.13
  it("is shown when it refuses initialize with the revisions that it speaks", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("initialize", (message) => self.fail(message, -32602, "Only 2031-01-01 is spoken here"));
    });
    await using test = new TestPool({ s: { command, args, protocol: "legacy" } });
    await assert.rejects(test.connect(), /Only 2031-01-01 is spoken here/);
  });

  // Duty: 5.5.3, 14.3.1
  it("does not end its own call: the time in which a person answers does not count", async () => {
    const { command, args } = scriptedStdio((self) => {
      let call: { id?: string | number } = {};
      self.on("initialize", (message) => {
        const serverInfo = { name: "x", version: "1" };
        self.reply(message, { protocolVersion: "2025-11-25", capabilities: {}, serverInfo });
      });
      self.on("tools/call", (message) => {
        call = message;
        const requestedSchema = { type: "object", properties: { a: { type: "string" } } };
        const params = { message: "?", requestedSchema };
        self.send({ jsonrpc: "2.0", id: "q", method: "elicitation/create", params });
      });
      self.on("*", (message) => {
        if (message.id === "q")
          self.reply(call, { content: [{ type: "text", text: message.result.action }] });
      });
    });
    const clock = new FakeClock();
    const asked = deferred();
    const answer = deferred<InputResponse>();
    const person = (): Promise<InputResponse> => {
      asked.resolve(undefined);
      return answer.promise;
    };
    await using test = new TestPool({ s: { command, args, protocol: "legacy" } }, person, { clock });
    await test.connect();
    const call = test.pool.callTool("s", "t", {}, { ...PANEL, timeoutMs: 1_000 });
    await asked.promise;
    clock.advance(3_600_000);
    answer.resolve({ action: "accept", content: { a: "b" } satisfies JsonObject });
    assert.equal(firstText((await call).result), "accept");
  });
});
