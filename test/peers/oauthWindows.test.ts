import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createFileCredentialStore } from "../../src/auth/store/fileCredentialStore.ts";
import { createFileLock } from "../../src/auth/store/fileLock.ts";
import { silentLog } from "../../src/base/log.ts";
import { onStage } from "./oauth/stage.ts";

const PROCESS = fileURLToPath(new URL("oauth/windowProcess.ts", import.meta.url));

/** A window in a process of its own. */
interface WindowProcess {
  /** Calls a tool that answers with the text. */
  say(text: string): Promise<string>;
  end(): Promise<void>;
}

async function startWindow(folder: string, url: string): Promise<WindowProcess> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", PROCESS, folder, url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await lines.next()).value);
  assert.equal(await line(), "ready");
  return {
    say(text) {
      child.stdin.write(`${text}\n`);
      return line();
    },
    async end() {
      child.stdin.end();
      await exit;
    },
  };
}

describe("four windows, each a process of its own", function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "signalbox-windows-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  // Attack: 45, 46
  it("refresh once when the token ends for all of them at the same moment, and all go on", async () => {
    const store = createFileCredentialStore({ directory: path.join(folder, "credentials"), log: silentLog });
    const lock = createFileLock({ directory: path.join(folder, "locks") });
    await onStage({ window: { store, lock } }, async ({ peers: { authority, server }, window }) => {
      await window.signIn();
      const windows = await Promise.all([1, 2, 3, 4].map(() => startWindow(folder, server.url)));
      const refreshes = () => authority.at("/token").filter(({ form }) => form.has("refresh_token")).length;
      try {
        assert.equal(refreshes(), 0);
        for (const round of [1, 2]) {
          authority.expireAccessTokens();
          const texts = windows.map((_, at) => `window ${String(at)}`);
          assert.deepEqual(await Promise.all(windows.map((one, at) => one.say(texts[at] ?? ""))), texts);
          assert.equal(refreshes(), round);
        }
      } finally {
        await Promise.all(windows.map((one) => one.end()));
      }
    });
  });
});
