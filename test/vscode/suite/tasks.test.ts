import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Disposable } from "../../../src/base/disposable.ts";
import type { ServerState } from "../../../src/client/serverState.ts";
import type { TaskEntry } from "../../../src/client/tasks/serverTasks.ts";
import { startTaskServer, type TaskServer } from "../../support/taskServer.ts";
import { activated, answerDialogs, type Dialogs, run, until } from "./hostSupport.ts";

const SERVER = "suite-tasks";

/** The server is looked at from time to time: it has no events. */
function watchTimer(look: () => void): Disposable {
  const timer = setInterval(look, 20);
  return {
    dispose: () => {
      clearInterval(timer);
    },
  };
}

describe("host: tasks of a server", () => {
  let server: TaskServer;
  let dialogs: Dialogs;

  before(async () => {
    await activated();
    server = await startTaskServer("modern", "http");
    dialogs = answerDialogs("showWarningMessage", () => "Allow Once");
    await run("addServer", { name: SERVER, definition: { ...server.entry, tasks: true } });
  });

  after(async () => {
    dialogs.restore();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await run("removeServer", SERVER, { force: true });
    await server.close();
  });

  /** The tasks as the state shows them; connecting a connected server only answers its state. */
  async function tasks(): Promise<readonly TaskEntry[]> {
    const state = await run<ServerState | undefined>("connect", SERVER);
    assert.equal(state?.kind, "connected");
    return state.tasks;
  }

  it("give their result to whoever calls, stay listed over a restart, and are shown and forgotten", async () => {
    await run("connect", SERVER);
    const api = await activated();
    const result = await api.callTool(SERVER, "dig", {}, { caller: "The suite" });
    assert.deepEqual(result["content"], [{ type: "text", text: "dig for nobody" }]);
    const [before] = await tasks();
    assert.deepEqual([before?.tool, before?.status], ["dig", "completed"]);
    assert.ok(before !== undefined);

    await run("restart", SERVER);
    const [after] = await tasks();
    assert.equal(after?.taskId, before.taskId);

    assert.equal(await run("showTaskResult", SERVER, before.taskId), before.taskId);
    const { tabGroups } = vscode.window;
    await until(
      () => tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === "dig")),
      (look) => tabGroups.onDidChangeTabs(look),
      "the panel of the tool",
    );

    assert.equal(await run("forgetTask", SERVER, before.taskId), before.taskId);
    assert.deepEqual(await tasks(), []);
    await run("restart", SERVER);
    assert.deepEqual(await tasks(), []);
  });

  it("are cancelled from the view", async () => {
    const api = await activated();
    const asksAbout = (): number => server.said.filter((message) => message["method"] === "tasks/get").length;
    const before = asksAbout();
    const call = api.callTool(SERVER, "stay", {}, { caller: "The suite" });
    call.catch(() => undefined);
    const isAsked = (): boolean => asksAbout() > before;
    await until(isAsked, (look) => watchTimer(look), "the first question about the task");
    const [task] = await tasks();
    assert.ok(task !== undefined);
    assert.equal(await run("cancelTask", SERVER, task.taskId), task.taskId);
    await assert.rejects(call);
    const [after] = await tasks();
    assert.equal(after?.status, "cancelled");
  });
});
