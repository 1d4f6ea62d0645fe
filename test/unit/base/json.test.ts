import assert from "node:assert/strict";
import fc from "fast-check";
import {
  canonicalJson,
  hasBigint,
  type JsonValue,
  parseJson,
  roundBigints,
  stringifyJson,
} from "../../../src/base/json.ts";

/** What V8 can do with JSON since Node 21, and what TypeScript's library does not know yet. */
const native = JSON as unknown as {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
};

/** Numbers are compared as the texts that JSON has for them, so -0 and 0 are one. */
function plain(value: unknown): unknown {
  return typeof value === "number" ? JSON.stringify(value) : value;
}

const names = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("__proto__", "constructor", "toString", "\u00001", "\u0000\u00001", "1", ""),
);
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "\u0000",
    "\u00009007199254740993",
    "\u0000\u00009007199254740993",
    ': 9007199254740993, "',
    '\\"9007199254740993',
    "9007199254740993",
    "\\",
  ),
);
const integers = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).filter((value) => {
  const rounded = Number(value);
  return !Number.isSafeInteger(rounded);
});
const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
    fc.integer(),
    integers,
    texts,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.array(fc.tuple(names, tie("value")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

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

  it("is JSON.parse but for the integers that it would round", () => {
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2), (value, space) => {
        const text = stringifyJson(value, space);
        const exact = native.parse(text, (_key, item, { source }) =>
          typeof item === "number" && /^-?\d+$/.test(source ?? "") && !Number.isSafeInteger(item)
            ? BigInt(source ?? "")
            : item,
        );
        assert.deepEqual(parseJson(text), exact);
        assert.deepEqual(roundBigints(value), JSON.parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it("writes what JSON.stringify writes when it is given the digits", () => {
    fc.assert(
      fc.property(values, fc.constantFrom(0, 1, 2, 4), (value, space) => {
        const expected = JSON.stringify(
          value,
          (_key, item: unknown) => (typeof item === "bigint" ? native.rawJSON(item.toString()) : item),
          space,
        );
        assert.equal(stringifyJson(value, space), expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it("refuses or reads any text as JSON.parse does", () => {
    const pieces = fc.constantFrom(
      ...Array.from('[]{}:,"\\ -+.eE01'),
      "9007199254740993",
      "12345678901234567890",
      "\\u0000",
      '"a":',
      "null",
      '"x"',
      "\n",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          assert.throws(() => parseJson(text), SyntaxError);
          return;
        }
        assert.deepEqual(plain(roundBigints(parseJson(text))), plain(expected));
      }),
      { numRuns: 3_000 },
    );
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
