import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { ClientError } from "../../../src/client/clientError.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import { type ScriptedMessage, scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

/** A modern server whose one tool says its process id. */
function pidServer(extra: JsonObject = {}): JsonObject {
  const { command, args } = scriptedStdio((self) => {
    self.on("server/discover", (request) => {
      self.reply(request, {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
      });
    });
    self.on("tools/list", (request) => self.reply(request, { resultType: "complete", tools: [] }));
    self.on("tools/call", (request) => {
      self.reply(request, { resultType: "complete", content: [{ type: "text", text: String(process.pid) }] });
    });
  });
  return { command, args, ...extra };
}

async function pid(test: TestPool, id = "s"): Promise<number> {
  const { result } = await test.pool.callTool(id, "t", {}, { origin: "panel" });
  return Number(firstText(result));
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

describe("the server pool", () => {
  it("starts nothing before it is asked, unless the settings say so", async () => {
    const server = pidServer();
    const auto = pidServer({ autostart: true });
    await using test = new TestPool({ s: server, auto });
    await test.until("connected", "auto");
    assert.equal(test.state().kind, "stopped");
    test.pool.configure(parseServers({ s: { ...server, autostart: true }, auto }, "user"));
    await test.until("connected");
  });

  it("leaves unchanged servers alone when the settings change, and restarts changed ones that ran", async () => {
    const kept = pidServer();
    const changed = pidServer();
    await using test = new TestPool({ kept, changed, gone: pidServer(), idle: pidServer() });
    for (const id of ["kept", "changed", "gone"]) await test.connect(id);
    const before = {
      kept: await pid(test, "kept"),
      changed: await pid(test, "changed"),
      gone: await pid(test, "gone"),
    };
    const next = { kept, changed: { ...changed, env: { A: "1" } }, idle: pidServer({ env: { A: "1" } }) };
    test.pool.configure(parseServers(next, "user"));
    await test.until("connected", "changed");
    assert.equal(await pid(test, "kept"), before.kept);
    assert.notEqual(await pid(test, "changed"), before.changed);
    assert.equal(isAlive(before.changed), false);
    assert.equal(test.state("idle").kind, "stopped");
    assert.equal(test.pool.get("gone"), undefined);
    assert.deepEqual(
      test.pool.servers().map(({ id }) => id),
      ["kept", "changed", "idle"],
    );
  });

  it("ends no call when the settings change only what is shown, what chat sees and what starts by itself", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("server/discover", (request) => {
        const capabilities = { tools: {} };
        self.reply(request, { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities });
      });
      self.on("tools/list", (request) => {
        const tools = ["wait", "other"].map((name) => ({ name, inputSchema: { type: "object" } }));
        self.reply(request, { resultType: "complete", tools });
      });
      let waiting: ScriptedMessage | undefined;
      self.on("tools/call", (request) => {
        if (request.params.name === "wait") waiting = request;
        else {
          for (const one of [waiting, request])
            if (one !== undefined) self.reply(one, { resultType: "complete", content: [] });
        }
      });
    });
    const server = { command, args };
    await using test = new TestPool({ s: server });
    await test.connect();
    const call = test.pool.callTool("s", "wait", {}, { origin: "panel" });
    const change = (extra: JsonObject): void => {
      test.pool.configure(parseServers({ s: { ...server, ...extra } }, "user"));
    };
    change({ chat: false, autostart: true });
    assert.deepEqual([test.state().kind, test.pool.get("s")?.config?.chat], ["connected", false]);
    change({ tools: ["wait"] });
    assert.deepEqual(test.tools(), ["wait"]);
    await assert.rejects(test.pool.callTool("s", "other", {}, { origin: "panel" }), { code: "unknown-tool" });
    change({});
    assert.deepEqual(test.tools(), ["wait", "other"]);
    await test.pool.callTool("s", "other", {}, { origin: "panel" });
    await call;
  });

  it("joins connects, and leaves no process after disconnect", async () => {
    await using test = new TestPool({ s: pidServer() });
    await Promise.all([test.pool.connect("s"), test.pool.connect("s"), test.pool.connect("s")]);
    const id = await pid(test);
    await test.pool.disconnect("s");
    assert.equal(isAlive(id), false);
    assert.equal(test.state().kind, "stopped");
  });

  it("stops connecting when it is told to", async () => {
    const { command, args } = scriptedStdio(() => undefined);
    await using test = new TestPool({ s: { command, args } });
    const connecting = test.pool.connect("s");
    await test.until("connecting");
    await test.pool.disconnect("s");
    await assert.rejects(connecting, { code: "cancelled" });
    assert.equal(test.state().kind, "stopped");
  });

  it("stops connecting when the caller gives up", async () => {
    const { command, args } = scriptedStdio(() => undefined);
    await using test = new TestPool({ s: { command, args } });
    const abort = new AbortController();
    const connecting = test.pool.connect("s", abort.signal);
    abort.abort();
    await assert.rejects(connecting, { code: "cancelled" });
  });

  it("gives up after the connect limit", async () => {
    const { command, args } = scriptedStdio(() => undefined);
    await using test = new TestPool({ s: { command, args, timeouts: { connect: 0.3 } } });
    await assert.rejects(test.pool.connect("s"), /0\.3 s/);
    assert.equal(test.state().kind, "failed");
  });

  it("starts and sends nothing without approval or with an unset variable, and says which", async () => {
    for (const code of ["not-approved", "untrusted"] as const) {
      await using test = new TestPool({ s: pidServer() }, undefined, {
        approve: (config) => Promise.reject(new ClientError(code, { server: config.id })),
      });
      await assert.rejects(test.pool.connect("s"), { code });
      assert.equal(test.state().kind, "blocked");
    }
    await using test = new TestPool({ s: pidServer() }, undefined, {
      resolve: (config) =>
        Promise.reject(
          new ClientError("unset-variable", { server: config.id, placeholder: "${env:X}", hint: "Set it." }),
        ),
    });
    await assert.rejects(test.pool.connect("s"), { code: "unset-variable", message: /\$\{env:X\}/ });
    assert.equal(test.state().kind, "blocked");
  });

  it("keeps a broken entry beside the good ones, with its problem", async () => {
    await using test = new TestPool({ good: pidServer(), bad: { type: "stdio", args: ["x"] } });
    await test.connect("good");
    const entry = test.pool.get("bad");
    assert.equal(entry?.config, undefined);
    assert.equal(entry?.state.kind, "blocked");
    await assert.rejects(test.pool.connect("bad"), { code: "invalid-config" });
  });

  it("refuses a disabled server", async () => {
    await using test = new TestPool({ s: pidServer({ enabled: false }) });
    assert.equal(test.state().kind, "disabled");
    await assert.rejects(test.pool.connect("s"), { code: "disabled" });
  });

  it("counts the calls under way", async () => {
    await using test = new TestPool({ s: pidServer() });
    await test.connect();
    const sizes: number[] = [];
    const subscription = test.pool.onDidChangeCalls(() => sizes.push(test.pool.calls().length));
    await pid(test);
    subscription.dispose();
    assert.deepEqual(sizes, [1, 0]);
  });
});
