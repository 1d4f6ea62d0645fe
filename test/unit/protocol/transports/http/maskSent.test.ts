import assert from "node:assert/strict";
import { maskSent } from "../../../../../src/protocol/transports/http/maskSent.ts";

describe("maskSent", () => {
  it("hides a credential with and without its scheme, wherever it came from", () => {
    const said = "no Bearer token-1, just token-1, and key-22 in x-api-key";
    const masked = maskSent(said, { "x-api-key": "key-22" }, { authorization: "Bearer token-1" });
    assert.equal(masked, "no •••, just •••, and ••• in x-api-key");
  });

  it("leaves everything else as the server wrote it", () => {
    const said = "accept application/json, please";
    assert.equal(maskSent(said, { accept: "application/json" }, {}), said);
    assert.equal(maskSent("", {}, { authorization: "Bearer token-1" }), "");
  });
});
