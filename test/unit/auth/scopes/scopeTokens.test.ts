import assert from "node:assert/strict";
import { isScopeToken, readScopeList, readScopes } from "../../../../src/auth/scopes/scopeTokens.ts";

describe("scope tokens", () => {
  it("are visible ASCII without quotation mark and backslash", () => {
    for (const good of ["a", "repo,gist", "https://as.test/scope", "mcp:tools/read", "!#[]~"])
      assert.ok(isScopeToken(good), good);
    for (const bad of ["", " ", "a b", 'a"', "a\\", "a\n", "é", "\u007f", "\u202e"])
      assert.equal(isScopeToken(bad), false, JSON.stringify(bad));
  });

  it("of a text are read each once, and not at all beside what is none", () => {
    assert.deepEqual(readScopes(" b a  b "), ["b", "a"]);
    for (const nothing of [undefined, "", "   ", 'a "b"', "a\u00a0b"])
      assert.equal(readScopes(nothing), undefined);
  });

  it("of a list are read without what is none", () => {
    assert.deepEqual(readScopeList(["b", 7, null, "a", "b", "c d", ["x"]]), ["b", "a"]);
    for (const none of [undefined, null, "a b", {}, 7]) assert.equal(readScopeList(none), undefined);
    assert.deepEqual(readScopeList([]), []);
  });

  it("of a long list are cut, but for the one that has to stay", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `s${at}`);
    assert.deepEqual(readScopeList(many), many.slice(0, 100));
    assert.deepEqual(readScopeList([...many, "keep"], "keep"), [...many.slice(0, 99), "keep"]);
    assert.deepEqual(readScopeList(["keep", ...many], "keep"), ["keep", ...many.slice(0, 99)]);
    assert.deepEqual(readScopeList(many, "keep"), many.slice(0, 100));
  });
});
