import assert from "node:assert/strict";
import { setTimeout as nextPause } from "node:timers/promises";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { EngineError } from "../../../src/protocol/engineError.ts";
import { DEFAULT_LIMITS } from "../../../src/protocol/limits.ts";
import { createStdioTransport } from "../../../src/protocol/transports/stdio/stdioTransport.ts";
import type { StdioTransport } from "../../../src/protocol/transports/transport.ts";
import { CollectingListener, CollectingLog } from "../../support/collectingListener.ts";
import { scriptedStdio, type ScriptedServer } from "../../support/scriptedStdio.ts";
import { engineError, never, request } from "../../support/transportHelpers.ts";

const ENV = { PATH: process.env["PATH"] ?? "" };

function checked(error: unknown): EngineError {
  assert.ok(error instanceof EngineError, String(error));
  return error;
}

describe("stdio transport, starting", () => {
  async function fail(change: {
    command?: string;
    args?: string[];
    cwd?: string;
    env?: Record<string, string>;
  }): Promise<EngineError> {
    const transport = createStdioTransport({
      serverName: "demo",
      command: process.execPath,
      args: [],
      env: ENV,
      limits: DEFAULT_LIMITS,
      log: new CollectingLog(),
      ...change,
    });
    const listener = new CollectingListener();
    try {
      await transport.start(listener);
      return checked(await listener.end);
    } catch (error) {
      return checked(error);
    } finally {
      await transport.close();
    }
  }

  it("names a command that is missing and the PATH that was searched", async () => {
    const error = await fail({ command: "no-such-command", env: { PATH: "/usr/bin:/bin" } });
    assert.equal(error.code, "command-not-found");
    assert.match(error.message, /“no-such-command” of “demo”.*\/usr\/bin:\/bin/);
  });

  it("names a working directory that is missing", async () => {
    const error = await fail({ cwd: "/no/such/directory" });
    assert.equal(error.code, "spawn-failed");
    assert.match(error.message, /\/no\/such\/directory/);
  });

  it("says that a file is not executable, or what should run it is missing", async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "signalbox-"));
    try {
      await writeFile(path.join(directory, "demo"), "#!/bin/sh\n", { mode: 0o644 });
      const error = await fail({ command: "demo", env: { PATH: directory } });
      assert.equal(error.code, "spawn-failed");
      assert.match(error.message, /not executable/);
      await writeFile(path.join(directory, "lost"), "#!/no/such/interpreter\n", { mode: 0o755 });
      const lost = await fail({ command: "lost", env: { PATH: directory } });
      assert.equal(lost.code, "spawn-failed");
      assert.match(lost.message, /interpreter/);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it("shows exit code and last words when a launcher does not find its runtime", async () => {
    const error = await fail({ command: "/bin/sh", args: ["-c", "exec /usr/bin/env demo-runtime"] });
    assert.equal(error.code, "process-exited");
    assert.equal(error.args["exit"], "exit code 127");
    assert.match(error.detail ?? "", /demo-runtime/);
  });

  it("hands over arguments and environment exactly", async () => {
    const { command, args } = scriptedStdio((server) => {
      server.on("m", (message) => server.reply(message, { args: process.argv.slice(1), env: process.env }));
    });
    const odd = ["a b & c", "%PATH%", "^", '"', "$HOME", "é"];
    const transport = createStdioTransport({
      serverName: "demo",
      command,
      args: [...args, "--", ...odd],
      env: { ONLY: "this" },
      limits: DEFAULT_LIMITS,
      log: new CollectingLog(),
    });
    await transport.start(new CollectingListener());
    const { response } = await transport.exchange(request(1), { signal: never });
    assert.deepEqual("result" in response && response.result, { args: odd, env: { ONLY: "this" } });
    await transport.close();
  });
});

describe("stdio transport, ending", () => {
  async function start(
    script: (server: ScriptedServer) => void,
  ): Promise<{ transport: StdioTransport; listener: CollectingListener; pid: number }> {
    const { command, args } = scriptedStdio(script);
    const transport = createStdioTransport({
      serverName: "demo",
      command,
      args,
      env: ENV,
      limits: DEFAULT_LIMITS,
      log: new CollectingLog(),
    });
    const listener = new CollectingListener();
    await transport.start(listener);
    await listener.count("notifications", 1);
    return { transport, listener, pid: Number(listener.notifications[0]?.message.params?.["pid"]) };
  }

  function isRunning(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  }

  /** A process that was killed is gone when the system has taken it away, which tells nobody: looked for, at most 2 s. */
  async function isGone(pid: number): Promise<boolean> {
    const end = Date.now() + 2_000;
    while (isRunning(pid) && Date.now() < end) await nextPause(10);
    return !isRunning(pid);
  }

  it("rejects what is pending, reports nothing, and leaves no process", async () => {
    const { transport, listener, pid } = await start((server) =>
      server.notify("ready", { pid: process.pid }),
    );
    const pending = transport.exchange(request(1), { signal: never });
    const closing = transport.close();
    await assert.rejects(pending, engineError("closed"));
    await closing;
    assert.equal(isRunning(pid), false);
    assert.deepEqual(listener.closed, []);
    await assert.rejects(transport.exchange(request(2), { signal: never }), engineError("closed"));
  });

  // Duty: 3.9
  it("terminates a server that ignores the end of its input", async () => {
    const { transport, pid } = await start((server) => {
      server.ignoreEnd();
      server.notify("ready", { pid: process.pid });
    });
    const started = Date.now();
    await transport.close();
    assert.equal(isRunning(pid), false);
    const took = Date.now() - started;
    assert.ok(took >= 1_900 && took < 3_900, `${took} ms`);
  }).timeout(10_000);

  // Duty: 3.9
  it("kills a server that ignores everything, at once when closed twice", async () => {
    const { transport, pid } = await start((server) => {
      server.ignoreEnd();
      server.ignoreTerm();
      server.notify("ready", { pid: process.pid });
    });
    const started = Date.now();
    void transport.close();
    await transport.close();
    assert.equal(isRunning(pid), false);
    assert.ok(Date.now() - started < 1_500);
  });

  // Duty: 3.18
  it("ends what the server started, also when the server itself crashes", async () => {
    const script = (server: ScriptedServer): void => {
      server.on("crash", () => server.crash("SIGKILL"));
      void import("node:child_process").then(({ spawn }) => {
        const child = spawn(process.execPath, ["--eval", "setInterval(() => undefined, 1000)"], {
          stdio: "inherit",
        });
        server.notify("ready", { pid: child.pid });
      });
    };
    const closed = await start(script);
    void closed.transport.close();
    await closed.transport.close();
    assert.ok(await isGone(closed.pid));

    const crashed = await start(script);
    await assert.rejects(
      crashed.transport.exchange(request(1, "crash"), { signal: never }),
      engineError("process-exited"),
    );
    await crashed.transport.close();
    assert.ok(await isGone(crashed.pid));
  }).timeout(10_000);

  it("stops a process that is only being started", async () => {
    const { command, args } = scriptedStdio(() => undefined);
    const transport = createStdioTransport({
      serverName: "demo",
      command,
      args,
      env: ENV,
      limits: DEFAULT_LIMITS,
      log: new CollectingLog(),
    });
    const starting = transport.start(new CollectingListener());
    const closing = transport.close();
    await assert.rejects(starting, engineError("closed"));
    await closing;
  });

  it("can be disposed without waiting", async () => {
    const { transport } = await start((server) => server.notify("ready", { pid: process.pid }));
    transport.dispose();
    transport.dispose();
    await transport.close();
  });
});
