import assert from "node:assert/strict";
import {
  canonicalJson,
  hasBigint,
  type JsonValue,
  parseJson,
  roundBigints,
  stringifyJson,
} from "../../../src/base/json.ts";

describe("JSON without loss", () => {
  it("keeps every digit of an integer, both ways", () => {
    const text =
      '{"id":9007199254740993,"deep":[{"n":-12345678901234567890123}],"__proto__":9223372036854775807}';
    const value = parseJson(text) as Record<string, unknown>;
    assert.equal(value["id"], 9007199254740993n);
    assert.deepEqual(value["deep"], [{ n: -12345678901234567890123n }]);
    assert.equal(Object.getOwnPropertyDescriptor(value, "__proto__")?.value, 9223372036854775807n);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(stringifyJson(value as JsonValue), text);
  });

  it("gives numbers for all that a number holds, and rounds fractions as JavaScript does", () => {
    assert.deepEqual(
      parseJson(
        "[9007199254740991, -9007199254740991, 1234567890.12345678901, 1e300, 12345678901234567890.5]",
      ),
      [9007199254740991, -9007199254740991, 1234567890.12345678901, 1e300, 12345678901234567890.5],
    );
    assert.deepEqual(parseJson("[9007199254740992,-9007199254740992]"), [
      9007199254740992n,
      -9007199254740992n,
    ]);
  });

  it("takes digits in texts and names for texts and names", () => {
    const text = JSON.stringify({
      "9007199254740993": "9007199254740993",
      '": 9007199254740993': '\\": 9007199254740993, ',
      "\u00009007199254740993": ["\u00009007199254740993", "\u0000\u0000"],
    });
    const both = `[${text}, 9007199254740993]`;
    assert.deepEqual(parseJson(both), [JSON.parse(text), 9007199254740993n]);
    assert.equal(stringifyJson(parseJson(both)), `[${text},9007199254740993]`);
  });

  it("refuses what JSON.parse refuses, with its words", () => {
    for (const text of [
      "",
      "{9007199254740993:1}",
      "{9007199254740993 : 1}",
      "[09007199254740993]",
      "[--9007199254740993]",
      "[9007199254740993-]",
      "[+9007199254740993]",
      "[9007199254740993",
      '"9007199254740993',
      "9007199254740993 9007199254740993",
      "9007199254740993n",
      '{"\\u0000": 9007199254740993, "\\x": 1}',
    ]) {
      let expected: unknown;
      try {
        JSON.parse(text);
      } catch (error) {
        expected = error;
      }
      assert.ok(expected instanceof SyntaxError, text);
      assert.throws(() => parseJson(text), { name: "SyntaxError", message: expected.message });
    }
  });

  it("reads a value that is nested as deep as JSON.parse can", () => {
    const depth = 200_000;
    let value = parseJson(`${"[".repeat(depth)}9007199254740993${"]".repeat(depth)}`);
    for (let level = 0; level < depth; level += 1) value = (value as readonly JsonValue[])[0] ?? null;
    assert.equal(value, 9007199254740993n);
    assert.ok(hasBigint(parseJson(`${'{"a":'.repeat(depth)}9007199254740993${"}".repeat(depth)}`)));
  });

  it("takes time that grows with the text alone", () => {
    // Each of these has taken minutes with a reader that looks back, or that makes one huge bigint.
    const length = 2_000_000;
    for (const text of [
      `["${"\\\\".repeat(length)}\\"", 9007199254740993]`,
      `["${'\\"'.repeat(length)}", 9007199254740993]`,
      `[${"9".repeat(length)}]`,
      `["${"9".repeat(length)}", 9007199254740993]`,
      `["${" 9".repeat(length)}`,
      `[9007199254740993${" ".repeat(length)}]`,
    ]) {
      const started = process.cpuUsage();
      try {
        parseJson(text);
      } catch (error) {
        assert.ok(error instanceof SyntaxError);
      }
      assert.ok(process.cpuUsage(started).user < 2_000_000, text.slice(0, 10));
    }
  });

  it("leaves out what is undefined, also beside a bigint", () => {
    assert.equal(stringifyJson({ a: undefined, b: 2n ** 64n }), '{"b":18446744073709551616}');
    assert.equal(stringifyJson(undefined), undefined);
    assert.equal(stringifyJson([], 2), "[]");
    assert.equal(stringifyJson({ a: [], b: {}, c: 2n ** 64n }, 2).split("\n").length, 5);
  });

  it("gives one canonical text whatever the order of names", () => {
    const one = parseJson('{"b":[1,{"z":9007199254740993,"a":null}],"a":"x"}');
    const other = parseJson('{"a":"x","b":[1,{"a":null,"z":9007199254740993}]}');
    assert.equal(canonicalJson(one), '{"a":"x","b":[1,{"a":null,"z":9007199254740993}]}');
    assert.equal(canonicalJson(other), canonicalJson(one));
    assert.notEqual(
      canonicalJson(parseJson("9007199254740993")),
      canonicalJson(parseJson("9007199254740994")),
    );
  });

  it("knows whether a value has a bigint", () => {
    assert.ok(hasBigint(parseJson('{"a":[1,{"b":9007199254740993}]}')));
    assert.ok(!hasBigint(parseJson('{"a":[1,{"b":9007199254740991,"c":"9007199254740993"}],"d":null}')));
    const same: JsonValue = { a: 1 };
    assert.equal(roundBigints(same), same);
    assert.deepEqual(roundBigints<JsonValue>([9007199254740993n]), [9007199254740992]);
  });
});
