import assert from "node:assert/strict";
import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import type { ServerState } from "../../../src/client/serverState.ts";
import { activated, answerDialogs, DEMO, kindOf, run, until } from "./hostSupport.ts";

function settingsFile(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder !== undefined, "the suite runs in a folder");
  return vscode.Uri.joinPath(folder.uri, ".vscode", "settings.json");
}

async function writeSettings(text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(settingsFile(), new TextEncoder().encode(text));
}

async function readSettings(): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(settingsFile()));
  } catch {
    return undefined;
  }
}

function problems(): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(settingsFile()).filter(({ source }) => source === "Signalbox");
}

async function untilServers(isTrue: (ids: readonly string[]) => boolean, what: string): Promise<void> {
  const api = await activated();
  const look = (): boolean => isTrue(api.servers().map(({ id }) => id));
  await until(look, (again) => api.onDidChangeServers(again), what);
}

describe("host: settings of a workspace", () => {
  let before_: string | undefined;
  before(async () => {
    await activated();
    before_ = await readSettings();
  });
  afterEach(async () => {
    if (before_ === undefined) await vscode.workspace.fs.delete(settingsFile());
    else await writeSettings(before_);
    await untilServers((ids) => !ids.some((id) => id.startsWith("ws-")), "the servers of the test are gone");
  });

  it("show each problem at its place and lose no other server", async () => {
    await writeSettings(`{
  "signalbox.servers": {
    "ws-bad": { "command": "x", "args": "not a list" },
    "ws-good": { "url": "https://good.test/mcp" }, // fine
  },
}`);
    await untilServers((ids) => ids.includes("ws-good") && ids.includes("ws-bad"), "both entries");
    await until(
      () => problems().length > 0,
      (look) => vscode.languages.onDidChangeDiagnostics(look),
      "a diagnostic",
    );
    const [problem] = problems();
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(problem.range.start.line, 2);
    assert.ok(problem.message.includes("args"), problem.message);
  });

  it("with a syntax error keep the last good servers", async () => {
    const api = await activated();
    await writeSettings('{ "signalbox.servers": { "ws-good": { "url": "https://good.test/mcp" } } }');
    await untilServers((ids) => ids.includes("ws-good"), "the server");
    let isLost = false;
    const watching = api.onDidChangeServers(() => {
      isLost ||= !api.servers().some(({ id }) => id === "ws-good");
    });
    await writeSettings('{ "signalbox.servers": { "ws-good": { "url": "https://go');
    await writeSettings(
      '{ "signalbox.servers": { "ws-other": { "url": "https://other.test/mcp" }, "ws-good": { ',
    );
    // A later good state shows that the broken ones were passed.
    await writeSettings(
      '{ "signalbox.servers": { "ws-good": { "url": "https://good.test/mcp" }, "ws-new": { "url": "https://new.test" } } }',
    );
    await untilServers((ids) => ids.includes("ws-new"), "the next good state");
    watching.dispose();
    assert.equal(isLost, false, "at no time was the good server gone");
  });

  it("start a process in the workspace's folder when they name no other", async () => {
    const api = await activated();
    const script = `
      const tool = { name: "where", description: process.cwd(), inputSchema: { type: "object" } };
      const results = {
        initialize: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "where", version: "1" },
        },
        "tools/list": { tools: [tool] },
      };
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        const result = results[method];
        if (result !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });`;
    const definition = { command: "${nodePath}", args: ["-e", script], protocol: "legacy" };
    await writeSettings("{}");
    await run("addServer", { name: "ws-where", definition });
    try {
      await run("connect", "ws-where");
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
      assert.equal(api.tools("ws-where")[0]?.description, await realpath(folder));
    } finally {
      await run("removeServer", "ws-where", { force: true });
    }
  });

  it("keep their comments when a server is added and removed", async () => {
    await writeSettings(`{
  "signalbox.servers": {
    // the team's server
    "ws-good": { "url": "https://good.test/mcp" }
  }
}`);
    await untilServers((ids) => ids.includes("ws-good"), "the server");
    const definition = { url: "https://more.test/mcp" };
    assert.deepEqual(await run("addServer", { name: "ws-more", definition, target: "workspace" }), [
      "ws-more",
    ]);
    const text = (await readSettings()) ?? "";
    assert.ok(text.includes("// the team's server"), text);
    assert.ok(text.includes("https://more.test/mcp"));
    assert.equal(await run("removeServer", "ws-more", { force: true }), "ws-more");
    const after = (await readSettings()) ?? "";
    assert.ok(after.includes("// the team's server") && !after.includes("more.test"), after);
  });

  it("need an approval that shows the whole command, once, and again after a change", async function () {
    this.timeout(60_000);
    const api = await activated();
    const definition = (name: string): string =>
      JSON.stringify({ "signalbox.servers": { "ws-demo": { ...DEMO, env: { DEMO_NOTE: name } } } });
    await writeSettings(definition("first"));
    await untilServers((ids) => ids.includes("ws-demo"), "the server");

    const closing = answerDialogs("showWarningMessage", () => undefined);
    assert.notEqual(kindOf(await run<ServerState>("connect", "ws-demo")), "connected");
    closing.restore();
    assert.equal(closing.shown.length, 1);
    assert.equal(closing.shown[0]?.isModal, true);
    assert.ok(
      closing.shown[0].detail.includes("${nodePath} ${extensionPath}/dist/demo.mjs --stdio"),
      closing.shown[0].detail,
    );
    assert.ok(closing.shown[0].detail.includes("DEMO_NOTE = first"));

    const allowing = answerDialogs("showWarningMessage", () => "Allow");
    try {
      assert.equal(kindOf(await run<ServerState>("connect", "ws-demo")), "connected");
      await run("disconnect", "ws-demo");
      assert.equal(kindOf(await run<ServerState>("connect", "ws-demo")), "connected");
      assert.equal(allowing.shown.length, 1, "an approved definition is not asked about again");
      await run("disconnect", "ws-demo");

      let isTaken = false;
      const watching = api.onDidChangeServers((id) => {
        isTaken ||= id === undefined;
      });
      await writeSettings(definition("second"));
      await until(
        () => isTaken,
        (look) => api.onDidChangeServers(look),
        "the changed definition",
      );
      watching.dispose();
      assert.equal(kindOf(await run<ServerState>("connect", "ws-demo")), "connected");
      assert.equal(allowing.shown.length, 2);
      assert.ok(allowing.shown[1]?.detail.includes("− Variable DEMO_NOTE: first"), allowing.shown[1]?.detail);
      assert.ok(allowing.shown[1]?.detail.includes("+ Variable DEMO_NOTE: second"));
    } finally {
      allowing.restore();
      await run("disconnect", "ws-demo");
    }
  });

  it("do not start by themselves before they were allowed", async () => {
    const api = await activated();
    const dialogs = answerDialogs("showWarningMessage", () => "Allow");
    try {
      await writeSettings(
        JSON.stringify({ "signalbox.servers": { "ws-auto": { ...DEMO, autostart: true } } }),
      );
      await until(
        () =>
          api
            .servers()
            .some(({ id, state }) => id === "ws-auto" && (state === "blocked" || state === "failed")),
        (look) => api.onDidChangeServers(look),
        "the refusal",
      );
    } finally {
      dialogs.restore();
    }
    assert.deepEqual(dialogs.shown, [], "nobody is asked about what nobody started");
  });
});

describe("host: secrets", () => {
  before(activated);

  it("are stored, named, used and deleted, and never stand in the settings", async function () {
    this.timeout(60_000);
    const value = "s3cret-value-of-the-suite";
    assert.equal(await run("setSecret", "SUITE_TOKEN", value), "SUITE_TOKEN");
    await run("addServer", {
      name: "suite-secret",
      definition: { ...DEMO, env: { TOKEN: "${secret:SUITE_TOKEN}" } },
    });
    try {
      assert.equal(kindOf(await run<ServerState>("connect", "suite-secret")), "connected");
      const settings = JSON.stringify(vscode.workspace.getConfiguration().inspect("signalbox.servers"));
      assert.ok(!settings.includes(value));
    } finally {
      await run("removeServer", "suite-secret", { force: true });
    }
    assert.equal(await run("deleteSecret", "SUITE_TOKEN", { force: true }), "SUITE_TOKEN");
    assert.equal(await run("deleteSecret", "SUITE_TOKEN", { force: true }), undefined, "it is gone");
  });

  it("are deleted with the server when the person wants that", async () => {
    await run("setSecret", "SUITE_ONLY", "value-of-this-test");
    await run("addServer", {
      name: "suite-secret",
      definition: { url: "https://x.test", headers: { K: "${secret:SUITE_ONLY}" } },
    });
    const dialogs = answerDialogs("showWarningMessage", () => "Remove with Its Secrets");
    try {
      assert.equal(await run("removeServer", "suite-secret"), "suite-secret");
    } finally {
      dialogs.restore();
    }
    assert.ok(dialogs.shown[0]?.detail.includes("SUITE_ONLY"));
    assert.equal(await run("deleteSecret", "SUITE_ONLY", { force: true }), undefined, "it is gone");
  });
});
