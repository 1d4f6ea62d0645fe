import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { verdictKey } from "../../../src/client/rememberedVerdict.ts";
import type { PoolPorts } from "../../../src/client/serverPool.ts";
import { type ScriptedServer, scriptedStdio } from "../../support/scriptedStdio.ts";
import { TestPool } from "../../support/testPool.ts";

/** What the scripted server does about each way of beginning. */
type Plan = {
  readonly discover: "modern" | "silent" | "exit" | "disjoint" | number;
  readonly initialize: "legacy" | "silent" | number;
  readonly revision?: string;
};

function server(plan: Plan): JsonObject {
  const { command, args } = scriptedStdio((self: ScriptedServer) => {
    const { discover, initialize, revision } = self.data as {
      discover: string | number;
      initialize: string | number;
      revision?: string;
    };
    self.on("server/discover", (request) => {
      if (typeof discover === "number") self.fail(request, discover, "Not now");
      else if (discover === "exit") self.exit(1);
      else if (discover === "disjoint") self.fail(request, -32022, "No", { supported: ["2031-01-01"] });
      else if (discover === "modern") {
        const supportedVersions = ["2026-07-28"];
        self.reply(request, {
          resultType: "complete",
          supportedVersions,
          capabilities: { tools: {} },
          ttlMs: 0,
          cacheScope: "private",
        });
      }
    });
    self.on("initialize", (request) => {
      if (typeof initialize === "number")
        self.fail(request, initialize, "Only 2026-07-28 here", { supported: ["2026-07-28"] });
      else if (initialize === "legacy") {
        self.reply(request, {
          protocolVersion: revision ?? request.params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        });
      }
    });
    self.on("tools/list", (request) =>
      self.reply(request, { tools: [{ name: "t", inputSchema: { type: "object" } }] }),
    );
  }, plan);
  return { command, args, timeouts: { probe: plan.discover === "silent" ? 2 : 15 } };
}

/**
 * The hedge is for silent servers. A quick one must not meet it when this machine is the slow one,
 * because then the answer to `initialize` may come first and count.
 */
function withoutHedge(plan: Plan): Partial<PoolPorts> {
  if (plan.discover === "silent") return {};
  return {
    resolve: (config) =>
      Promise.resolve({ ...config, timeouts: { ...config.timeouts, hedgeMs: 10_000 }, secrets: [] }),
  };
}

/** What is refused, pinned and remembered; how each kind of server is reached is in `stdioMatrix.test.ts`. */
describe("negotiation on stdio", () => {
  const failures: readonly (readonly [string, Plan, string])[] = [
    [
      "modern without a revision in common",
      { discover: "disjoint", initialize: "legacy" },
      "no-common-revision",
    ],
    [
      "of an unknown legacy revision",
      { discover: -32601, initialize: "legacy", revision: "2099-01-01" },
      "no-common-revision",
    ],
    [
      "older than the oldest accepted revision",
      { discover: -32601, initialize: "legacy", revision: "2024-11-05" },
      "no-common-revision",
    ],
    ["refusing both beginnings", { discover: -32601, initialize: -32603 }, "neither-era"],
    ["answering nothing", { discover: "silent", initialize: "silent" }, "neither-era"],
  ];
  for (const [name, plan, code] of failures) {
    // Duty: 2.4.3
    it(`refuses a server ${name}, by name`, async () => {
      const timeouts = plan.discover === "silent" ? { probe: 0.4, connect: 2 } : {};
      const entry = { ...server(plan), timeouts };
      await using test = new TestPool({ s: entry }, undefined, withoutHedge(plan));
      await assert.rejects(test.connect(), { code });
      const state = await test.until("failed");
      assert.match(state.kind === "failed" ? state.problem.message : "", /“s”/);
    });
  }

  it("says in the log how it was decided, also when it failed", async () => {
    await using test = new TestPool({
      s: server({ discover: -32601, initialize: "legacy" }),
      bad: server({ discover: -32601, initialize: -32603 }),
    });
    const { steps, reason } = await test.connect();
    for (const { what, outcome } of steps) assert.ok(test.log.visible.includes(`info ${what}: ${outcome}`));
    assert.ok(test.log.visible.includes(`info ${reason}`));
    const before = test.log.lines.length;
    await assert.rejects(test.connect("bad"));
    const said = test.log.lines.slice(before).join("\n");
    assert.match(said, /^info server\/discover: .*-32601/m);
    assert.match(said, /^info initialize: /m);
  });

  it("speaks an old revision once the user allowed it", async () => {
    const old = server({ discover: -32601, initialize: "legacy", revision: "2024-11-05" });
    await using test = new TestPool({ s: { ...old, minimumProtocol: "2024-11-05" } });
    assert.equal((await test.connect()).revision, "2024-11-05");
  });

  it("never falls back from a pinned modern revision", async () => {
    await using test = new TestPool({
      s: { ...server({ discover: -32601, initialize: "legacy" }), protocol: "2026-07-28" },
    });
    await assert.rejects(test.connect(), { code: "pinned-revision" });
  });

  for (const [protocol, theirs] of [
    ["2025-06-18", "2025-11-25"],
    ["2025-11-25", "2026-07-28"],
    ["legacy", "2026-07-28"],
  ] as const) {
    it(`says what the server speaks when it refuses to be ${protocol}`, async () => {
      const initialize = theirs === "2026-07-28" ? -32022 : "legacy";
      const entry = { ...server({ discover: "modern", initialize, revision: theirs }), protocol };
      await using test = new TestPool({ s: entry });
      await assert.rejects(test.connect(), {
        code: "pinned-revision",
        message: new RegExp(`“s” is pinned to ${protocol}, but answered: .*it speaks ${theirs}`),
      });
    });
  }

  it("does not probe when a legacy revision is pinned", async () => {
    await using test = new TestPool({
      s: { ...server({ discover: "exit", initialize: "legacy" }), protocol: "2025-06-18" },
    });
    const negotiation = await test.connect();
    assert.equal(negotiation.revision, "2025-06-18");
    assert.equal(negotiation.processes, 1);
    assert.equal(negotiation.how, "pinned");
  });

  // Duty: 2.1.8
  it("remembers a legacy verdict and probes no more", async () => {
    const entry = server({ discover: "exit", initialize: "legacy" });
    await using test = new TestPool({ s: entry });
    assert.equal((await test.connect()).processes, 2);
    await test.pool.disconnect("s");
    const again = await test.connect();
    assert.deepEqual([again.how, again.processes, again.roundTrips], ["remembered", 1, 1]);
  });

  // Duty: 2.1.9
  it("probes again when the remembered legacy verdict is a week old", async () => {
    const entry = server({ discover: "modern", initialize: "legacy" });
    await using test = new TestPool({ s: { ...entry, protocol: "auto" } });
    await test.connect();
    const [key] = [...test.verdicts.keys()];
    assert.ok(key !== undefined);
    await test.pool.disconnect("s");
    test.verdicts.set(key, {
      era: "legacy",
      revision: "2025-11-25",
      atMs: Date.now() - 8 * 24 * 3600 * 1000,
    });
    assert.equal((await test.connect()).revision, "2026-07-28");
  });

  it("refuses to downgrade a server that was modern, until it is told to negotiate again", async () => {
    await using test = new TestPool({ s: server({ discover: -32601, initialize: "legacy" }) });
    await test.connect();
    const [key] = [...test.verdicts.keys()];
    assert.ok(key !== undefined);
    await test.pool.disconnect("s");
    test.verdicts.set(key, { era: "modern", revision: "2026-07-28", atMs: Date.now() });
    await assert.rejects(test.connect(), { code: "was-modern" });
    await test.pool.negotiateAgain("s");
    assert.equal((await test.connect()).revision, "2025-11-25");
  });

  it("does not downgrade a server that was modern and starts slowly, whichever answer comes first", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("server/discover", (request) => {
        self.after(600, () =>
          self.reply(request, {
            resultType: "complete",
            supportedVersions: ["2026-07-28"],
            capabilities: {},
          }),
        );
      });
      self.on("initialize", (request) => {
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "x", version: "1" },
        });
      });
    });
    await using test = new TestPool({ s: { command, args } });
    await test.connect();
    const [key] = [...test.verdicts.keys()];
    assert.ok(key !== undefined);
    await test.pool.disconnect("s");
    test.verdicts.set(key, { era: "modern", revision: "2026-07-28", atMs: Date.now() });
    assert.equal((await test.connect()).revision, "2026-07-28");
  });

  it("does not take a crash or silence for a downgrade of a server that was modern", async () => {
    for (const [discover, code] of [
      ["exit", "process-exited"],
      ["silent", "timeout"],
    ] as const) {
      const entry = server({ discover, initialize: "legacy" });
      await using test = new TestPool({ s: { ...entry, timeouts: { probe: 0.4 } } });
      await test.connect();
      const [key] = [...test.verdicts.keys()];
      assert.ok(key !== undefined);
      await test.pool.disconnect("s");
      test.verdicts.set(key, { era: "modern", revision: "2026-07-28", atMs: Date.now() });
      await assert.rejects(test.connect(), { code });
      assert.equal(test.verdicts.get(key)?.["era"], "modern");
    }
  });

  it("names the exit of a server that is pinned to the modern revision", async () => {
    await using test = new TestPool({
      s: { ...server({ discover: "exit", initialize: "legacy" }), protocol: "2026-07-28" },
    });
    await assert.rejects(test.connect(), { code: "process-exited" });
  });

  it("probes the next time when a server that was legacy dies or is silent", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("initialize", () => self.exit(4));
      self.on("server/discover", (request) =>
        self.reply(request, {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: {},
        }),
      );
    });
    await using test = new TestPool({ s: { command, args } });
    const config = test.pool.get("s")?.config;
    assert.ok(config !== undefined);
    test.verdicts.set(verdictKey(config), { era: "legacy", revision: "2025-11-25", atMs: Date.now() });
    await assert.rejects(test.connect(), { code: "process-exited" });
    assert.equal(test.verdicts.size, 0);
  });

  it("names the exit and the last error output of a command that dies", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.stderr("cannot find the frobnicator\n");
      self.exit(3);
    });
    await using test = new TestPool({ s: { command, args } });
    await assert.rejects(test.connect(), (error: { code: string; message: string; detail: string }) => {
      assert.equal(error.code, "process-exited");
      assert.match(error.message, /3/);
      assert.match(error.detail, /frobnicator/);
      return true;
    });
  });
});
