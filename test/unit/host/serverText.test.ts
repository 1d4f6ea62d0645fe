import assert from "node:assert/strict";
import { oneLine, pickLabel, withoutLinks } from "../../../src/host/serverText.ts";

describe("server text in the editor's own interface", () => {
  it("is one line without characters that hide or reorder", () => {
    assert.equal(oneLine("a\r\nb\t\u202Ec\u2066d\u00ADe\u0007 "), "a b c d e");
    assert.equal(oneLine("x".repeat(400)).length, 300);
  });

  it("draws no icons in a quick pick", () => {
    assert.equal(pickLabel("$(verified) official"), "\\$(verified) official");
  });

  it("makes no links in a notification", () => {
    // What the editor takes for one.
    const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
    for (const text of [
      "denied: [Sign in again](command:workbench.action.terminal.new)",
      "[[x](command:a)](command:b)",
      "[a](https://evil.example)",
    ]) {
      assert.match(text, link);
      assert.doesNotMatch(withoutLinks(text), link);
    }
  });
});
