import assert from "node:assert/strict";
import { AuthError, type AuthErrorCode } from "../../../src/auth/authError.ts";
import { ClientError } from "../../../src/client/clientError.ts";
import { wasUnasked } from "../../../src/client/connectAttempt.ts";
import { isBlocking } from "../../../src/client/serverProblems.ts";
import { NetError } from "../../../src/net/netError.ts";
import { EngineError } from "../../../src/protocol/engineError.ts";

const auth = (code: AuthErrorCode): AuthError => new AuthError(code, { server: "s" });

describe("isBlocking", () => {
  for (const problem of [
    auth("sign-in-needed"),
    auth("credential-rejected"),
    auth("insufficient-scope"),
    auth("sign-in-declined"),
    auth("bad-settings"),
    auth("client-unknown"),
    new NetError("zone-changed", { server: "s" }),
    new ClientError("not-approved", { server: "s" }),
  ]) {
    it(`waits for a person after ${problem.code}`, () => {
      assert.equal(isBlocking(problem), true);
    });
  }

  for (const problem of [
    auth("refresh-unavailable"),
    auth("token-unavailable"),
    auth("bad-metadata"),
    auth("issuer-mismatch"),
    new NetError("refused", { server: "s" }),
    new EngineError("authorization-required", { server: "s", status: 401 }),
    new ClientError("not-connected", { server: "s" }),
  ]) {
    it(`is a failure after ${problem.code}`, () => {
      assert.equal(isBlocking(problem), false);
    });
  }
});

describe("wasUnasked", () => {
  const needed = auth("sign-in-needed");
  const unapproved = new ClientError("not-approved", { server: "s" });
  const unset = new ClientError("unset-variable", { server: "s" });

  it("is so where nobody could be asked, and somebody can be now", () => {
    assert.equal(wasUnasked(needed, { interactive: false }), true);
    assert.equal(wasUnasked(needed, { interactive: true, isRestart: true }), true);
    assert.equal(wasUnasked(unapproved, { interactive: false }), true);
    assert.equal(wasUnasked(unset, { interactive: false, isRestart: true }), true);
  });

  it("is not so where somebody was asked, or nothing could have been asked", () => {
    assert.equal(wasUnasked(needed, { interactive: true }), false);
    assert.equal(wasUnasked(auth("sign-in-declined"), { interactive: false }), false);
    assert.equal(wasUnasked(unapproved, { interactive: true }), false);
    assert.equal(wasUnasked(unset, { interactive: false }), false);
    assert.equal(wasUnasked(new Error("other"), { interactive: false }), false);
  });
});
