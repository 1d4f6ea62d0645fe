import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { ClientError } from "../../../src/client/clientError.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { TestPool } from "../../support/testPool.ts";

/** A modern server without tools. */
function plainServer(extra: JsonObject = {}): JsonObject {
  const { command, args } = scriptedStdio((self) => {
    self.on("server/discover", (request) => {
      self.reply(request, {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: {},
      });
    });
  });
  return { command, args, ...extra };
}

describe("several wishes about one server", () => {
  it("goes on connecting for the others when one caller gives up", async () => {
    await using test = new TestPool({ s: plainServer() });
    const abort = new AbortController();
    const patient = test.pool.connect("s");
    const impatient = test.pool.connect("s", abort.signal);
    abort.abort();
    await assert.rejects(impatient, { code: "cancelled" });
    await patient;
    assert.equal(test.state().kind, "connected");
  });

  it("stops connecting when all callers have given up", async () => {
    await using test = new TestPool({ s: plainServer() });
    const aborts = [new AbortController(), new AbortController()];
    const connects = aborts.map((abort) => test.pool.connect("s", abort.signal));
    for (const abort of aborts) abort.abort();
    for (const connect of connects) await assert.rejects(connect, { code: "cancelled" });
    await test.until("stopped");
  });

  it("does not wait for a question that nobody answers when the connection is no longer wanted", async () => {
    const asked = deferred();
    await using test = new TestPool({ s: plainServer() }, undefined, {
      approve: () => {
        asked.resolve(undefined);
        return new Promise(() => undefined);
      },
    });
    const connecting = test.pool.connect("s");
    await asked.promise;
    await test.pool.disconnect("s");
    await assert.rejects(connecting, { code: "cancelled" });
    assert.equal(test.state().kind, "stopped");
  });

  it("connects when that was the last wish", async () => {
    await using test = new TestPool({ s: plainServer() });
    const first = test.pool.connect("s");
    const stop = test.pool.disconnect("s");
    const second = test.pool.connect("s");
    await assert.rejects(first, { code: "cancelled" });
    await stop;
    await second;
    assert.equal(test.state().kind, "connected");
  });

  it("stays stopped when that was the last wish", async () => {
    await using test = new TestPool({ s: plainServer() });
    const first = test.pool.connect("s");
    const firstStop = test.pool.disconnect("s");
    const second = test.pool.connect("s");
    const secondStop = test.pool.disconnect("s");
    await assert.rejects(first, { code: "cancelled" });
    await assert.rejects(second, { code: "cancelled" });
    await Promise.all([firstStop, secondStop]);
    assert.equal(test.state().kind, "stopped");
  });

  it("asks a person who connects a server that is just being refused unasked", async () => {
    const release = deferred();
    const questions: boolean[] = [];
    await using test = new TestPool({}, undefined, {
      approve: async (config, _signal, { interactive }) => {
        questions.push(interactive);
        await release.promise;
        if (!interactive) throw new ClientError("not-approved", { server: config.id });
      },
    });
    test.pool.configure(parseServers({ s: plainServer({ autostart: true }) }, "user"));
    const connecting = test.pool.connect("s");
    release.resolve(undefined);
    await connecting;
    assert.deepEqual(questions, [false, true]);
  });

  it("waits for the list of tools whoever asked first", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("server/discover", (request) => {
        self.reply(request, {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
        });
      });
      self.on("tools/list", (request) => {
        self.after(200, () =>
          self.reply(request, { tools: [{ name: "t", inputSchema: { type: "object" } }] }),
        );
      });
    });
    await using test = new TestPool({ s: { command, args } });
    const first = test.pool.connect("s");
    const isListing = (): boolean => {
      const state = test.state();
      return state.kind === "connecting" && state.step === "listing";
    };
    while (!isListing()) {
      await new Promise<void>((resolve) => {
        const subscription = test.pool.onDidChange(() => {
          subscription.dispose();
          resolve();
        });
      });
    }
    await test.pool.connect("s");
    assert.deepEqual(test.tools(), ["t"]);
    await first;
  });
});

describe("a server whose settings change or whose window closes", () => {
  it("is not started again by a restart that began before", async () => {
    await using test = new TestPool({ s: plainServer() });
    await test.connect();
    const restarting = test.pool.restart("s");
    test.pool.configure(parseServers({}, "user"));
    await assert.rejects(restarting);
    assert.equal(test.pool.get("s"), undefined);
  });

  it("is restarted with its new settings by a restart that began before", async () => {
    await using test = new TestPool({ s: plainServer() });
    await test.connect();
    const restarting = test.pool.restart("s");
    test.pool.configure(parseServers({ s: plainServer({ env: { A: "1" } }) }, "user"));
    await restarting;
    assert.equal(test.state().kind, "connected");
  });

  it("leaves nothing running when the pool closes during a restart", async () => {
    const test = new TestPool({ s: plainServer() });
    await test.connect();
    const restarting = test.pool.restart("s");
    await Promise.all([test.pool.close(), assert.rejects(restarting)]);
  });

  it("leaves nothing running when the pool is disposed while it connects", async () => {
    const test = new TestPool({ s: plainServer() });
    const connecting = test.pool.connect("s");
    await test.until("connecting");
    test.pool.dispose();
    await assert.rejects(connecting, { code: "cancelled" });
  });

  it("is waited for by close, also when it was removed from the settings just before", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.ignoreEnd();
      self.on("server/discover", (request) =>
        self.reply(request, {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: {},
        }),
      );
    });
    const test = new TestPool({ s: { command, args } });
    await test.connect();
    test.pool.configure(parseServers({}, "user"));
    await test.pool.close();
    const pid = Number(/Started process (\d+)/.exec(test.log.lines.join("\n"))?.[1]);
    assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  });
});
