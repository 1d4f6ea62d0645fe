import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { ClientError } from "../../../src/client/clientError.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import { STEADY_MS } from "../../../src/client/restartPolicy.ts";
import type { PoolPorts } from "../../../src/client/serverPool.ts";
import type { PlannedRestart } from "../../../src/client/serverState.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

const PANEL = { origin: "panel" } as const;

/** A modern server whose tools tell its process and end it. */
function server(extra: JsonObject = {}): JsonObject {
  const { command, args } = scriptedStdio((self) => {
    self.on("server/discover", (request) => {
      self.reply(request, {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
      });
    });
    self.on("tools/list", (request) => {
      const tools = ["pid", "die"].map((name) => ({ name, inputSchema: { type: "object" } }));
      self.reply(request, { resultType: "complete", tools });
    });
    self.on("tools/call", (request) => {
      if (request.params.name === "die") self.crash();
      else
        self.reply(request, {
          resultType: "complete",
          content: [{ type: "text", text: String(process.pid) }],
        });
    });
  });
  return { command, args, ...extra };
}

/** A connected server, and the clock that its restarts go by. */
async function start(
  extra: JsonObject = {},
  ports: Partial<PoolPorts> = {},
): Promise<{ test: TestPool; clock: FakeClock }> {
  const clock = new FakeClock();
  const test = new TestPool({ s: server(extra) }, undefined, { clock, ...ports });
  await test.connect();
  return { test, clock };
}

async function readPid(test: TestPool): Promise<string> {
  return firstText((await test.pool.callTool("s", "pid", {}, PANEL)).result);
}

/** Has the process end within a call, which fails for good. */
async function crash(test: TestPool): Promise<PlannedRestart | undefined> {
  await assert.rejects(test.pool.callTool("s", "die", {}, PANEL), { code: "process-exited" });
  const state = await test.until("failed");
  return state.kind === "failed" ? state.restart : undefined;
}

describe("a server that ends unexpectedly", () => {
  // Duty: 3.11, 3.13
  it("is started again after a pause, in a new process, and no call is made again", async () => {
    const { test, clock } = await start();
    await using _ = test;
    const before = await readPid(test);
    const plan = await crash(test);
    assert.deepEqual([plan?.attempt, plan?.of], [1, 5]);
    assert.ok(plan !== undefined && plan.atMs >= 500 && plan.atMs <= 1_000, String(plan?.atMs));
    clock.advance(1_000);
    await test.until("connected");
    assert.notEqual(await readPid(test), before);
    assert.deepEqual(test.pool.calls(), []);
  });

  // Duty: 3.13
  it("is started again five times in a row at most, until it has stood for a minute", async () => {
    const { test, clock } = await start();
    await using _ = test;
    for (const attempt of [1, 2, 3, 4, 5]) {
      assert.equal((await crash(test))?.attempt, attempt);
      clock.advance(16_000);
      await test.until("connected");
    }
    await readPid(test);
    clock.advance(STEADY_MS);
    for (const attempt of [1, 2, 3, 4, 5]) {
      assert.equal((await crash(test))?.attempt, attempt);
      clock.advance(16_000);
      await test.until("connected");
    }
    assert.equal(await crash(test), undefined);
  }).timeout(20_000);

  for (const [what, act, kind] of [
    ["disconnects it", (test: TestPool) => test.pool.disconnect("s"), "stopped"],
    ["restarts it", (test: TestPool) => test.pool.restart("s"), "connected"],
    ["connects it", (test: TestPool) => test.pool.connect("s"), "connected"],
  ] as const) {
    it(`is left alone once a person ${what}`, async () => {
      const { test, clock } = await start();
      await using _ = test;
      assert.ok(await crash(test));
      await act(test);
      const pid = kind === "connected" ? await readPid(test) : undefined;
      clock.advance(120_000);
      assert.equal(test.state().kind, kind);
      if (pid !== undefined) assert.equal(await readPid(test), pid);
    });
  }

  it("stays down where the settings say so, also when they say so later", async () => {
    const { test, clock } = await start({ restart: false });
    await using _ = test;
    assert.equal(await crash(test), undefined);
    test.pool.configure(parseServers({ s: server() }, "user"));
    await test.connect();
    assert.ok(await crash(test));
    test.pool.configure(parseServers({ s: server({ restart: false }) }, "user"));
    const state = test.state();
    assert.equal(state.kind === "failed" ? state.restart : "not failed", undefined);
    clock.advance(120_000);
    assert.equal(test.state().kind, "failed");
  });

  it("is connected with its new definition when that changes before it is started again", async () => {
    const { test } = await start();
    await using _ = test;
    assert.ok(await crash(test));
    test.pool.configure(parseServers({ s: server({ minimumProtocol: "2025-11-25" }) }, "user"));
    await test.until("connected");
  });

  it("asks nobody for anything, and waits for the person where that is needed", async () => {
    const asked: boolean[] = [];
    const mayAsk: boolean[] = [];
    let isAnswered = true;
    const { test, clock } = await start(
      {},
      {
        approve: async (_config, _signal, { interactive }) => {
          asked.push(interactive);
        },
        resolve: async (config, _signal, how) => {
          mayAsk.push(how.mayAsk);
          if (!how.mayAsk && !isAnswered)
            throw new ClientError("unset-variable", { server: "s", placeholder: "${input:x}", hint: "" });
          return { ...config, secrets: [] };
        },
      },
    );
    await using _ = test;
    await crash(test);
    clock.advance(1_000);
    await test.until("connected");
    assert.deepEqual(
      [asked, mayAsk],
      [
        [true, false],
        [true, false],
      ],
    );
    isAnswered = false;
    await crash(test);
    clock.advance(2_000);
    const state = await test.until("blocked");
    assert.match(state.kind === "blocked" ? state.problem.message : "", /\$\{input:x\}/);
    clock.advance(120_000);
    assert.equal(test.state().kind, "blocked");
    await test.connect();
    assert.equal(mayAsk.at(-1), true);
  });

  it("is tried again while it does not come up, and not when its first start fails", async () => {
    let isBroken = false;
    const broken = scriptedStdio((self) => {
      self.exit(3);
    });
    const { test, clock } = await start(
      {},
      {
        resolve: async (config) => ({ ...config, ...(isBroken && { ...broken }), secrets: [] }),
      },
    );
    await using _ = test;
    isBroken = true;
    await crash(test);
    clock.advance(1_000);
    await test.until("connecting");
    const state = await test.until("failed");
    assert.equal(state.kind === "failed" ? state.restart?.attempt : 0, 2);
    await assert.rejects(test.pool.connect("s"), { code: "process-exited" });
    const last = test.state();
    assert.equal(last.kind === "failed" ? last.restart : "not failed", undefined);
  });
});
