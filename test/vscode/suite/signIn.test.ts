import assert from "node:assert/strict";
import * as vscode from "vscode";
import { AuthError } from "../../../src/auth/authError.ts";
import type { AuthStatus } from "../../../src/auth/model/authStatus.ts";
import type { SignOutOutcome } from "../../../src/auth/model/authSession.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import type { SignalboxApi } from "../../../src/host/api.ts";
import { writeCures } from "../../../src/host/auth/writeCures.ts";
import { browse } from "../../support/browse.ts";
import { EvilAuth, MARK } from "../../support/evilAuth.ts";
import { activated, answerDialogs, type Dialogs, run, type Shown } from "./hostSupport.ts";

const SERVER = "sign-in-server";

/** Takes the place of a function of the editor. The answer puts it back. */
function replace(owner: object, name: string, value: unknown): () => void {
  const functions = owner as Record<string, unknown>;
  const before = functions[name];
  functions[name] = value;
  return () => {
    functions[name] = before;
  };
}

/** An input box that a person answers as soon as it is shown; undefined leaves it open. */
function answeredBox(answer: (box: { prompt?: string; password?: boolean }) => string | undefined): unknown {
  const accept = new vscode.EventEmitter<void>();
  const hide = new vscode.EventEmitter<void>();
  const never = new vscode.EventEmitter<never>();
  const box = {
    value: "",
    password: false,
    onDidAccept: accept.event,
    onDidHide: hide.event,
    onDidChangeValue: never.event,
    onDidTriggerButton: never.event,
    show() {
      const text = answer(box);
      if (text === undefined) return;
      box.value = text;
      accept.fire();
    },
    hide: () => hide.fire(),
    dispose() {
      for (const emitter of [accept, hide, never]) emitter.dispose();
    },
  };
  return box;
}

describe("host: signing in", function () {
  this.timeout(60_000);
  let api: SignalboxApi;
  let evil: EvilAuth;
  let questions: Dialogs;
  let troubles: Dialogs;
  let undo: (() => void)[];
  /** What the person presses in the question. */
  let press: string | undefined;
  /** What the person presses beside an error. */
  let onTrouble: (shown: Shown) => string | undefined;
  /** Where the browser was sent, each exactly as it was handed over. */
  let visited: string[];
  /** The browser, which goes where it is sent unless a test says otherwise. */
  let visit: (url: string) => void;

  beforeEach(async () => {
    api = await activated();
    evil = await EvilAuth.start({ toolScope: "files:write" });
    press = "Open Browser";
    onTrouble = () => undefined;
    visited = [];
    visit = (url) => void browse(url);
    questions = answerDialogs("showInformationMessage", ({ isModal }) => (isModal ? press : undefined));
    troubles = answerDialogs("showErrorMessage", (shown) => onTrouble(shown));
    undo = [
      () => questions.restore(),
      () => troubles.restore(),
      replace(vscode.env, "openExternal", async (url: unknown) => {
        assert.equal(typeof url, "string", "a Uri would write the query anew");
        visited.push(String(url));
        visit(String(url));
        return true;
      }),
      replace(vscode.env, "asExternalUri", async (uri: vscode.Uri) => uri),
      replace(vscode.window, "createInputBox", () => answeredBox(() => undefined)),
    ];
    await add({ url: evil.url });
  });

  afterEach(async () => {
    await run("removeServer", SERVER, { force: true });
    for (const each of undo) each();
    await evil.close();
  });

  async function add(entry: JsonObject): Promise<void> {
    await run("addServer", { name: SERVER, definition: { protocol: "2026-07-28", ...entry } });
  }

  const signIn = (): Thenable<AuthStatus | undefined> => run("signIn", SERVER);
  const call = (): Promise<JsonObject> => api.callTool(SERVER, "t", {}, { caller: "suite" });
  const stateOf = (): string | undefined => api.servers().find(({ id }) => id === SERVER)?.state;

  it("asks, opens the browser with the address as it is, and connects", async () => {
    const status = await signIn();
    assert.equal(status?.kind, "signed-in", JSON.stringify(troubles.shown));
    assert.equal(stateOf(), "connected");
    const [question] = questions.shown;
    assert.equal(question?.message, `Sign in to “${SERVER}”?`);
    assert.deepEqual(question.choices, ["Open Browser", "Copy Details"]);
    assert.match(question.detail, new RegExp(`Authorization server: ${evil.authority.issuer}`));
    assert.equal(visited.length, 1);
    assert.ok(visited[0]?.startsWith(`${evil.authority.issuer}/authorize?`));
  });

  it("opens nothing when the person declines, and says nothing more about it", async () => {
    press = undefined;
    const status = await signIn();
    assert.equal(status?.kind, "needs-sign-in");
    assert.deepEqual([visited, evil.authority.at("/authorize"), troubles.shown], [[], [], []]);
  });

  it("signs in when the server is connected by hand and wants it", async () => {
    await run("connect", SERVER);
    assert.equal(stateOf(), "connected");
    assert.equal(visited.length, 1);
  });

  it("takes the address that the browser ended on, and keeps it out of sight", async () => {
    let ended: ((address: string) => void) | undefined;
    const address = new Promise<string>((resolve) => {
      ended = resolve;
    });
    // This browser does not reach the listener.
    visit = (url) =>
      void fetch(url, { redirect: "manual" }).then((answer) => ended?.(answer.headers.get("location") ?? ""));
    const signedIn = signIn();
    const pasted = await address;
    const boxes: { password?: boolean }[] = [];
    undo.push(
      replace(vscode.window, "createInputBox", () =>
        answeredBox((box) => {
          boxes.push(box);
          return pasted;
        }),
      ),
    );
    assert.equal(await run("pasteSignInAddress", SERVER), SERVER);
    assert.equal((await signedIn)?.kind, "signed-in");
    assert.deepEqual(
      boxes.map(({ password }) => password),
      [true],
    );
  });

  it("copies the address while the browser is waited for, and cannot be asked for it later", async () => {
    visit = () => undefined;
    const signedIn = signIn();
    while (visited.length === 0) await new Promise((resume) => setImmediate(resume));
    assert.equal(await run("copySignInAddress", SERVER), SERVER);
    assert.equal(await vscode.env.clipboard.readText(), visited[0]);
    await vscode.env.clipboard.writeText("");
    void browse(visited[0] ?? "");
    assert.equal((await signedIn)?.kind, "signed-in");
    assert.equal(await run("copySignInAddress", SERVER), undefined);
  });

  it("offers more permission where another extension's call wants it, and gives what the person allows", async () => {
    await signIn();
    undo.push(allowCalls());
    onTrouble = ({ choices }) => choices.find((choice) => choice.startsWith("Sign In With More Scopes"));
    const granted = new Promise<void>((resolve) => {
      const watching = questions.onDidShow(() => {
        if (!questions.shown.some(({ message }) => message.startsWith("You are signed in"))) return;
        watching.dispose();
        resolve();
      });
    });
    questions.shown.length = 0;
    await assert.rejects(call(), /more permission/);
    await granted;
    const [question] = questions.shown.filter(({ isModal }) => isModal);
    assert.equal(question?.message, `Give “${SERVER}” more permission?`);
    assert.match(question.detail, /New scopes: files:write/);
    assert.ok((await call()) !== undefined);
    assert.equal(troubles.shown.length, 1);
  });

  it("signs out with the tokens revoked, and shows no secret on the way", async () => {
    await signIn();
    const shown = await run<string>("showAuthorization", SERVER);
    const copied = await run<string>("copyAuthorizationReport", SERVER);
    assert.equal(await vscode.env.clipboard.readText(), copied);
    assert.match(shown, new RegExp(`Issuer: ${evil.authority.issuer}`));
    for (const text of [shown, copied, ...questions.shown.map(({ detail }) => detail)]) {
      assert.doesNotMatch(text, new RegExp(MARK));
      for (const secret of evil.authority.secrets) assert.ok(!text.includes(secret));
    }
    const outcome = await run<SignOutOutcome>("signOut", SERVER);
    assert.deepEqual(outcome, { kind: "revoked" });
    assert.equal(stateOf(), "stopped");
    assert.ok(evil.authority.at("/revoke").length > 0);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("signs out of a server that the person removes, after it said so", async () => {
    await signIn();
    const removal = answerDialogs("showWarningMessage", ({ isModal }) => (isModal ? "Remove" : undefined));
    undo.push(() => removal.restore());
    assert.equal(await run("removeServer", SERVER), SERVER);
    assert.match(removal.shown[0]?.detail ?? "", /You are signed out of it as well/);
    assert.equal(evil.authority.at("/revoke").length, 1);
    await add({ url: evil.url });
    visited.length = 0;
    press = undefined;
    await run("connect", SERVER);
    assert.notEqual(stateOf(), "connected", "what it was signed in with is gone");
    assert.deepEqual([visited, troubles.shown], [[], []]);
  });

  it("asks for exactly the scopes that it is told, and registers anew when it is told so", async () => {
    await run("signInWithScopes", SERVER, ["a", "b"]);
    assert.equal(new URL(visited[0] ?? "").searchParams.get("scope"), "a b");
    const [first] = evil.authority.at("/authorize");
    await run("signInWithNewRegistration", SERVER);
    const last = evil.authority.at("/authorize").at(-1);
    assert.notEqual(last?.query.get("client_id"), first?.query.get("client_id"));
  });

  it("begins anew, in the way that is asked for, while a page of the browser leads nowhere", async () => {
    await signIn();
    visit = () => undefined;
    visited.length = 0;
    const stuck = signIn();
    while (visited.length < 1) await new Promise((resume) => setImmediate(resume));
    const closed = signIn();
    while (visited.length < 2) await new Promise((resume) => setImmediate(resume));
    visit = (url) => void browse(url);
    assert.equal((await run<AuthStatus>("signInWithNewRegistration", SERVER)).kind, "signed-in");
    await Promise.all([stuck, closed]);
    const clients = visited.map((url) => new URL(url).searchParams.get("client_id"));
    assert.equal(clients[0], clients[1]);
    assert.notEqual(clients[2], clients[1]);
    assert.deepEqual(troubles.shown, [], "who begins anew needs no word about what was given up");
  });

  it("has the authorization server ask who signs in, when it was the wrong account", async () => {
    await signIn();
    await run("signInWithAnotherAccount", SERVER);
    assert.deepEqual(
      evil.authority.at("/authorize").map(({ query }) => query.get("prompt")),
      [null, "login"],
    );
  });

  // Attack: 93
  it("opens no browser for a server whose settings carry a credential, and says how to renew it", async () => {
    await run("removeServer", SERVER, { force: true });
    await add({ url: evil.url, headers: { Authorization: "Bearer of bad news" } });
    onTrouble = () => undefined;
    await run("connect", SERVER);
    await signIn();
    assert.deepEqual([visited, evil.authority.http.requests], [[], []]);
    assert.match(troubles.shown[0]?.message ?? "", /did not take the credential/);
    assert.equal(troubles.shown[0]?.choices[0], "Open Settings");
    assert.match(troubles.shown[1]?.message ?? "", /credential of their own/);
  });

  it("says in chat what is missing, with a button for each way out, and is silent about other failures", () => {
    const said: string[] = [];
    const buttons: vscode.Command[] = [];
    const stream = {
      markdown: (text: vscode.MarkdownString) => void said.push(text.value),
      button: (button: vscode.Command) => void buttons.push(button),
    } as unknown as vscode.ChatResponseStream;
    writeCures(stream, new Error("something else"), SERVER);
    writeCures(stream, undefined, SERVER);
    assert.deepEqual([said, buttons], [[], []]);
    writeCures(stream, new AuthError("insufficient-scope", { server: SERVER, missing: "*w*" }), SERVER);
    assert.match(said.join(""), /gave it\\: \\\*w\\\*/);
    assert.deepEqual(
      buttons.map(({ command, title, arguments: args }) => [command, title, args]),
      [
        ["signalbox.signInWithMoreScopes", "Sign In With More Scopes…", [SERVER]],
        ["signalbox.showAuthorization", "Show Authorization", [SERVER]],
      ],
    );
  });

  /** Lets the calls of other extensions through. */
  function allowCalls(): () => void {
    const asked = answerDialogs("showWarningMessage", ({ choices }) =>
      choices.find((choice) => choice === "Allow for This Session"),
    );
    return () => asked.restore();
  }
});
