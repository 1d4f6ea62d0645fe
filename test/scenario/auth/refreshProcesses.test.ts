import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";

import { deferred } from "../../../src/base/deferred.ts";
import { silentLog } from "../../../src/base/log.ts";
import { createFileCredentialStore } from "../../../src/auth/store/fileCredentialStore.ts";
import { SessionBench } from "../../support/sessionBench.ts";
import type { SessionServer } from "../../support/sessionServer.ts";

const PROGRAM = join(import.meta.dirname, "../../support/refreshWindow.ts");

describe("processes that share an authorization", function () {
  this.timeout(60_000);
  let bench: SessionBench;
  let directory: string;
  let windows: Process[];
  beforeEach(async () => {
    bench = new SessionBench();
    directory = await mkdtemp(join(tmpdir(), "signalbox-windows-"));
    windows = [];
  });
  afterEach(async () => {
    await Promise.all(windows.map((window) => window.kill()));
    await bench.end();
    await rm(directory, { recursive: true, force: true });
  });

  /** Signs in at a time long ago, so that the token is over for every process. */
  const signIn = async (): Promise<SessionServer> => {
    const server = await bench.server();
    const store = createFileCredentialStore({ directory: join(directory, "credentials"), log: silentLog });
    const window = await bench.window(server, { store });
    await window.signIn();
    window.session.dispose();
    return server;
  };
  const start = async (server: SessionServer): Promise<Process> => {
    const window = new Process(directory, server.endpoint);
    windows.push(window);
    assert.equal(await window.line(), "ready");
    return window;
  };

  // Attack: 46
  // Duty: 16.8.5
  it("four of them that renew at once ask once, and all of them go on", async () => {
    const server = await signIn();
    const all = await Promise.all([1, 2, 3, 4].map(() => start(server)));
    for (const window of all) window.go();
    assert.deepEqual(await Promise.all(all.map((window) => window.line())), ["200", "200", "200", "200"]);
    assert.equal(server.refreshes.length, 1);
    const used = server.sent.filter((value) => value !== undefined);
    assert.equal(new Set(used).size, 1);
    assert.equal(used.length, 4);
    assert.deepEqual(await readdir(join(directory, "locks")), [], "no lock is left");
    const [file] = await readdir(join(directory, "credentials"));
    const { mode } = await stat(join(directory, "credentials", file ?? ""));
    if (process.platform !== "win32") assert.equal(mode & 0o777, 0o600);
  });

  // Attack: 47
  it("one that dies while it renews keeps the others waiting no longer than it lives", async () => {
    const server = await signIn();
    const [dying, other] = [await start(server), await start(server)];
    const asked = deferred();
    server.script.token = () => {
      server.script.token = () => undefined;
      asked.resolve(undefined);
      return "answered";
    };
    dying.go();
    await asked.promise;
    other.go();
    await dying.kill();
    assert.equal(await other.line(), "200");
    assert.equal(server.refreshes.length, 2, "the one that was never answered, and one more");
    assert.deepEqual(await readdir(join(directory, "locks")), []);
  });
});

class Process {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  constructor(directory: string, endpoint: URL) {
    this.#child = spawn(process.execPath, [PROGRAM, directory, endpoint.href], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child.stdin.on("error", () => undefined);
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const { value } = (await this.#lines.next()) as { value: string | undefined };
    return value ?? "it has ended";
  }

  go(): void {
    this.#child.stdin.write("go\n");
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill("SIGKILL");
      await once(this.#child, "close");
    }
    this.#reader.close();
  }
}
