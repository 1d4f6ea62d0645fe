import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ToolRunToHost, ToolRunToPage, ToolRunView } from "../../../src/shared/toolRunMessages.ts";
import { activated, answerDialogs, DEMO, run } from "./hostSupport.ts";
import { PanelWatcher } from "./panelPerson.ts";

const SERVER = "toolrun-demo";

describe("panels: tool run", () => {
  let watcher: PanelWatcher<ToolRunToPage, ToolRunToHost>;

  before(async function () {
    this.timeout(60_000);
    await activated();
    await run("addServer", { name: SERVER, definition: DEMO });
    await run("connect", SERVER);
  });

  after(async () => {
    await run("removeServer", SERVER, { force: true });
  });

  beforeEach(() => {
    watcher = new PanelWatcher("signalbox.toolRun");
  });

  afterEach(async () => {
    for (const { panel } of watcher.panels) panel.dispose();
    watcher.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  function view(): ToolRunView | undefined {
    const last = watcher.last?.sent.findLast((message) => message.type === "view");
    return last?.type === "view" ? last.view : undefined;
  }

  async function open(tool: string, args?: object): Promise<ToolRunView> {
    await run("runTool", SERVER, tool, args);
    await watcher.until(() => view() !== undefined, "the tool is shown");
    const shown = view();
    assert.ok(shown !== undefined);
    return shown;
  }

  it("shows the tool in the real page, runs it and shows its result", async () => {
    const shown = await open("list_databases");
    assert.equal(watcher.last?.isReady, true);
    assert.equal(shown.protocol, "Modern 2026-07-28");
    assert.equal(shown.canRun, true);
    watcher.last?.say({ type: "run", arguments: {}, checked: true });
    await watcher.until(() => view()?.run.kind === "done", "the result is shown");
    const done = view()?.run;
    assert.ok(done?.kind === "done");
    assert.equal(done.result.isError, false);
  });

  it("answers arguments that do not fit with the problems, and sends them only when told to", async () => {
    await open("create_database", { name: "x" });
    assert.deepEqual(view()?.initialArguments, { name: "x" });
    watcher.last?.say({ type: "run", arguments: { name: "x" }, checked: true });
    await watcher.until(
      () => watcher.last?.sent.some((message) => message.type === "argumentProblems") === true,
      "the problems are shown",
    );
    assert.equal(view()?.run.kind, "idle");
    watcher.last?.say({ type: "run", arguments: { name: "x" }, checked: false });
    await watcher.until(
      () => ["done", "failed"].includes(view()?.run.kind ?? ""),
      "the server's answer is shown",
    );
  });

  it("keeps one panel for a tool, and begins anew with other arguments", async () => {
    await open("create_database", { name: "one" });
    await run("runTool", SERVER, "create_database", { name: "two" });
    await watcher.until(() => view()?.initialArguments["name"] === "two", "the new arguments are shown");
    assert.equal(watcher.panels.length, 1);
  });

  it("remembers the last arguments of a tool when its panel is opened again", async () => {
    await open("list_databases");
    watcher.last?.say({ type: "run", arguments: { odd: 1 }, checked: false });
    await watcher.until(() => view()?.run.kind !== "running" && view()?.run.kind !== "idle", "it ran");
    watcher.last?.panel.dispose();
    await watcher.until(() => watcher.last?.isClosed === true, "the panel is closed");
    await open("list_databases");
    assert.deepEqual(view()?.initialArguments, { odd: 1 });
  });

  it("shows progress and cancels", async () => {
    await open("run_migration");
    const slow = { name: "slow", steps: 100, durationMs: 30_000 };
    watcher.last?.say({ type: "run", arguments: slow, checked: true });
    await watcher.until(() => {
      const status = view()?.run;
      return status?.kind === "running" && status.progress !== undefined;
    }, "progress is shown");
    watcher.last?.say({ type: "cancel" });
    await watcher.until(() => view()?.run.kind === "cancelled", "it is cancelled");
  });

  it("says why it cannot run when the server is gone, and connects it", async () => {
    await open("list_databases");
    await run("disconnect", SERVER);
    await watcher.until(() => view()?.canRun === false, "it cannot run");
    assert.match(view()?.notice ?? "", /not connected/);
    watcher.last?.say({ type: "connect" });
    await watcher.until(() => view()?.canRun === true, "it can run again");
  });

  it("opens links only after a question that shows the whole address, and never other schemes", async () => {
    await open("list_databases");
    const opened: unknown[] = [];
    const original = vscode.env.openExternal;
    (vscode.env as { openExternal: unknown }).openExternal = (url: unknown) => {
      opened.push(url);
      return Promise.resolve(true);
    };
    const asked = new vscode.EventEmitter<void>();
    const dialogs = answerDialogs("showWarningMessage", ({ isModal }) => {
      queueMicrotask(() => asked.fire());
      return isModal ? "Open in Browser" : undefined;
    });
    try {
      const question = (): Promise<void> => new Promise((resolve) => asked.event(() => resolve()));
      let next = question();
      watcher.last?.say({ type: "openLink", uri: "command:workbench.action.quit" });
      await next;
      assert.deepEqual(opened, []);
      assert.equal(dialogs.shown[0]?.isModal, false);
      next = question();
      watcher.last?.say({ type: "openLink", uri: "https://example.com/a?b=c%20d" });
      await next;
      assert.ok(dialogs.shown[1]?.detail.includes("https://example.com/a?b=c%20d"));
      assert.deepEqual(opened, ["https://example.com/a?b=c%20d"]);
    } finally {
      (vscode.env as { openExternal: unknown }).openExternal = original;
      dialogs.restore();
      asked.dispose();
    }
  });

  it("opens a text in an editor", async () => {
    await open("list_databases");
    const editors = new Promise<vscode.TextEditor>((resolve) => {
      const watching = vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor === undefined) return;
        watching.dispose();
        resolve(editor);
      });
    });
    watcher.last?.say({ type: "openInEditor", text: '{"a":1}', language: "json" });
    const editor = await editors;
    assert.equal(editor.document.getText(), '{"a":1}');
    assert.equal(editor.document.languageId, "json");
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
});
