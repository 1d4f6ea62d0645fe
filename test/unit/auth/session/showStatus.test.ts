import assert from "node:assert/strict";

import { SessionState, type SessionFacts } from "../../../../src/auth/session/sessionState.ts";
import { showReport } from "../../../../src/auth/session/showReport.ts";
import { showStatus } from "../../../../src/auth/session/showStatus.ts";
import { CREDENTIAL, SETTINGS, TOKENS } from "../../../support/credentialFixtures.ts";

const { refresh: _refresh, ...UNRENEWABLE } = TOKENS;
const { tokens: _tokens, ...WITHOUT } = CREDENTIAL;
const NOW = 10_000;
const LATE = 4_000_000;
const LACK = {
  challenge: { scheme: "bearer" as const },
  required: ["a", "c"],
  missing: ["c"],
  scopes: ["a", "b", "c"],
};

describe("what a session shows of itself", () => {
  const cases: readonly [what: string, facts: Partial<SessionFacts>, kind: string, nowMs?: number][] = [
    ["nothing known", {}, "none"],
    ["signing in", { signingInSinceMs: 1 }, "signing-in"],
    ["signing in anew", { signingInSinceMs: 1, credential: CREDENTIAL, need: "revoked" }, "signing-in"],
    ["signed in", { credential: CREDENTIAL }, "signed-in"],
    ["signed in, over and renewable", { credential: CREDENTIAL }, "signed-in", LATE],
    ["over", { credential: { ...CREDENTIAL, tokens: UNRENEWABLE } }, "expired", LATE],
    ["not renewable, but good", { credential: { ...CREDENTIAL, tokens: UNRENEWABLE } }, "signed-in"],
    ["without tokens", { credential: WITHOUT, need: "revoked" }, "needs-sign-in"],
    ["refused for good", { credential: CREDENTIAL, rejected: TOKENS.access }, "needs-sign-in"],
    ["refused for good, and over", { credential: CREDENTIAL, rejected: TOKENS.access }, "expired", LATE],
    ["another one was refused", { credential: CREDENTIAL, rejected: "other" }, "signed-in"],
    ["more scopes are wanted", { credential: CREDENTIAL, lack: LACK }, "needs-scopes"],
    ["in another network", { credential: CREDENTIAL, need: "zone-changed", lack: LACK }, "needs-sign-in"],
    ["signed out", { need: "signed-out" }, "needs-sign-in"],
  ];
  for (const [what, facts, kind, nowMs = NOW] of cases) {
    it(`${what}: ${kind}`, () => {
      assert.equal(showStatus(factsWith(facts), false, nowMs).kind, kind);
    });
  }

  it("says what can be done about the end of a token", () => {
    const credential = { ...CREDENTIAL, tokens: UNRENEWABLE };
    const shown = (isUnattended: boolean) => {
      const status = showStatus(factsWith({ credential }), isUnattended, NOW);
      return status.kind === "signed-in" && status.canRefresh;
    };
    assert.equal(shown(false), false);
    assert.equal(shown(true), true);
  });

  it("reports everything but secrets", () => {
    const facts = factsWith({ credential: CREDENTIAL });
    const report = showReport(
      {
        ...SETTINGS,
        endpoint: new URL("https://key:pass@mcp.example/v1/mcp?key=hidden"),
        clientSecret: "s3cret",
      },
      showStatus(facts, false, NOW),
      "memory",
      CREDENTIAL,
    );
    const text = JSON.stringify(report);
    for (const secret of [
      "access-secret",
      "refresh-secret",
      "client-secret",
      "private",
      "s3cret",
      "hidden",
      "pass@",
    ])
      assert.equal(text.includes(secret), false, secret);
    assert.equal(report.endpoint, "https://mcp.example/v1/mcp");
    assert.deepEqual(report.authorization?.client, {
      kind: "dcr",
      id: "client-1",
      authMethod: "client_secret_basic",
      redirectUri: "http://127.0.0.1:7777/callback",
    });
    assert.equal(report.authorization.canRefresh, true);
  });
});

function factsWith(change: Partial<SessionFacts>): SessionFacts {
  const state = new SessionState(() => undefined);
  state.update(change);
  state.dispose();
  return state.facts;
}
