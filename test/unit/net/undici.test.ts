import assert from "node:assert/strict";
import * as whole from "undici";
import * as parts from "../../../src/net/undici.ts";

describe("the parts of undici", () => {
  it("are those that the package exports", () => {
    assert.equal(parts.Client, whole.Client);
    assert.equal(parts.Pool, whole.Pool);
    assert.equal(parts.buildConnector, whole.buildConnector);
    assert.equal(parts.connect, (whole.Client.prototype as { connect: unknown }).connect);
  });
});
