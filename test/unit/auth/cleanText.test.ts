import assert from "node:assert/strict";
import { cleanText } from "../../../src/auth/cleanText.ts";

describe("cleanText", () => {
  const rows: readonly [name: string, text: unknown, clean: string][] = [
    ["a plain text", "Sign in again, é 例 👍", "Sign in again, é 例 👍"],
    ["what is no text", { a: 1 }, ""],
    ["nothing", undefined, ""],
    ["line breaks and tabs", " a\r\n\tb ", "a b"],
    ["terminal sequences", "a\u001b[31mb", "a [31mb"],
    ["changes of direction", "a\u202eb\u2066c", "a b c"],
    ["what is not seen", "a\u200b\u00a0\ufeffb", "a b"],
    ["half a character", "a\ud800b", "a b"],
  ];
  for (const [name, text, clean] of rows) {
    it(`shows ${name}`, () => {
      assert.equal(cleanText(text), clean);
    });
  }

  it("cuts what is long, between characters", () => {
    assert.equal(cleanText("x".repeat(600)), `${"x".repeat(499)}…`);
    assert.equal(cleanText("abcdef", 4), "abc…");
    assert.equal(cleanText(`ab👍cd`, 4), "ab…");
    assert.equal(cleanText("\u0000".repeat(10_000_000)), "");
  });
});
