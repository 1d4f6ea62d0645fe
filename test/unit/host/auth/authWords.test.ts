import assert from "node:assert/strict";
import type { AuthStatus } from "../../../../src/auth/model/authStatus.ts";
import { AuthError } from "../../../../src/auth/authError.ts";
import {
  authContext,
  authLines,
  authWords,
  needsPerson,
  wrongAddressWords,
} from "../../../../src/host/auth/authWords.ts";
import { english } from "../panels/english.ts";

const issuer = "https://auth.example.com";
const signedIn = { kind: "signed-in", issuer, scopes: ["a", "b"], canRefresh: true } as const;

const TABLE: readonly (readonly [AuthStatus | undefined, string | undefined, string, boolean])[] = [
  [undefined, undefined, "", false],
  [{ kind: "none" }, undefined, "maySignIn", false],
  [{ kind: "external", isRejected: false }, "Credential from the settings", "external", false],
  [{ kind: "external", isRejected: true }, "Credential not accepted", "external", true],
  [{ kind: "signing-in", sinceMs: 0 }, "Signing in…", "signingIn", false],
  [signedIn, "Signed in", "signedIn", false],
  [{ ...signedIn, refreshProblem: "busy" }, "Signed in, not renewed", "signedIn", false],
  [{ kind: "expired", issuer, expiredAtMs: 0 }, "Sign-in expired", "signInNeeded", true],
  [{ kind: "needs-sign-in", reason: "first" }, "Needs sign-in", "signInNeeded", true],
  [{ kind: "needs-sign-in", reason: "signed-out" }, "Signed out", "signInNeeded", false],
  [
    { kind: "needs-scopes", issuer, required: ["a"], granted: [], missing: ["a"] },
    "Needs more permission",
    "scopesNeeded",
    true,
  ],
];

describe("how an authorization reads", () => {
  for (const [status, words, context, isWaiting] of TABLE) {
    it(`is ${words ?? "nothing"} for ${status?.kind ?? "a process"}`, () => {
      assert.equal(authWords(status, english), words);
      assert.equal(authContext(status), context);
      assert.equal(needsPerson(status), isWaiting);
    });
  }

  it("says the issuer, the scopes and the end of a token, and never a token", () => {
    const lines = authLines({ ...signedIn, expiresAtMs: 0, canRefresh: false }, english);
    const facts = Object.fromEntries(lines.map(({ name, text }) => [name ?? "", text]));
    assert.equal(facts["Authorization"], "Signed in");
    assert.equal(facts["Authorization server"], issuer);
    assert.equal(facts["Scopes"], "a, b");
    assert.match(facts["Token valid until"] ?? "", /^(1970-01-01|1969-12-31) \d\d:\d\d$/);
    assert.match(facts[""] ?? "", /cannot be renewed/);
  });

  it("says what is missing and what is there", () => {
    const missing = Array.from({ length: 15 }, (_, index) => `s${String(index)}`);
    const lines = authLines(
      { kind: "needs-scopes", issuer, required: missing, granted: ["x"], missing },
      english,
    );
    const facts = Object.fromEntries(lines.map(({ name, text }) => [name ?? "", text]));
    assert.match(facts["Missing scopes"] ?? "", /s11 and 3 more$/);
    assert.equal(facts["Granted scopes"], "x");
  });

  it("asks for another address where a pasted one is wrong, and not for another sign-in", () => {
    const problem = new AuthError("callback-invalid", { server: "files", reason: "it has been used before" });
    const words = wrongAddressWords(problem, english);
    assert.match(words, /it has been used before\. Paste the whole address .* still waits/);
    assert.doesNotMatch(words, /[Ss]ign in again/);
  });
});
