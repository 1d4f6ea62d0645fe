import assert from "node:assert/strict";
import { editEntries, hasCommentsIn } from "../../../../src/host/config/editEntries.ts";

const ROOT = ["signalbox.servers"];
const SETTINGS = `{
\t"editor.fontSize": 12, // mine
\t"signalbox.servers": {
\t\t// the team's
\t\t"a": { "url": "https://a.test//x" },
\t\t"b": { "command": "b" } /* mine */
\t}
}
`;

describe("entries in a settings text", () => {
  it("are known to have comments among them, or not", () => {
    assert.equal(hasCommentsIn(SETTINGS, ROOT), true);
    assert.equal(hasCommentsIn(SETTINGS, [...ROOT, "a"]), false);
    assert.equal(hasCommentsIn('{ "signalbox.servers": { "a": { "url": "https://a" } } } // x', ROOT), false);
    assert.equal(hasCommentsIn("{}", ROOT), false);
  });

  it("are added with the comments and the indentation kept", () => {
    const edited = editEntries(SETTINGS, ROOT, { c: { command: "c" } });
    for (const kept of ["// mine", "// the team's", "/* mine */", '"https://a.test//x"']) {
      assert.ok(edited.includes(kept), kept);
    }
    assert.match(edited, /^\t\t"c": \{$/m);
  });

  it("are replaced and removed alone", () => {
    const edited = editEntries(SETTINGS, ROOT, { a: undefined, b: { command: "new" } });
    assert.ok(!edited.includes("a.test"));
    assert.ok(edited.includes('"new"'));
    assert.ok(edited.includes('"editor.fontSize": 12, // mine'));
  });

  it("keep the line ends of the text", () => {
    const edited = editEntries(SETTINGS.replaceAll("\n", "\r\n"), ROOT, { c: { command: "c" } });
    assert.equal(/[^\r]\n/.test(edited), false);
  });
});
