import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { type ScriptedExchange, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

const PANEL = { origin: "panel" } as const;

describe("a server that writes to stdout what is no message", () => {
  // Duty: 3.5
  it("is connected, its tools are there, and each line is in its log alone", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.raw("demo ready on stdio\n");
      self.on("initialize", (request) => {
        const serverInfo = { name: "demo", version: "1" };
        self.reply(request, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
        self.raw("[demo] listing 3 items\n");
      });
      self.on("tools/list", (request) => {
        const description = "é — 读 🎉";
        const tools = ["a", "b", "c"].map((name) => ({ name, description, inputSchema: { type: "object" } }));
        const answer = JSON.stringify({ jsonrpc: "2.0", id: request.id, result: { tools } });
        // One byte at a time; the line end is cut in two as well.
        void self.trickle(`${answer}\r\n\n`);
      });
      self.on("tools/call", (request) => self.reply(request, { content: [{ type: "text", text: "done" }] }));
    });
    await using test = new TestPool({ s: { command, args, protocol: "legacy" } });
    await test.connect();
    assert.deepEqual(test.tools(), ["a", "b", "c"]);
    const state = test.state();
    assert.equal(state.kind === "connected" && state.catalog.tools[2]?.description, "é — 读 🎉");
    assert.equal(firstText((await test.pool.callTool("s", "a", {}, PANEL)).result), "done");
    assert.deepEqual(
      test.log.lines.filter((line) => line.startsWith("warn")),
      [
        "warn Skipped a line on stdout that is no message: demo ready on stdio",
        "warn Skipped a line on stdout that is no message: [demo] listing 3 items",
      ],
    );
  });
});

describe("ids of answers that are spelled in another way", () => {
  it("belong to the request with that number and to no other", async () => {
    const { command, args } = scriptedStdio((self) => {
      let first: unknown;
      self.on("initialize", ({ id }) => {
        const result =
          '{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"n","version":"1"}}';
        self.raw(`{"jsonrpc":"2.0","id":${String(id)}.0,"result":${result}}\n`);
      });
      const answer = (id: unknown, text: string): void =>
        self.send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
      self.on("tools/call", ({ id, params }) => {
        if (params.name === "first") first = id;
        else {
          // Neither of these is a decimal form of a pending id.
          for (const odd of [`0${String(id)}`, ` ${String(id)}`, `${String(id)}.0`, "", true])
            answer(odd, "nobody's");
          answer(String(id), "second");
          answer(String(first), "first");
        }
      });
    });
    await using test = new TestPool({ s: { command, args, protocol: "legacy" } });
    await test.connect();
    const calls = ["first", "second"].map((name) => test.pool.callTool("s", name, {}, PANEL));
    assert.deepEqual(
      (await Promise.all(calls)).map(({ result }) => firstText(result)),
      ["first", "second"],
    );
    assert.equal(test.log.visible.filter((line) => line.includes("came with its id as a text")).length, 2);
  });
});

/** Notifications that no client knows, and known ones that are not what they should be. */
const NOTIFICATIONS: readonly JsonObject[] = [
  { method: "window/logMessage", params: { type: 3, message: "hi" } },
  { method: "notifications/message", params: { level: "notice", data: { a: 1 } } },
  { method: "vendor/event" },
  { method: "notifications/message" },
  { method: "notifications/message", params: { level: ["x"], logger: {}, data: null } },
  { method: "notifications/progress" },
  { method: "notifications/progress", params: { progressToken: {}, progress: "half" } },
  { method: "notifications/progress", params: { progressToken: 999, progress: 1 } },
  { method: "notifications/cancelled" },
  { method: "notifications/cancelled", params: { requestId: { a: 1 }, reason: 7 } },
  { method: "notifications/resources/updated", params: { uri: 5 } },
  { method: "notifications/tools/list_changed", params: { cursor: "x" } },
  { method: "notifications/elicitation/complete", params: {} },
  { method: "notifications/tasks/status", params: { taskId: [], status: "odd" } },
  { method: "notifications/subscriptions/acknowledged", params: {} },
  { method: "" },
];

for (const era of ["modern", "legacy"] as const) {
  describe(`notifications that a ${era} server should not send`, () => {
    // Duty: 1.1.5, 15.2
    it("are never answered and disturb nothing, before the handshake and after it", async () => {
      const { command, args } = scriptedStdio(
        (self) => {
          const { notifications, isModern } = self.data as {
            readonly notifications: readonly object[];
            readonly isModern: boolean;
          };
          const received: unknown[] = [];
          const chatter = (): void => {
            for (const notification of notifications) self.send({ jsonrpc: "2.0", ...notification });
          };
          chatter();
          self.on("*", (message) => {
            const { method } = message;
            received.push(method ?? message);
            chatter();
            const serverInfo = { name: "n", version: "1" };
            const capabilities = { tools: {}, logging: {} };
            if (method === "server/discover") {
              const supportedVersions = ["2026-07-28"];
              if (isModern) self.reply(message, { resultType: "complete", supportedVersions, capabilities });
              else self.fail(message, -32601);
            }
            if (method === "initialize")
              self.reply(message, { protocolVersion: "2025-11-25", capabilities, serverInfo });
            if (method === "tools/list") self.reply(message, { resultType: "complete", tools: [] });
            if (method === "tools/call") {
              const text = JSON.stringify(received);
              self.reply(message, { resultType: "complete", content: [{ type: "text", text }] });
            }
          });
        },
        { notifications: NOTIFICATIONS, isModern: era === "modern" },
      );
      await using test = new TestPool({ s: { command, args } });
      await test.connect();
      await test.pool.callTool("s", "t", {}, PANEL);
      const { result } = await test.pool.callTool("s", "t", {}, PANEL);
      const received = (JSON.parse(firstText(result)) as unknown[]).filter((item) => item !== "tools/list");
      assert.deepEqual(
        received,
        era === "modern"
          ? ["server/discover", "tools/call", "tools/call"]
          : ["server/discover", "initialize", "notifications/initialized", "tools/call", "tools/call"],
      );
      assert.ok(test.log.lines.includes('info [server] {"a":1}'));
      assert.deepEqual(
        test.log.lines.filter((line) => line.startsWith("error")),
        [],
      );
    });
  });
}

describe("an answer that comes after its call was cancelled", () => {
  // Duty: 3.8, 14.2.2
  it("is dropped whatever it says, and the same process goes on", async () => {
    const { command, args } = scriptedStdio((self) => {
      let slow: { readonly id: string | number; readonly token: unknown } | undefined;
      self.on("initialize", (request) => {
        const serverInfo = { name: "n", version: "1" };
        self.reply(request, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
      });
      self.on("tools/list", (request) => self.reply(request, { tools: [] }));
      self.on("notifications/cancelled", ({ params }) => {
        if (slow === undefined) return;
        const { id, token } = slow;
        const error = { code: 0, message: "stopped by caller" };
        if (params.requestId === id) self.send({ jsonrpc: "2.0", id, error });
        self.notify("notifications/progress", { progressToken: token, progress: 50 });
        self.send({ jsonrpc: "2.0", id, result: { content: [] } });
        self.send({ jsonrpc: "2.0", id: 4711, result: { content: [] } });
      });
      self.on("tools/call", (request) => {
        const { name, _meta } = request.params;
        if (name === "slow") {
          slow = { id: request.id ?? "", token: _meta.progressToken };
          self.notify("notifications/progress", { progressToken: _meta.progressToken, progress: 1 });
        } else self.reply(request, { content: [{ type: "text", text: String(process.pid) }] });
      });
    });
    await using test = new TestPool({ s: { command, args, protocol: "legacy" } });
    await test.connect();
    const pid = firstText((await test.pool.callTool("s", "fast", {}, PANEL)).result);
    const abort = new AbortController();
    const heard: number[] = [];
    const call = test.pool.callTool(
      "s",
      "slow",
      {},
      {
        ...PANEL,
        signal: abort.signal,
        onProgress: ({ progress }) => {
          heard.push(progress);
          abort.abort(new Error("enough"));
        },
      },
    );
    await assert.rejects(call, { message: "enough" });
    assert.equal(firstText((await test.pool.callTool("s", "fast", {}, PANEL)).result), pid);
    assert.deepEqual(heard, [1]);
    assert.equal(test.log.lines.filter((line) => line.startsWith("debug Dropped an answer")).length, 3);
    assert.equal(test.state().kind, "connected");
  });
});

describe("a list whose cursor never advances", () => {
  // Duty: 8.4.6
  it("gives each tool once, with a warning", async () => {
    const { command, args } = scriptedStdio((self) => {
      let lists = 0;
      self.on("initialize", (request) => {
        const serverInfo = { name: "n", version: "1" };
        self.reply(request, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
      });
      self.on("tools/list", (request) => {
        lists += 1;
        const tools = Array.from({ length: 8 }, (_, n) => ({
          name: `t${String(n)}`,
          inputSchema: { type: "object" },
        }));
        self.reply(request, { tools, nextCursor: "cGFnZTI=" });
      });
      self.on("tools/call", (request) => {
        self.reply(request, { content: [{ type: "text", text: String(lists) }] });
      });
    });
    await using test = new TestPool({ s: { command, args, protocol: "legacy" } });
    await test.connect();
    assert.deepEqual(
      test.tools(),
      [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `t${String(n)}`),
    );
    const state = test.state();
    const warnings = state.kind === "connected" ? state.catalog.warnings : [];
    assert.match(warnings[0] ?? "", /repeats the cursor/);
    assert.equal(firstText((await test.pool.callTool("s", "t0", {}, PANEL)).result), "2");
  });
});

describe("a server that never answers", () => {
  for (const protocol of ["auto", "legacy", "2026-07-28"] as const) {
    it(`is reported with what it wrote to its error output, ${protocol}`, async () => {
      const { command, args } = scriptedStdio((self) => {
        self.stderr("No database at db.test:5432, trying again…\n");
      });
      const timeouts = { probe: 0.5, connect: 1 };
      await using test = new TestPool({ s: { command, args, protocol, timeouts } });
      await assert.rejects(test.connect(), {
        code: protocol === "auto" ? "neither-era" : "timeout",
        detail: /No database at db\.test:5432/,
      });
      const state = test.state();
      assert.match((state.kind === "failed" && state.problem.message) || "", /“s”/);
    });
  }
});

/** A legacy server over HTTP that acknowledges in its own way and answers calls as the test says. */
function legacyHttp(
  acknowledge: (exchange: ScriptedExchange) => void,
  onCall: (exchange: ScriptedExchange) => void,
): ReturnType<typeof startScriptedHttp> {
  return startScriptedHttp((exchange) => {
    if (exchange.method !== "POST") return exchange.answer(405);
    switch (exchange.message.method) {
      case "initialize": {
        const serverInfo = { name: "n", version: "1" };
        const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
        return exchange.result(result);
      }
      case "tools/list":
        return exchange.result({ tools: [{ name: "t", inputSchema: { type: "object" } }] });
      case "tools/call":
        return onCall(exchange);
      default:
        return acknowledge(exchange);
    }
  });
}

describe("an odd acknowledgement over HTTP", () => {
  const rows: readonly (readonly [string, (exchange: ScriptedExchange) => void])[] = [
    ["200 and nothing", (exchange) => exchange.answer(200)],
    ["200 and null", (exchange) => exchange.json(200, null)],
    [
      "200 and text",
      (exchange) => exchange.answer(200, "Accepted", { "content-type": "text/plain; charset=utf-8" }),
    ],
    ["202 and empty JSON", (exchange) => exchange.answer(202, "", { "content-type": "application/json" })],
    ["204", (exchange) => exchange.answer(204)],
  ];
  for (const [name, answer] of rows) {
    // Duty: 5.1.2
    it(`does for a notification, and fails one request alone: ${name}`, async () => {
      let isOdd = true;
      const server = await legacyHttp(answer, (exchange) => {
        if (isOdd) answer(exchange);
        else exchange.result({ content: [{ type: "text", text: "done" }] });
      });
      {
        await using test = new TestPool({ s: { url: server.url, protocol: "legacy" } });
        await test.connect();
        assert.deepEqual(test.tools(), ["t"]);
        await assert.rejects(test.pool.callTool("s", "t", {}, PANEL), {
          code: "not-json-rpc",
          message: /“s”.*tools\/call/,
        });
        isOdd = false;
        assert.equal(firstText((await test.pool.callTool("s", "t", {}, PANEL)).result), "done");
      }
      await server.close();
    });
  }
});
