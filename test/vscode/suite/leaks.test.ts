import assert from "node:assert/strict";
import * as vscode from "vscode";
import { type Disposable, watchLeaks } from "../../../src/base/disposable.ts";
import { activated } from "./hostSupport.ts";

/** How long a process may take to be gone after its server was disconnected: both signals of the shutdown and more. */
const END_LIMIT_MS = 10_000;

const alive = new Map<Disposable, string>();
/** Reported together at the end: a failing hook would keep the remaining tests from running. */
const leaks: string[] = [];
let processesBefore = 0;

/** Child processes of the extension host, which the tests share with the extension. */
function countProcesses(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
}

// Hooks outside a `describe` are those of the whole run.
before(() => {
  processesBefore = countProcesses();
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
  while (countProcesses() > processesBefore && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(countProcesses() <= processesBefore, "Processes of servers are left after all were disconnected");
});
