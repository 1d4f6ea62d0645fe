import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { AuthStatus } from "../../../src/auth/model/authStatus.ts";
import type { ToolRunToHost, ToolRunToPage } from "../../../src/shared/toolRunMessages.ts";
import { browse } from "../../support/browse.ts";
import { type Bends, EvilAuth, MARK } from "../../support/evilAuth.ts";
import { textsOf } from "../../support/textsOf.ts";
import { activated, answerDialogs, type Dialogs, run } from "./hostSupport.ts";
import { PanelWatcher } from "./panelPerson.ts";

const SERVER = "hunted";
/** Where credentials are kept: the one place for secrets. */
const KEPT = "oauth-credentials";

/** Puts something else in the place of a function of the editor until it is given back. */
class Stand {
  readonly #restores: (() => void)[] = [];

  replace(owner: object, name: string, create: (original: (...args: never[]) => unknown) => unknown): void {
    const place = owner as Record<string, unknown>;
    const original = place[name];
    place[name] = create((original as (...args: never[]) => unknown).bind(owner));
    this.#restores.push(() => {
      place[name] = original;
    });
  }

  restore(): void {
    for (const restore of this.#restores.splice(0).reverse()) restore();
  }
}

/** Every file of the profile: those in which credentials are kept, or all others. */
async function readProfile(folder: string, isKept: boolean): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.parentPath.split(path.sep).includes(KEPT) === isKept)
    .map((entry) => path.join(entry.parentPath, entry.name));
  // One that is gone by now holds nothing.
  const read = async (file: string): Promise<[string, string]> => [
    file,
    await readFile(file, "latin1").catch(() => ""),
  ];
  return new Map(await Promise.all(files.map(read)));
}

describe("host: secrets of a sign-in", function () {
  this.timeout(60_000);
  const stand = new Stand();
  /** Lines of the server's channel, at every level, with the wire switched on. */
  const lines: string[] = [];
  const bends: Bends = {};
  let evil: EvilAuth;
  let dialogs: Dialogs[];
  let watcher: PanelWatcher<ToolRunToPage, ToolRunToHost>;

  before(async () => {
    await activated();
    evil = await EvilAuth.start(bends);
    stand.replace(vscode.window, "createOutputChannel", (original) => (name: string, options: never) => {
      const channel = original(name as never, options) as vscode.LogOutputChannel;
      return new Proxy(channel, {
        get(target, key) {
          if (key === "logLevel") return vscode.LogLevel.Trace;
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== "function") return value;
          return (...args: unknown[]) => {
            lines.push(`${name} ${args.map(String).join(" ")}`);
            return (value as (...all: unknown[]) => unknown).apply(target, args);
          };
        },
      });
    });
    stand.replace(vscode.env, "openExternal", () => async (address: unknown) => {
      void browse(String(address));
      return Promise.resolve(true);
    });
    stand.replace(vscode.env, "asExternalUri", () => (uri: vscode.Uri) => Promise.resolve(uri));
    dialogs = (["showInformationMessage", "showWarningMessage", "showErrorMessage"] as const).map((kind) =>
      answerDialogs(kind, ({ choices }) => choices.find((choice) => choice === "Open Browser")),
    );
    watcher = new PanelWatcher("signalbox.toolRun");
    await wire(true);
    await run("addServer", { name: SERVER, definition: { url: evil.url } });
  });

  after(async () => {
    await run("removeServer", SERVER, { force: true });
    await wire(undefined);
    for (const { panel } of watcher.panels) panel.dispose();
    watcher.dispose();
    for (const dialog of dialogs) dialog.restore();
    stand.restore();
    await evil.close();
  });

  function wire(isOn: boolean | undefined): Thenable<void> {
    const target = vscode.ConfigurationTarget.Global;
    return vscode.workspace.getConfiguration("signalbox").update("log.wire", isOn, target);
  }

  /** Runs the tool in its panel, and waits until that says how it went. */
  async function runTool(): Promise<void> {
    await run("runTool", SERVER, "t");
    await watcher.until(() => watcher.last?.isReady === true, "the panel is there");
    const from = watcher.last?.sent.length ?? 0;
    watcher.last?.say({ type: "run", arguments: {}, checked: true });
    const isOver = (message: ToolRunToPage): boolean =>
      message.type === "view" && ["done", "failed"].includes(message.view.run.kind);
    await watcher.until(() => watcher.last?.sent.slice(from).some(isOver) === true, "the tool has run");
  }

  // Attack: 59
  it("are in no channel, dialog, page, report, setting or file but the one that keeps them", async () => {
    const statusOf = (): Thenable<AuthStatus | undefined> => run<AuthStatus | undefined>("signIn", SERVER);
    const signedIn = await statusOf();
    assert.equal(signedIn?.kind, "signed-in");
    const profile = process.env["SIGNALBOX_PROFILE"];
    assert.ok(profile !== undefined, "the profile is known");
    const kept = [...(await readProfile(profile, true)).values()];
    assert.ok(
      kept.some((text) => text.includes(MARK)),
      "the credential is kept in a file",
    );
    await runTool();
    // Renewed, then refused with everything that was sent thrown back, by both servers.
    evil.authority.expire();
    await runTool();
    bends.mcp = (exchange) =>
      exchange.json(500, { error: `you sent ${String(exchange.request.headers.authorization)}` });
    await runTool();
    delete bends.mcp;
    bends.token = (exchange) =>
      exchange.json(400, { error: "invalid_grant", error_description: exchange.request.body });
    evil.authority.expire();
    await runTool();
    delete bends.token;
    const shown = [await run("showAuthorization", SERVER), await run("copyAuthorizationReport", SERVER)];
    await run("signIn", SERVER);
    await run("signOut", SERVER);

    assert.ok(evil.authority.at("/revoke").length > 0);
    const secrets = [...evil.authority.secrets];
    assert.ok(secrets.length > 10);
    assert.ok(
      lines.some((line) => line.includes("tools/call")),
      "the channel was watched",
    );
    const files = await readProfile(profile, false);
    assert.ok(files.size > 5);
    const places: Readonly<Record<string, readonly string[]>> = {
      channels: lines,
      dialogs: textsOf(dialogs.map((dialog) => dialog.shown)),
      pages: textsOf(watcher.panels.map(({ sent }) => sent)),
      reports: textsOf(shown),
      settings: textsOf(vscode.workspace.getConfiguration("signalbox")),
      documents: vscode.workspace.textDocuments.map((document) => document.getText()),
      clipboard: [await vscode.env.clipboard.readText()],
    };
    for (const secret of [...secrets, MARK]) {
      for (const [place, texts] of Object.entries(places)) {
        const found = texts.find((text) => text.includes(secret));
        assert.equal(found?.slice(0, 300), undefined, `${secret} is in the ${place}`);
      }
      const [file] = [...files].find(([, text]) => text.includes(secret)) ?? [];
      assert.equal(file, undefined, `${secret} is in a file`);
    }
  });
});
