import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { parse } from "jsonc-parser";
import {
  type EditResult,
  locateInText,
  removeServer,
  renameServer,
  setServer,
} from "../../../src/client/settingsEdit.ts";

const PATH = ["signalbox.servers"];
const SETTINGS = `{
  // before
  "editor.tabSize": 4, // four
  "signalbox.servers": {
    // the first
    "one": { "command": "x", /* why */ "args": [] },
    "two": { "url": "https://a.test#a//b" }, // the second
  },
}
`;

function textOf(result: EditResult): string {
  assert.equal(result.kind, "text");
  return result.kind === "text" ? result.text : "";
}

describe("settingsEdit", () => {
  it("adds a server and keeps every comment", () => {
    const text = textOf(setServer(SETTINGS, PATH, "three", { command: "y" }));
    assert.deepEqual(Object.keys(parse(text)["signalbox.servers"]), ["one", "two", "three"]);
    for (const comment of ["// before", "// four", "// the first", "/* why */", "// the second"])
      assert.ok(text.includes(comment), comment);
    assert.ok(text.includes('"editor.tabSize": 4, // four'));
  });

  it("replaces a server whole", () => {
    const text = textOf(setServer(SETTINGS, PATH, "one", { url: "https://b.test" }));
    assert.deepEqual(parse(text)["signalbox.servers"].one, { url: "https://b.test" });
    assert.ok(text.includes("// the first") && text.includes("// the second"));
  });

  it("removes a server", () => {
    const text = textOf(removeServer(SETTINGS, PATH, "two"));
    assert.deepEqual(parse(text)["signalbox.servers"], { one: { command: "x", args: [] } });
    assert.deepEqual(removeServer(SETTINGS, PATH, "none"), { kind: "missing" });
  });

  it("renames a server in its place and leaves its entry alone", () => {
    const text = textOf(renameServer(SETTINGS, PATH, "one", 'a "b"'));
    assert.equal(text, SETTINGS.replace('"one"', '"a \\"b\\""'));
    assert.deepEqual(renameServer(SETTINGS, PATH, "one", "two"), { kind: "exists" });
    assert.deepEqual(renameServer(SETTINGS, PATH, "none", "two"), { kind: "missing" });
    assert.equal(textOf(renameServer(SETTINGS, PATH, "one", "one")), SETTINGS);
  });

  it("begins a file and a map that are not there yet", () => {
    for (const source of ["", "{}", "\uFEFF{}", "// only a comment\n{}\n"]) {
      const text = textOf(setServer(source, ["settings", ...PATH], "a", { command: "x" }));
      assert.deepEqual(parse(text.replace(/^\uFEFF/, "")), {
        settings: { "signalbox.servers": { a: { command: "x" } } },
      });
      assert.equal(text.startsWith("\uFEFF"), source.startsWith("\uFEFF"));
    }
  });

  it("keeps line ends and indentation", () => {
    const source = '{\r\n\t"servers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n';
    const text = textOf(setServer(source, ["servers"], "b", { command: "x" }));
    assert.equal(
      text,
      '{\r\n\t"servers": {\r\n\t\t"a": {},\r\n\t\t"b": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  it("changes nothing in a broken file and says where it is broken", () => {
    assert.deepEqual(setServer('{\n  "a": \n}', PATH, "x", {}), { kind: "broken", line: 3, column: 1 });
    assert.deepEqual(setServer("[]", PATH, "x", {}), { kind: "broken", line: 1, column: 1 });
  });

  it("finds the line of an entry, or of what is around it", () => {
    assert.deepEqual(locateInText(SETTINGS, [...PATH, "two", "url"]), { line: 7, column: 14 });
    assert.deepEqual(locateInText(SETTINGS, [...PATH, "one", "cwd"]), { line: 6, column: 5 });
    assert.deepEqual(locateInText(`\uFEFF${SETTINGS}`, [...PATH, "one"]), { line: 6, column: 5 });
    assert.deepEqual(locateInText(SETTINGS, ["none"]), { line: 1, column: 1 });
    assert.equal(locateInText("", ["none"]), undefined);
  });
});
