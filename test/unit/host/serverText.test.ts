import assert from "node:assert/strict";
import { oneLine, pickLabel } from "../../../src/host/serverText.ts";

describe("server text in the editor's own interface", () => {
  it("is one line without characters that hide or reorder", () => {
    assert.equal(oneLine("a\r\nb\t\u202Ec\u2066d\u00ADe\u0007 "), "a b c d e");
    assert.equal(oneLine("x".repeat(400)).length, 300);
  });

  it("draws no icons in a quick pick", () => {
    assert.equal(pickLabel("$(verified) official"), "\\$(verified) official");
  });
});
