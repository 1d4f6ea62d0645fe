import assert from "node:assert/strict";
import { maskSent } from "../../../../../src/protocol/transports/http/maskSent.ts";

describe("maskSent", () => {
  it("hides a credential with and without its scheme, wherever it came from", () => {
    const said = "no Bearer token-11, just token-11, and the-key-22 in x-api-key";
    const masked = maskSent(said, { "x-api-key": "the-key-22" }, { authorization: "Bearer token-11" });
    assert.equal(masked, "no •••, just •••, and ••• in x-api-key");
  });

  it("leaves everything else as the server wrote it", () => {
    const said = "accept application/json, please";
    assert.equal(maskSent(said, { accept: "application/json" }, {}), said);
    const error = '{"code":-32001,"message":"no session 2001"}';
    assert.equal(maskSent(error, { "mcp-session-id": "2001-2001", "x-api-key": "32001" }, {}), error);
    assert.equal(maskSent("", {}, { authorization: "Bearer token-11" }), "");
  });
});
