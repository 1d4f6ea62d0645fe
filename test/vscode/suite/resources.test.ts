import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { SignalboxApi } from "../../../src/host/api.ts";
import { RESOURCE_SCHEME, toAddressParts } from "../../../src/host/resources/resourceAddress.ts";
import type { InputToHost, InputToPage } from "../../../src/shared/inputMessages.ts";
import { activated, answerDialogs, DEMO, type Dialogs, run, until } from "./hostSupport.ts";
import { PanelWatcher } from "./panelPerson.ts";

const SERVER = "resources-demo";

describe("host: resources and prompts", function () {
  this.timeout(60_000);
  let api: SignalboxApi;
  let errors: Dialogs;

  before(async () => {
    api = await activated();
    await run("addServer", { name: SERVER, definition: DEMO });
    await run("connect", SERVER);
    const isListed = (): boolean => api.resources(SERVER).length > 0 && api.prompts(SERVER).length > 0;
    await until(isListed, (look) => api.onDidChangeServers(look), "the lists are there");
  });

  after(async () => {
    await run("removeServer", SERVER, { force: true });
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  beforeEach(() => {
    errors = answerDialogs("showErrorMessage", () => undefined);
  });

  afterEach(async () => {
    errors.restore();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const activeText = (): string => vscode.window.activeTextEditor?.document.getText() ?? "";

  it("opens a text as a read-only document in its language", async () => {
    const opened = await run<string>("readResource", SERVER, "demo://guide");
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.toString(), opened);
    assert.equal(document?.uri.scheme, RESOURCE_SCHEME);
    assert.equal(document.languageId, "markdown");
    assert.match(document.getText(), /^# The pretended cloud/);
    assert.equal(vscode.workspace.fs.isWritableFileSystem(RESOURCE_SCHEME), false);
    await assert.rejects(
      Promise.resolve(vscode.workspace.fs.writeFile(document.uri, Buffer.from("x"))),
      vscode.FileSystemError,
    );
  });

  it("opens a picture in the editor's own viewer", async () => {
    const opened = await run<string>("readResource", SERVER, "demo://prices/chart");
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputCustom);
    assert.equal(input.uri.toString(), opened);
    assert.equal(input.viewType, "imagePreview.previewEditor");
    const bytes = await vscode.workspace.fs.readFile(input.uri);
    assert.equal(Buffer.from(bytes).subarray(1, 4).toString(), "PNG");
  });

  // Duty: 8.1.9
  it("reads nothing for a document that no person has opened", async () => {
    const address = { serverId: SERVER, uri: "demo://databases?never-opened", part: 0 };
    const uri = vscode.Uri.from(toAddressParts(address, "x.json"));
    await assert.rejects(Promise.resolve(vscode.workspace.openTextDocument(uri)), /was not opened by you/);
  });

  it("says what is wrong with a resource that the server does not have", async () => {
    assert.equal(await run("readResource", SERVER, "demo://nothing"), undefined);
    await until(
      () => errors.shown.length > 0,
      (look) => errors.onDidShow(look),
      "the message",
    );
    assert.match(errors.shown[0]?.message ?? "", /does not have the resource demo:\/\/nothing/);
    assert.ok(errors.shown[0]?.choices.includes("Refresh Lists"));
  });

  it("fills in a template and opens what it names", async () => {
    const values = { region: "eu-north", engine: "redis" };
    await run("openTemplate", SERVER, "demo://prices/{region}/{engine}", values);
    assert.match(activeText(), /^engine,plan,price in Stockholm \(eu-north\)\nredis,starter,/);
  });

  it("shows a prompt with its roles as plain text, copies and inserts it", async () => {
    const args = { first: "eu-north", second: "us-east" };
    const text = await run<string>("getPrompt", SERVER, "compare_regions", args);
    assert.match(text, /^User:\nWhich region is better[^]*Assistant:\nI will look/);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, "signalbox-prompt");
    assert.equal(document.languageId, "plaintext");
    assert.match(
      document.getText(),
      /Prompt: Compare two regions \(compare_regions\)\nServer: resources-demo/,
    );
    assert.match(document.getText(), /──── Assistant ────/);

    assert.equal(await run("copyPromptText"), text);
    assert.equal(await vscode.env.clipboard.readText(), text);

    await run("insertPrompt", document.uri);
    assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, "untitled");
    assert.equal(activeText(), text);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  // Duty: 8.2.4
  it("sends nothing when a required argument of a prompt is missing", async () => {
    assert.equal(await run("getPrompt", SERVER, "plan_database", {}), undefined);
    await until(
      () => errors.shown.length > 0,
      (look) => errors.onDidShow(look),
      "the message",
    );
    assert.match(errors.shown[0]?.message ?? "", /needs “workload”\. Nothing was sent/);
  });

  // Duty: 8.1.8
  it("reads a watched resource again when the server says that it changed", async () => {
    assert.equal(await run("watchResource", SERVER, "demo://databases"), "demo://databases");
    await run("readResource", SERVER, "demo://databases");
    assert.equal(activeText().trim(), "[]");
    await createDatabase(api, "watched-one");
    await until(
      () => activeText().includes('"watched-one"'),
      (look) => vscode.workspace.onDidChangeTextDocument(look),
      "the document shows the new database",
    );
    assert.equal(await run("unwatchResource", SERVER, "demo://databases"), "demo://databases");
  });

  it("shows the newest when it is opened again", async () => {
    await run("readResource", SERVER, "demo://databases");
    await createDatabase(api, "later-one");
    await run("readResource", SERVER, "demo://databases");
    await until(
      () => activeText().includes('"later-one"'),
      (look) => vscode.workspace.onDidChangeTextDocument(look),
      "the document shows the new database",
    );
  });

  // Duty: 8.1.9
  it("answers other extensions only after the person allowed it", async () => {
    const dialogs = answerDialogs("showWarningMessage", ({ message }) =>
      message.includes("read a resource") ? "Allow Once" : undefined,
    );
    try {
      const read = await api.readResource(SERVER, "demo://guide", { caller: "Suite" });
      assert.match(JSON.stringify(read), /The pretended cloud/);
      assert.equal(dialogs.shown[0]?.detail, "demo://guide");
      assert.equal(dialogs.shown[0].isModal, true);
      await assert.rejects(
        api.getPrompt(SERVER, "plan_database", { workload: "x" }, { caller: "Suite" }),
        /was not allowed/,
      );
      assert.match(dialogs.shown[1]?.message ?? "", /get the prompt “plan_database”/);
    } finally {
      dialogs.restore();
    }
  });
});

/** Creates a database as a person would: allows the call and answers both questions in the panel. */
async function createDatabase(api: SignalboxApi, name: string): Promise<void> {
  const watcher = new PanelWatcher<InputToPage, InputToHost>("signalbox.input");
  const dialogs = answerDialogs("showWarningMessage", () => "Allow Once");
  const shown = () => {
    const last = watcher.last?.sent.findLast((message) => message.type === "view");
    return last?.type === "view" ? last.view.current : undefined;
  };
  try {
    const order = { name, engine: "redis", storageGb: 10, plan: "starter" };
    const called = api.callTool(SERVER, "create_database", order, { caller: "Suite" });
    await watcher.until(() => shown()?.round === 1, "the first round is shown");
    watcher.last?.say({
      type: "answer",
      roundId: shown()?.roundId ?? "",
      answers: [{ key: "region", action: "accept", content: { region: "us-east" } }],
    });
    await watcher.until(() => shown()?.round === 2, "the second round is shown");
    watcher.last?.say({
      type: "answer",
      roundId: shown()?.roundId ?? "",
      answers: [{ key: "confirm", action: "accept", content: { confirm: true, monthlyLimit: 1000 } }],
    });
    await called;
  } finally {
    dialogs.restore();
    watcher.dispose();
  }
}
