import assert from "node:assert/strict";
import fc from "fast-check";
import { type JsonValue, parseJson, roundBigints, stringifyJson } from "../../src/base/json.ts";
import { forAll } from "./support/forAll.ts";

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

describe("fuzz: JSON without loss", () => {
  it("is read as JSON.parse reads it, but for the integers that it would round", () => {
    forAll(fc.tuple(values, fc.constantFrom(0, 2)), ([value, space]) => {
      const text = stringifyJson(value, space);
      const exact = native.parse(text, (_key, item, { source }) =>
        typeof item === "number" && /^-?\d+$/.test(source ?? "") && !Number.isSafeInteger(item)
          ? BigInt(source ?? "")
          : item,
      );
      assert.deepEqual(parseJson(text), exact);
      assert.deepEqual(roundBigints(value), JSON.parse(text));
    });
  });

  it("is written as JSON.stringify writes it when it is given the digits", () => {
    forAll(fc.tuple(values, fc.constantFrom(0, 1, 2, 4)), ([value, space]) => {
      const expected = JSON.stringify(
        value,
        (_key, item: unknown) => (typeof item === "bigint" ? native.rawJSON(item.toString()) : item),
        space,
      );
      assert.equal(stringifyJson(value, space), expected);
    });
  });

  it("is refused when JSON.parse refuses it, and only then", () => {
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
    forAll(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        assert.throws(() => parseJson(text), SyntaxError);
        return;
      }
      assert.deepEqual(plain(roundBigints(parseJson(text))), plain(expected));
    });
  });
});
