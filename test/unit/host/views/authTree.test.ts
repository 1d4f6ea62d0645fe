import assert from "node:assert/strict";
import { AuthError, AUTH_ERRORS, type AuthErrorCode } from "../../../../src/auth/authError.ts";
import type { AuthStatus } from "../../../../src/auth/model/authStatus.ts";
import type { ServerEntry } from "../../../../src/client/serverPool.ts";
import type { ServerState } from "../../../../src/client/serverState.ts";
import { actionsFor } from "../../../../src/host/problemActions.ts";
import type { TreeContext, TreeItemModel } from "../../../../src/host/views/nodes.ts";
import { statusBarModel } from "../../../../src/host/views/statusBarModel.ts";
import { childrenOfServer, itemOfServer } from "../../../../src/host/views/treeModel.ts";
import { connected, fakeConfig, fakeTool } from "../fakePool.ts";
import { english } from "../panels/english.ts";

const words: TreeContext = {
  maySample: () => false,
  isWatched: () => false,
  isChanged: () => false,
  t: english,
  describe: (problem) => ({ message: problem.message }),
};
const issuer = "https://auth.example.com";
const blocked: ServerState = { kind: "blocked", problem: new AuthError("sign-in-needed", { server: "s" }) };
const up = connected([fakeTool("look")]);

function entry(state: ServerState, authorization: AuthStatus | undefined): ServerEntry {
  return { id: "s", config: fakeConfig("s"), problems: [], state, authorization };
}

const notes = (of: ServerEntry): readonly TreeItemModel[] =>
  childrenOfServer(of, words).flatMap(({ kind, item }) => (kind === "note" ? [item] : []));

describe("the authorization of a server in the tree", () => {
  it("is a lock and a row to click when a server only waits for somebody to sign in", () => {
    const waiting = entry(blocked, { kind: "needs-sign-in", reason: "first" });
    const item = itemOfServer(waiting, words);
    assert.deepEqual(
      [item.icon.id, item.description, item.contextValue, item.children],
      ["lock", "Needs sign-in", "server.blocked.http.auth-signInNeeded", "expanded"],
    );
    assert.equal(item.accessibleLabel, "Server s, Needs sign-in");
    const rows = notes(waiting);
    assert.deepEqual(
      rows.map(({ label, click }) => [label, click]),
      [["Sign in to use this server", "signIn"]],
      "the problem is not said a second time",
    );
    assert.equal(rows[0]?.accessibleLabel, "Warning: Sign in to use this server");
  });

  it("is a lock also while the server is connected and refuses everything", () => {
    const iconOf = (state: ServerState, authorization: AuthStatus): string =>
      itemOfServer(entry(state, authorization), words).icon.id;
    assert.equal(iconOf(up, { kind: "needs-sign-in", reason: "revoked" }), "lock");
    assert.equal(iconOf(up, { kind: "expired", issuer, expiredAtMs: 0 }), "lock");
    const lack = { kind: "needs-scopes", issuer, required: ["w"], granted: [], missing: ["w"] } as const;
    assert.equal(iconOf(up, lack), "pass-filled", "the rest of it works");
    assert.equal(iconOf({ kind: "stopped" }, { kind: "expired", issuer, expiredAtMs: 0 }), "circle-outline");
  });

  it("stays beside the protocol while the server is connected", () => {
    const item = itemOfServer(entry(up, { kind: "signed-in", issuer, scopes: [], canRefresh: true }), words);
    assert.deepEqual(
      [item.description, item.icon.id, item.contextValue],
      ["Modern 2026-07-28 · Signed in", "pass-filled", "server.connected.http.auth-signedIn"],
    );
    assert.equal(item.accessibleLabel, "Server s, Connected · Signed in · Modern 2026-07-28");
    assert.ok(item.tooltip.some(({ name, text }) => name === "Authorization server" && text === issuer));
  });

  for (const [status, label, click] of [
    [
      { kind: "needs-scopes", issuer, required: ["w"], granted: ["r"], missing: ["w"] },
      "Wants more permission: w",
      "signInWithMoreScopes",
    ],
    [{ kind: "expired", issuer, expiredAtMs: 0 }, "Sign in again: it has expired", "signIn"],
    [
      { kind: "needs-sign-in", reason: "client-unknown" },
      "Sign in with a new registration",
      "signInWithNewRegistration",
    ],
    [{ kind: "needs-sign-in", reason: "settings-changed" }, "Sign in again", "signIn"],
    [
      { kind: "external", isRejected: true },
      "The server does not take the credential of the settings",
      "editServer",
    ],
    [
      { kind: "signed-in", issuer, scopes: [], canRefresh: true, refreshProblem: "HTTP\u0007 503" },
      "Not renewed: HTTP\\u{7} 503",
      "showServerLog",
    ],
  ] as const) {
    it(`is cured with one click: ${label}`, () => {
      const rows = notes(entry(up, status));
      assert.deepEqual([rows[0]?.label, rows[0]?.click], [label, click]);
    });
  }

  it("says nothing where there is nothing to do", () => {
    for (const status of [undefined, { kind: "none" }, { kind: "external", isRejected: false }] as const)
      assert.deepEqual(notes(entry(up, status)), []);
  });

  it("leaves another failure as it is", () => {
    const broken: ServerState = {
      kind: "failed",
      problem: new AuthError("no-resource-metadata", { server: "s", places: "x" }),
    };
    const item = itemOfServer(entry(broken, { kind: "none" }), words);
    assert.deepEqual([item.icon.id, item.description], ["error", "Failed"]);
    assert.equal(notes(entry(broken, { kind: "none" })).length, 1);
  });

  it("is counted in the status bar, and is no failure there", () => {
    const held = { ...entry({ ...blocked, kind: "failed" }, { kind: "expired", issuer, expiredAtMs: 0 }) };
    const model = statusBarModel([held, entry(up, undefined)], 0, english);
    assert.equal(model?.text, "$(plug) 1/2 $(lock) 1");
    assert.equal(model.label, "1 of 2 MCP servers connected, 1 need authorization");
    assert.ok(model.tooltip.some(({ name, text }) => name === "s" && text === "Sign-in expired"));
  });
});

describe("what is offered against a failed authorization", () => {
  const offered = (code: AuthErrorCode): readonly string[] => actionsFor(new AuthError(code, {}));

  it("is signing in, with more scopes where those are missing, with a new registration where the client is unknown", () => {
    assert.deepEqual(offered("sign-in-needed"), ["signalbox.signIn"]);
    assert.equal(offered("insufficient-scope")[0], "signalbox.signInWithMoreScopes");
    assert.equal(offered("client-unknown")[0], "signalbox.signInWithNewRegistration");
    assert.ok(offered("sign-in-timeout").includes("signalbox.signInWithNewRegistration"));
    assert.equal(offered("credential-rejected")[0], "signalbox.editServer");
    // A new registration cannot help a client that the settings name.
    assert.deepEqual(offered("client-refused"), ["signalbox.editServer", "signalbox.setSecret"]);
    assert.deepEqual(offered("sign-in-declined"), []);
  });

  it("is never signing in again where the person has given everything already", () => {
    assert.ok(offered("scope-already-granted").every((action) => !action.startsWith("signalbox.signIn")));
  });

  it("is never more than fits beside a message", () => {
    for (const code of Object.keys(AUTH_ERRORS) as AuthErrorCode[])
      assert.ok(offered(code).length <= 2, code);
  });
});
