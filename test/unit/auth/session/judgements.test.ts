import assert from "node:assert/strict";

import type { ChallengeFacts } from "../../../../src/auth/model/facts.ts";
import { type HeldCredential, compareCredentials } from "../../../../src/auth/session/compareCredentials.ts";
import { judgeForbidden } from "../../../../src/auth/session/judgeForbidden.ts";
import { judgeUnauthorized, type UnauthorizedFacts } from "../../../../src/auth/session/judgeUnauthorized.ts";
import type { Credential } from "../../../../src/auth/store/credential.ts";
import type { KeptRecord } from "../../../../src/auth/store/recordKeeper.ts";
import { CREDENTIAL, FACTS } from "../../../support/credentialFixtures.ts";

describe("what a 401 means", () => {
  const cases: readonly [what: string, facts: Partial<UnauthorizedFacts>, verdict: string][] = [
    ["nothing was sent, and there is nothing", {}, "ask"],
    ["nothing was sent, and no person is needed", { canRenew: true }, "renew"],
    ["nothing was sent, and meanwhile somebody signed in", { current: "b" }, "again"],
    ["the token was sent, and can be renewed", { sent: "a", current: "a", canRenew: true }, "renew"],
    ["the token was sent, and cannot be renewed", { sent: "a", current: "a" }, "reject"],
    ["an older token was sent", { sent: "a", current: "b", canRenew: true }, "again"],
    [
      "the token of a renewal for a 401",
      { sent: "b", current: "b", canRenew: true, unproven: "b" },
      "reject",
    ],
    ["a token that was given up", { sent: "b", current: "b", canRenew: true, rejected: "b" }, "reject"],
    ["an older one than that which was given up", { sent: "a", current: "b", rejected: "b" }, "reject"],
    ["the token is gone since", { sent: "a" }, "ask"],
    [
      "a token that the server took since it was renewed for a 401 just now",
      { sent: "b", current: "b", canRenew: true, isJustRenewed: true },
      "wait",
    ],
    [
      "the token of such a renewal that was never taken",
      { sent: "b", current: "b", canRenew: true, unproven: "b", isJustRenewed: true },
      "reject",
    ],
    ["only the nonce was old", { sent: "a", current: "a", hasNewNonce: true }, "again"],
  ];
  for (const [what, facts, verdict] of cases) {
    // Duty: 16.8.4
    it(`${what}: ${verdict}`, () => {
      const none = { sent: undefined, current: undefined, unproven: undefined, rejected: undefined };
      assert.equal(
        judgeUnauthorized({ ...none, canRenew: false, hasNewNonce: false, isJustRenewed: false, ...facts }),
        verdict,
      );
    });
  }
});

describe("what a 403 means", () => {
  const wanting = (...scopes: string[]): ChallengeFacts => ({
    scheme: "bearer",
    error: "insufficient_scope",
    scopes,
  });
  const facts = {
    ...FACTS,
    requested: { scopes: ["a", "b"], source: "resource" as const, offline: false },
    granted: ["a"],
  };

  // Duty: 16.5.7
  it("is about something else without that error, and without a token", () => {
    assert.equal(judgeForbidden(undefined, facts).kind, "other");
    assert.equal(judgeForbidden({ scheme: "bearer" }, facts).kind, "other");
    assert.equal(judgeForbidden({ scheme: "bearer", error: "invalid_token" }, facts).kind, "other");
    assert.equal(judgeForbidden(wanting("c"), undefined).kind, "other");
  });

  it("asks for everything that was requested, granted or is wanted", () => {
    const verdict = judgeForbidden(wanting("c"), facts);
    assert.ok(verdict.kind === "lack");
    assert.deepEqual([...verdict.lack.scopes].sort(), ["a", "b", "c"]);
    assert.deepEqual(verdict.lack.missing, ["c"]);
    assert.deepEqual(verdict.lack.required, ["c"]);
  });

  // Attack: 68
  it("asks for nothing that is granted, and for nothing that is not named", () => {
    assert.deepEqual(judgeForbidden(wanting("a"), facts), { kind: "granted", required: ["a"] });
    assert.equal(judgeForbidden({ scheme: "bearer", error: "insufficient_scope" }, facts).kind, "unnamed");
    assert.equal(judgeForbidden(wanting(), facts).kind, "unnamed");
  });

  // Attack: 67
  it("asks once for what the authorization server withholds", () => {
    const after = {
      ...facts,
      requested: { scopes: ["a", "b", "c"], source: "step-up" as const, offline: false },
    };
    assert.deepEqual(judgeForbidden(wanting("c"), after), { kind: "withheld", missing: ["c"] });
    assert.equal(judgeForbidden(wanting("d"), after).kind, "lack");
  });
});

describe("what is in use here and what is stored", () => {
  const stored = (change: Partial<Credential> = {}): KeptRecord => ({
    kind: "usable",
    credential: { ...CREDENTIAL, ...change },
  });
  const absent: KeptRecord = { kind: "absent" };
  const unusable: KeptRecord = { kind: "unusable", why: "settings-changed" };
  const held: HeldCredential = { credential: CREDENTIAL, isUnsaved: false, wasSaved: true };
  const nothing: HeldCredential = { credential: undefined, isUnsaved: false, wasSaved: false };
  const unsaved: HeldCredential = { ...held, isUnsaved: true };
  const cases: readonly [what: string, held: HeldCredential, stored: KeptRecord, result: string][] = [
    ["nothing anywhere", nothing, absent, "keep"],
    ["signed in elsewhere", nothing, stored(), "adopt"],
    ["the same", held, stored(), "keep"],
    ["renewed elsewhere", held, stored({ rev: 4 }), "adopt"],
    ["an older look", held, stored({ rev: 2 }), "keep"],
    ["the same count by another window", held, stored({ writer: "window-2" }), "adopt"],
    ["signed in anew elsewhere", held, stored({ account: "account-2", rev: 1 }), "adopt"],
    ["signed out elsewhere", held, absent, "drop"],
    ["other settings elsewhere", held, unusable, "drop"],
    ["other settings elsewhere, and nothing here", nothing, unusable, "keep"],
    ["nobody knows", held, { kind: "failed" }, "keep"],
    ["not stored yet, and an older one is", unsaved, stored({ rev: 2 }), "keep"],
    ["not stored yet, and renewed elsewhere meanwhile", unsaved, stored({ rev: 4 }), "adopt"],
    ["not stored yet, and signed out elsewhere", unsaved, absent, "drop"],
    ["never stored", { ...unsaved, wasSaved: false }, absent, "keep"],
    [
      "not stored yet, and another sign-in before it",
      unsaved,
      stored({ account: "account-2", signedInAtMs: 1 }),
      "keep",
    ],
    [
      "not stored yet, and another sign-in after it",
      unsaved,
      stored({ account: "account-2", signedInAtMs: 9_999 }),
      "adopt",
    ],
  ];
  for (const [what, here, there, result] of cases) {
    it(`${what}: ${result}`, () => {
      assert.equal(compareCredentials(here, there).kind, result);
    });
  }
});
