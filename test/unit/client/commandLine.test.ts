import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { quoteCommandLine, splitCommandLine } from "../../../src/client/commandLine.ts";

describe("splitCommandLine", () => {
  const cases: readonly (readonly [line: string, words: readonly string[]])[] = [
    ["", []],
    ["  a  b\tc ", ["a", "b", "c"]],
    [`a "b c" 'd "e"' f"g"'h'`, ["a", "b c", 'd "e"', "fgh"]],
    [`"" ''`, ["", ""]],
    [String.raw`"a \"b\" \\ \n" 'c\d' e\ f`, ['a "b" \\ \\n', "c\\d", "e f"]],
    [String.raw`C:\tools\server.exe -x`, ["C:\\tools\\server.exe", "-x"]],
    ["a \\\n  b \\\r\n c", ["a", "b", "c"]],
    ["a `\n b", ["a", "b"]],
    [`'{"a": 1}' $HOME \${env:A} #x`, ['{"a": 1}', "$HOME", "${env:A}", "#x"]],
  ];
  for (const [line, words] of cases) {
    it(`cuts ${JSON.stringify(line)}`, () => {
      assert.deepEqual(splitCommandLine(line), { kind: "words", words });
    });
  }

  for (const [line, found] of [
    ["a | b", "|"],
    ["a||b", "||"],
    ["a && b", "&&"],
    ["a; b", ";"],
    ["a > f", ">"],
    ["a $(b)", "$("],
    ["a `b`", "`"],
    ["a\nb", "a second line"],
  ] as const) {
    it(`refuses ${JSON.stringify(line)}`, () => {
      assert.deepEqual(splitCommandLine(line), { kind: "shell-syntax", found });
    });
  }

  it("refuses a quote that is not closed", () => {
    assert.deepEqual(splitCommandLine(`a "b`), { kind: "unclosed-quote" });
  });
});

describe("quoteCommandLine", () => {
  it("never makes two command lines look the same", () => {
    const lines = [
      ["a b"],
      ["a", "b"],
      ['"a', 'b"'],
      ["a", "", "b"],
      ["a\u00a0b"],
      ["a\\u{a0}b"],
      ["a\tb"],
      ["a \\", "b"],
      ["a", "\\ b"],
    ];
    assert.equal(new Set(lines.map(quoteCommandLine)).size, lines.length);
  });
});
