import assert from "node:assert/strict";
import * as vscode from "vscode";
import { activated, answerDialogs, DEMO, kindOf, run } from "./hostSupport.ts";
import type { ServerState } from "../../../src/client/serverState.ts";

const definitions = (): Record<string, unknown> =>
  vscode.workspace.getConfiguration().inspect<Record<string, unknown>>("signalbox.servers")?.globalValue ??
  {};

describe("host: activation", () => {
  it("is quick and answers the API", async () => {
    const started = performance.now();
    const api = await activated();
    assert.ok(performance.now() - started < 2_000);
    assert.equal(api.version, 1);
  });

  it("registers every command that the manifest declares, and no other", async () => {
    await activated();
    const extension = vscode.extensions.getExtension("signalbox.signalbox");
    const manifest = extension?.packageJSON as { contributes: { commands: { command: string }[] } };
    const declared = manifest.contributes.commands.map(({ command }) => command).sort();
    const all = await vscode.commands.getCommands(true);
    // The editor makes commands of its own for each view.
    const registered = all.filter(
      (id) => id.startsWith("signalbox.") && !id.startsWith("signalbox.servers."),
    );
    assert.deepEqual(registered.filter((id) => declared.includes(id)).sort(), declared);
    assert.deepEqual(
      registered.filter((id) => !declared.includes(id)),
      [],
    );
  });
});

describe("host: a server in the settings", () => {
  before(activated);
  afterEach(async () => {
    for (const name of ["suite-demo", "suite-two", "suite-bad"])
      await run("removeServer", name, { force: true });
  });

  it("is added, connected, listed, disconnected and removed", async function () {
    this.timeout(60_000);
    const api = await activated();
    assert.deepEqual(await run("addServer", { name: "suite-demo", definition: DEMO }), ["suite-demo"]);
    assert.deepEqual(definitions()["suite-demo"], DEMO);
    assert.equal(api.servers().find(({ id }) => id === "suite-demo")?.state, "stopped");

    const state = await run<ServerState>("connect", "suite-demo");
    assert.equal(kindOf(state), "connected", JSON.stringify(state));
    assert.deepEqual(
      api.servers().filter(({ id }) => id === "suite-demo"),
      [{ id: "suite-demo", state: "connected", era: "modern", revision: "2026-07-28" }],
    );
    const names = api.tools("suite-demo").map(({ name }) => name);
    assert.ok(names.includes("create_database"), names.join());

    assert.equal(kindOf(await run<ServerState>("restart", "suite-demo")), "connected");
    assert.equal(kindOf(await run<ServerState>("refreshTools", "suite-demo")), "connected");
    const text = await run<string>("showNegotiation", { serverId: "suite-demo" });
    assert.ok(text.includes("Modern 2026-07-28"));
    assert.equal(kindOf(await run<ServerState>("disconnect", { serverId: "suite-demo" })), "stopped");

    assert.equal(await run("removeServer", "suite-demo", { force: true }), "suite-demo");
    assert.equal(definitions()["suite-demo"], undefined);
    assert.equal(
      api.servers().some(({ id }) => id === "suite-demo"),
      false,
    );
  });

  it("keeps other servers when one is added or removed", async () => {
    await run("addServer", { name: "suite-demo", definition: DEMO });
    await run("addServer", { name: "suite-two", definition: { url: "https://two.test/mcp" } });
    await run("removeServer", "suite-demo", { force: true });
    assert.deepEqual(definitions()["suite-two"], { url: "https://two.test/mcp" });
  });

  it("is not replaced by another one of its name", async () => {
    await run("addServer", { name: "suite-demo", definition: DEMO });
    const dialogs = answerDialogs("showErrorMessage", () => undefined);
    try {
      assert.equal(
        await run("addServer", { name: "suite-demo", definition: { command: "other" } }),
        undefined,
      );
    } finally {
      dialogs.restore();
    }
    assert.equal(dialogs.shown.length, 1);
    assert.deepEqual(definitions()["suite-demo"], DEMO);
  });

  it("is not added when the questions are left, at the first one or a later one", async () => {
    const before = JSON.stringify(definitions());
    const first = run("addServer");
    await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
    assert.equal(await first, undefined);
    const second = run("addServer");
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
    assert.equal(await second, undefined);
    assert.equal(JSON.stringify(definitions()), before);
  });

  it("is disabled and enabled", async () => {
    const api = await activated();
    await run("addServer", { name: "suite-demo", definition: DEMO });
    await run("disable", "suite-demo");
    assert.equal(api.servers().find(({ id }) => id === "suite-demo")?.state, "disabled");
    assert.deepEqual(definitions()["suite-demo"], { ...DEMO, enabled: false });
    await run("enable", "suite-demo");
    assert.equal(api.servers().find(({ id }) => id === "suite-demo")?.state, "stopped");
  });

  // Duty: 11.3.1
  it("is asked for another level of its log without a new connection", async function () {
    this.timeout(60_000);
    const api = await activated();
    await run("addServer", { name: "suite-demo", definition: DEMO });
    await run("connect", "suite-demo");
    const states: (string | undefined)[] = [];
    const watching = api.onDidChangeServers(() => {
      states.push(api.servers().find(({ id }) => id === "suite-demo")?.state);
    });
    assert.equal(await run("setLogLevel", "suite-demo", "notice"), "notice");
    assert.deepEqual(definitions()["suite-demo"], { ...DEMO, logLevel: "notice" });
    assert.equal(await run("setLogLevel", "suite-demo", "off"), "off");
    assert.deepEqual(definitions()["suite-demo"], DEMO);
    watching.dispose();
    assert.deepEqual([...new Set(states)], ["connected"]);
  });

  it("is shown in the settings file", async () => {
    await run("addServer", { name: "suite-demo", definition: DEMO });
    assert.equal(await run("editServer", "suite-demo"), "suite-demo");
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor !== undefined);
    const line = editor.document.lineAt(editor.selection.active.line).text;
    assert.ok(line.includes('"suite-demo"'), line);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("that cannot be started says so once, with what helps", async () => {
    await run("addServer", { name: "suite-bad", definition: { command: "/nowhere/no-such-program" } });
    const dialogs = answerDialogs("showErrorMessage", () => undefined);
    try {
      assert.equal(kindOf(await run<ServerState>("connect", "suite-bad")), "failed");
    } finally {
      dialogs.restore();
    }
    assert.equal(dialogs.shown.length, 1);
    assert.ok(dialogs.shown[0]?.message.includes("/nowhere/no-such-program"));
    assert.deepEqual(dialogs.shown[0]?.choices, ["Open Settings", "Show Log"]);
  });

  it("that does not exist is named in the message", async () => {
    const dialogs = answerDialogs("showErrorMessage", () => undefined);
    try {
      assert.equal(await run("connect", "suite-nobody"), undefined);
    } finally {
      dialogs.restore();
    }
    assert.ok(dialogs.shown[0]?.message.includes("suite-nobody"));
  });

  it("whose secret is not set is not started, and setting it is offered", async () => {
    const definition = { ...DEMO, env: { TOKEN: "${secret:SUITE_UNSET}" } };
    await run("addServer", { name: "suite-bad", definition });
    const dialogs = answerDialogs("showErrorMessage", () => undefined);
    try {
      const state = await run<ServerState>("connect", "suite-bad");
      assert.ok(state.kind === "failed" || state.kind === "blocked", state.kind);
    } finally {
      dialogs.restore();
    }
    assert.ok(dialogs.shown[0]?.message.includes("${secret:SUITE_UNSET}"));
    assert.equal(dialogs.shown[0]?.choices[0], "Set Secret…");
  });
});

describe("host: calls for other extensions", () => {
  before(async () => {
    await activated();
    await run("addServer", { name: "suite-demo", definition: DEMO });
    assert.equal(kindOf(await run<ServerState>("connect", "suite-demo")), "connected");
  });
  after(() => run("removeServer", "suite-demo", { force: true }));

  // Duty: 7.2.5
  it("are asked about with tool, server and arguments", async () => {
    const api = await activated();
    const dialogs = answerDialogs("showWarningMessage", () => "Allow Once");
    try {
      const result = await api.callTool("suite-demo", "list_databases", {}, { caller: "The suite" });
      assert.ok(Array.isArray(result["content"]));
    } finally {
      dialogs.restore();
    }
    const [question] = dialogs.shown;
    assert.equal(question?.isModal, true);
    for (const part of ["The suite", "list_databases", "suite-demo"])
      assert.ok(question.message.includes(part), part);
  });

  // Duty: 7.2.5
  it("are not made when the person closes the dialog", async () => {
    const api = await activated();
    const dialogs = answerDialogs("showWarningMessage", () => undefined);
    try {
      await assert.rejects(api.callTool("suite-demo", "list_databases", {}, { caller: "The suite" }), {
        code: "call-declined",
      });
    } finally {
      dialogs.restore();
    }
  });

  it("of a tool that is not there ask nobody", async () => {
    const api = await activated();
    const dialogs = answerDialogs("showWarningMessage", () => "Allow Once");
    try {
      await assert.rejects(api.callTool("suite-demo", "no_such_tool", {}, { caller: "The suite" }), {
        code: "unknown-tool",
      });
    } finally {
      dialogs.restore();
    }
    assert.deepEqual(dialogs.shown, []);
  });
});
