// One window in a process of its own: `windowProcess.ts FOLDER URL`, with credentials and locks in files below the
// folder. It connects, says `ready`, and calls a tool for each line of its input, two minutes after the one before; the
// answer is a line of its output.
import path from "node:path";
import { createInterface } from "node:readline";
import { createFileCredentialStore } from "../../../src/auth/store/fileCredentialStore.ts";
import { createFileLock } from "../../../src/auth/store/fileLock.ts";
import { silentLog } from "../../../src/base/log.ts";
import { AuthWindow } from "../../support/authWindow.ts";

const [, , folder = "", url = ""] = process.argv;
const window = new AuthWindow(
  { s: { url } },
  {
    store: createFileCredentialStore({ directory: path.join(folder, "credentials"), log: silentLog }),
    lock: createFileLock({ directory: path.join(folder, "locks") }),
  },
);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
await window.servers.connect();
say("ready");
for await (const text of createInterface({ input: process.stdin })) {
  window.clock.aheadMs += 120_000;
  try {
    say(await window.call("echo", { text }));
  } catch (error) {
    say(String(error));
  }
}
await window[Symbol.asyncDispose]();
process.exit(0);
