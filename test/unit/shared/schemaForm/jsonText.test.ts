import assert from "node:assert/strict";
import {
  fromJsonValue,
  isNumberText,
  parseJsonText,
  printJson,
  sameNode,
  toJsonValue,
} from "../../../../src/shared/schemaForm/jsonText.ts";

function roundTrip(text: string): string {
  const parsed = parseJsonText(text);
  assert.ok(parsed.ok);
  return printJson(parsed.node);
}

describe("jsonText", () => {
  it("keeps the text of numbers and the order of names", () => {
    const text = '{\n  "b": 9007199254740993,\n  "a": 1.10,\n  "2": 1E+2,\n  "1": -0\n}';
    assert.equal(roundTrip(text), text);
  });

  it("reads what JSON.parse reads", () => {
    const texts = [
      '{"a":[1,2,{"b":null}],"c":"\\u00e9\\n\\"","d":true}',
      "[]",
      "{}",
      '""',
      " 1 ",
      "false",
      '{"__proto__":{"x":1}}',
    ];
    for (const text of texts) {
      const parsed = parseJsonText(text);
      assert.ok(parsed.ok, text);
      assert.equal(JSON.stringify(toJsonValue(parsed.node)), JSON.stringify(JSON.parse(text)));
    }
  });

  const broken: [string, number, number, string][] = [
    ["", 1, 1, "syntax"],
    ["{", 1, 2, "syntax"],
    ['{"a":1,}', 1, 8, "syntax"],
    ['{\n  "a": 01\n}', 2, 9, "syntax"],
    ['{"a": tru}', 1, 7, "syntax"],
    ["[1 2]", 1, 4, "syntax"],
    ["{'a':1}", 1, 2, "syntax"],
    ['"\t"', 1, 2, "syntax"],
    ['"abc', 1, 5, "syntax"],
    ["1 1", 1, 3, "syntax"],
    ['{"a":1,\n"a":2}', 2, 1, "duplicate"],
  ];
  for (const [text, line, column, code] of broken) {
    it(`says where ${JSON.stringify(text)} goes wrong`, () => {
      const parsed = parseJsonText(text);
      assert.ok(!parsed.ok);
      assert.deepEqual(parsed.problem, { line, column, code });
    });
  }

  it("refuses endless nesting instead of overflowing", () => {
    const parsed = parseJsonText("[".repeat(100_000));
    assert.ok(!parsed.ok);
    assert.equal(parsed.problem.code, "deep");
  });

  it("reads a long unfinished string in linear time", () => {
    const started = performance.now();
    assert.ok(!parseJsonText(`"${"a\\n".repeat(300_000)}`).ok);
    assert.ok(performance.now() - started < 2_000);
  });

  it("knows numbers", () => {
    for (const text of ["0", "-1", "1.5", "1e9", "-0.0E-1"]) assert.ok(isNumberText(text), text);
    for (const text of ["", "01", "+1", ".5", "1.", "0x1", "NaN", "1 "]) assert.ok(!isNumberText(text), text);
  });

  it("compares values whatever their spelling", () => {
    assert.ok(
      sameNode(fromJsonValue({ a: 1, b: [null] }), {
        kind: "object",
        entries: [
          ["b", { kind: "array", items: [{ kind: "null" }] }],
          ["a", { kind: "number", text: "1.0" }],
        ],
      }),
    );
    assert.ok(!sameNode(fromJsonValue([1]), fromJsonValue([1, 2])));
    assert.ok(!sameNode(fromJsonValue({ a: 1 }), fromJsonValue({ b: 1 })));
  });
});
