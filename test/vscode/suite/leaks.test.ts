import assert from "node:assert/strict";
import { ChildProcess } from "node:child_process";
import { join } from "node:path";
import * as vscode from "vscode";
import { type Disposable, watchLeaks } from "../../../src/base/disposable.ts";
import { activated } from "./hostSupport.ts";

/** How long a process may take to be gone after its server was disconnected: both signals of the shutdown and more. */
const END_LIMIT_MS = 10_000;

const alive = new Map<Disposable, string>();
/** Reported together at the end: a failing hook would keep the remaining tests from running. */
const leaks: string[] = [];
let processesBefore: readonly string[] = [];

/**
 * The command lines of child processes of the extension host, which the tests share with the extension. The editor's
 * own extensions start language servers there when a document of theirs is opened; those are not ours to end.
 */
function listProcesses(): readonly string[] {
  const internals = process as unknown as { _getActiveHandles(): unknown[] };
  const own = join(vscode.env.appRoot, "extensions");
  return internals
    ._getActiveHandles()
    .filter((handle): handle is ChildProcess => handle instanceof ChildProcess)
    .map(({ spawnargs }) => spawnargs.join(" "))
    .filter((line) => !line.includes(own));
}

// Hooks outside a `describe` are those of the whole run.
before(() => {
  processesBefore = listProcesses();
});

beforeEach(() => {
  alive.clear();
  watchLeaks({
    created: (disposable, stack) => alive.set(disposable, stack),
    disposed: (disposable) => alive.delete(disposable),
  });
});

afterEach(function () {
  watchLeaks(undefined);
  const test = this.currentTest?.fullTitle() ?? "";
  leaks.push(...[...alive].map(([disposable, stack]) => `${test}: ${disposable.constructor.name}\n${stack}`));
});

after(async function () {
  this.timeout(END_LIMIT_MS * 2);
  assert.equal(leaks.join("\n"), "", "Tests left something behind");
  const api = await activated();
  for (const { id, state } of api.servers()) {
    if (state === "connected") await vscode.commands.executeCommand("signalbox.disconnect", id);
  }
  const end = Date.now() + END_LIMIT_MS;
  while (listProcesses().length > processesBefore.length && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const left = listProcesses();
  const message = `Processes are left after all servers were disconnected: ${left.join("; ")}`;
  assert.ok(left.length <= processesBefore.length, message);
});
