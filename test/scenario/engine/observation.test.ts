import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

/** A server whose tool answers the `_meta` of the call and every level that it was asked for. */
function observed(era: "modern" | "legacy", capabilities: JsonObject = { logging: {} }): JsonObject {
  const { command, args } = scriptedStdio(
    (self) => {
      const { era: kind, capabilities: more } = self.data;
      const modern = kind === "modern";
      const all = { tools: {}, ...more };
      const levels: string[] = [];
      self.on("server/discover", (request) => {
        if (!modern) return self.fail(request, -32601);
        self.reply(request, {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: all,
        });
      });
      self.on("initialize", (request) =>
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: all,
          serverInfo: { name: "o", version: "1" },
        }),
      );
      self.on("logging/setLevel", (request) => {
        levels.push(request.params.level);
        self.reply(request, {});
      });
      self.on("tools/list", (request) =>
        self.reply(request, { ...(modern && { resultType: "complete" }), tools: [] }),
      );
      self.on("tools/call", (request) => {
        self.notify("notifications/message", { level: "critical", logger: "db", data: { lost: 3 } });
        const text = JSON.stringify({ meta: request.params._meta ?? {}, levels, pid: process.pid });
        self.reply(request, {
          ...(modern && { resultType: "complete" }),
          content: [{ type: "text", text }],
        });
      });
    },
    { era, capabilities },
  );
  return { command, args };
}

interface Seen {
  readonly meta: Readonly<Record<string, string>>;
  readonly levels: readonly string[];
  readonly pid: number;
}

async function look(test: TestPool, trace?: JsonObject): Promise<Seen> {
  const options = { origin: "api" as const, ...(trace && { trace }) };
  return JSON.parse(firstText((await test.pool.callTool("s", "t", {}, options)).result)) as Seen;
}

function set(test: TestPool, entry: JsonObject): void {
  test.pool.configure(parseServers({ s: entry }, "user"));
}

describe("the log of a server", () => {
  // Duty: 11.3.1, 1.4.3
  it("is asked for with each request of a modern server, as the settings say, without a new connection", async () => {
    const entry = observed("modern");
    await using test = new TestPool({ s: entry });
    await test.connect();
    const before = await look(test);
    assert.equal(LOG_LEVEL in before.meta, false, "off by default");
    set(test, { ...entry, logLevel: "notice" });
    const asked = await look(test);
    assert.equal(asked.meta[LOG_LEVEL], "notice");
    set(test, entry);
    const after = await look(test);
    assert.equal(LOG_LEVEL in after.meta, false);
    assert.deepEqual([asked.pid, after.pid], [before.pid, before.pid]);
    assert.deepEqual(after.levels, []);
  });

  // Duty: 11.3.2
  it("is asked for once from a legacy server, and again for each change, without a new connection", async () => {
    const entry = observed("legacy");
    await using test = new TestPool({ s: { ...entry, logLevel: "debug" } });
    await test.connect();
    const before = await look(test);
    assert.deepEqual(before.levels, ["debug"]);
    set(test, { ...entry, logLevel: "error" });
    set(test, { ...entry, logLevel: "error" });
    assert.deepEqual((await look(test)).levels, ["debug", "error"]);
    set(test, entry);
    const after = await look(test);
    assert.deepEqual(after.levels, ["debug", "error", "emergency"], "there is nothing quieter to ask for");
    assert.equal(LOG_LEVEL in after.meta, false);
    assert.equal(after.pid, before.pid);
  });

  // Duty: 11.0.1, 11.3.2
  it("is not asked for where the settings do not say so, or the server has none", async () => {
    for (const [entry, capabilities] of [
      [{}, { logging: {} }],
      [{ logLevel: "debug" }, {}],
    ] as const) {
      await using test = new TestPool({ s: { ...observed("legacy", capabilities), ...entry } });
      await test.connect();
      assert.deepEqual((await look(test)).levels, []);
    }
  });

  // Duty: 11.3.3
  it("is written with its level, the name of the logger and its data, whoever asked for it", async () => {
    for (const era of ["modern", "legacy"] as const) {
      await using test = new TestPool({ s: observed(era) });
      await test.connect();
      await look(test);
      assert.ok(test.log.lines.includes('error [server] db: {"lost":3}'));
    }
  });
});

describe("the trace of a call", () => {
  for (const era of ["modern", "legacy"] as const) {
    // Duty: 14.4.1
    it(`is told to a ${era} server where the settings say so, and changes with each call`, async () => {
      const entry = observed(era);
      const trace = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, baggage: "k=v" };
      await using test = new TestPool({ s: entry });
      await test.connect();
      const off = await look(test, trace);
      assert.deepEqual([off.meta["traceparent"], off.meta["baggage"]], [undefined, undefined]);
      set(test, { ...entry, trace: true });
      const first = await look(test);
      const second = await look(test);
      assert.match(first.meta["traceparent"] ?? "", /^00-[\da-f]{32}-[\da-f]{16}-01$/);
      assert.notEqual(first.meta["traceparent"]?.slice(3, 35), second.meta["traceparent"]?.slice(3, 35));
      assert.ok(test.log.visible.some((line) => line.includes(first.meta["traceparent"] ?? "")));
      assert.equal("baggage" in first.meta, false);
      const within = await look(test, trace);
      assert.match(within.meta["traceparent"] ?? "", new RegExp(`^00-${"a".repeat(32)}-`));
      assert.equal(within.meta["baggage"], "k=v");
      assert.equal(within.pid, off.pid, "without a new connection");
    });
  }
});
