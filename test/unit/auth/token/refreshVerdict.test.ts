import assert from "node:assert/strict";
import { AuthError, type AuthErrorCode } from "../../../../src/auth/authError.ts";
import { refreshVerdict, type RefreshVerdict } from "../../../../src/auth/token/refreshVerdict.ts";
import { NetError } from "../../../../src/net/netError.ts";

const names = { server: "demo", issuer: "https://as.test", status: 400, description: "" };
const refused = (error: string): AuthError => new AuthError("token-refused", { ...names, error });
const failed = (code: AuthErrorCode): AuthError => new AuthError(code, names);

describe("refreshVerdict", () => {
  const rows: readonly [error: unknown, verdict: RefreshVerdict][] = [
    [refused("invalid_grant"), "revoked"],
    [refused("bad_refresh_token"), "revoked"],
    [refused("invalid_request"), "refused"],
    [refused("invalid_target"), "refused"],
    [refused("unauthorized_client"), "refused"],
    [refused("unknown_error"), "refused"],
    [failed("client-unknown"), "client-unknown"],
    [failed("client-refused"), "refused"],
    [failed("token-not-bound"), "refused"],
    [failed("bad-client-key"), "refused"],
    [failed("bad-dpop-key"), "refused"],
    [failed("secret-cross-origin"), "refused"],
    [failed("bad-settings"), "refused"],
    [failed("refresh-unavailable"), "later"],
    [failed("bad-token-answer"), "later"],
    [new NetError("tls-expired", { server: "demo" }), "later"],
    [new NetError("zone-escalation", { server: "demo" }), "later"],
    [new Error("aborted"), "later"],
    [undefined, "later"],
  ];
  for (const [error, verdict] of rows) {
    const name =
      error instanceof AuthError ? `${error.code} ${String(error.args["error"] ?? "")}` : String(error);
    it(`${name.trim()} means ${verdict}`, () => {
      assert.equal(refreshVerdict(error), verdict);
    });
  }
});
