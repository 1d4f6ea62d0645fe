import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeWorkspace, packageAll } from "./support/packages.ts";
import { ToolRunPage } from "./support/panels.ts";
import { Workbench, until } from "./support/workbench.ts";

const DEMO = resolve(import.meta.dirname, "..", "..", "dist", "demo.mjs");
/** Run by the server process before anything else, so that the test knows which process to kill. */
const WRITE_PID =
  "data:text/javascript,import fs from 'node:fs';fs.writeFileSync(process.env.PID_FILE,String(process.pid))";

describe("a server on standard input and output that dies", function () {
  this.bail(true);
  let workbench: Workbench;
  let removeWorkspace: () => Promise<void>;
  let pidFile: string;

  before(async () => {
    const { signalbox } = await packageAll();
    const { folder, remove } = await makeWorkspace();
    removeWorkspace = remove;
    pidFile = join(folder, "pid");
    const local = {
      command: process.execPath,
      args: ["--import", WRITE_PID, DEMO, "--stdio"],
      env: { PID_FILE: pidFile },
      // What a person sees of a server that stays down is looked at here.
      restart: false,
    };
    workbench = await Workbench.open(folder, {
      vsix: [signalbox],
      settings: { "signalbox.servers": { local } },
    });
  });

  after(async () => {
    await workbench.close();
    await removeWorkspace();
  });

  afterEach(async function () {
    if (this.currentTest?.state === "failed") await workbench.shoot(`failed-${this.currentTest.title}`);
  });

  const readPid = (): Promise<number> => readFile(pidFile, "utf8").then(Number);

  it("connects", async () => {
    await workbench.runCommand("Signalbox: Connect");
    await workbench.choose("local");
    await workbench.statusBarItem("1/1").waitFor();
    await workbench.openView("Signalbox");
    await workbench.treeRow("Modern 2026-07-28").first().waitFor();
  });

  it("fails the call at once, with the reason", async () => {
    await workbench.runCommand("Signalbox: Run Tool…");
    await workbench.choose("Run migration");
    const panel = await ToolRunPage.find(workbench, "Run migration");
    await panel.check("durationMs");
    await panel.fill("durationMs", "300000");
    await panel.press("Run");
    await panel.frame.getByText("Running…").first().waitFor();
    const killed = performance.now();
    process.kill(await readPid(), "SIGKILL");
    await panel.result.getByText("The call failed").first().waitFor();
    assert.ok(performance.now() - killed < 5_000, "the call was left waiting");
    assert.match(await panel.result.innerText(), /The process of “local” ended \(.*SIGKILL.*\)/);
    await workbench.shoot("call-failed");
  });

  it("shows it in the tree, and works again after a restart", async () => {
    await workbench.treeRow("Failed").first().waitFor();
    await workbench.shoot("server-failed");
    const before = await readPid();
    await workbench.runCommand("Signalbox: Restart");
    await workbench.choose("local");
    await workbench.statusBarItem("1/1").waitFor();
    await workbench.treeRow("Modern 2026-07-28").first().waitFor();
    assert.notEqual(await readPid(), before);
  });

  it("shows what happened in the log of the server", async () => {
    await workbench.runCommand("Signalbox: Show Server Log");
    await workbench.choose("local");
    const log = workbench.page.locator(".part.panel .view-lines");
    await log.getByText("ready on standard input and output").first().waitFor();
    await log.getByText("SIGKILL").first().waitFor();
    await workbench.shoot("log");
  });

  it("leaves no process when the window goes away", async () => {
    const pid = await readPid();
    await workbench.close();
    await until("end of the server", () => Promise.resolve(isAlive(pid) ? undefined : true));
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
