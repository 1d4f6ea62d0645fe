import assert from "node:assert/strict";
import type { FormField } from "../../../src/protocol/mrtr/inputRequired.ts";
import { checkField, checkForm } from "../../../src/shared/formCheck.ts";

const base = { name: "field", title: "Field", required: false };

/** The value that would be sent, or the code of the problem. */
function verdict(field: FormField, raw: unknown): unknown {
  const result = checkField(field, raw);
  return result.ok ? result.value : `problem: ${result.problem.code}`;
}

describe("formCheck", () => {
  describe("text", () => {
    const text: FormField = { ...base, kind: "text", minLength: 2, maxLength: 4 };

    const cases: [string, FormField, unknown, unknown][] = [
      ["leaves out an empty optional text", text, "", undefined],
      ["demands a required text", { ...text, required: true }, "", "problem: required"],
      ["sends an empty text that the server proposed", { ...base, kind: "text", default: "" }, "", ""],
      ["refuses a short text", text, "a", "problem: minLength"],
      ["refuses a long text", text, "abcde", "problem: maxLength"],
      ["counts characters, not UTF-16 units", text, "😀😀😀😀", "😀😀😀😀"],
      ["keeps spaces", text, " a ", " a "],
      ["refuses what is no text", text, 5, "problem: type"],
      ["accepts an email", { ...base, kind: "text", format: "email" }, "a@b.example", "a@b.example"],
      ["refuses a broken email", { ...base, kind: "text", format: "email" }, "a@", "problem: format"],
      ["accepts a URI", { ...base, kind: "text", format: "uri" }, "urn:x:1", "urn:x:1"],
      [
        "refuses a URI without a scheme",
        { ...base, kind: "text", format: "uri" },
        "example.com",
        "problem: format",
      ],
      ["accepts a leap day", { ...base, kind: "text", format: "date" }, "2028-02-29", "2028-02-29"],
      [
        "refuses a day that does not exist",
        { ...base, kind: "text", format: "date" },
        "2026-02-29",
        "problem: format",
      ],
      [
        "accepts a date-time",
        { ...base, kind: "text", format: "date-time" },
        "2026-07-28T09:30:00+02:00",
        "2026-07-28T09:30:00+02:00",
      ],
      [
        "refuses a date-time without a zone",
        { ...base, kind: "text", format: "date-time" },
        "2026-07-28T09:30:00",
        "problem: format",
      ],
      ["tests the pattern", { ...base, kind: "text", pattern: "^[a-z]+$" }, "A1", "problem: pattern"],
      ["leaves a broken pattern to the server", { ...base, kind: "text", pattern: "([a-z" }, "A1", "A1"],
    ];
    for (const [name, field, raw, expected] of cases) {
      it(name, () => assert.deepEqual(verdict(field, raw), expected));
    }

    it("does not hang on a pattern that backtracks", () => {
      const field: FormField = { ...base, kind: "text", pattern: "^(a+)+$" };
      assert.equal(verdict(field, `${"a".repeat(5_000)}!`), `${"a".repeat(5_000)}!`);
    });
  });

  describe("number", () => {
    const whole: FormField = { ...base, kind: "number", integer: true, minimum: 1, maximum: 9 };
    const cases: [string, FormField, unknown, unknown][] = [
      ["reads the text of a control", whole, " 3 ", 3],
      ["takes a number from a message", whole, 3, 3],
      ["accepts a whole number written with a point", whole, "3.0", 3],
      ["leaves out an empty optional number", whole, "", undefined],
      ["demands a required number", { ...whole, required: true }, "", "problem: required"],
      ["refuses a fraction", whole, "3.5", "problem: integer"],
      ["refuses words", whole, "three", "problem: number"],
      ["refuses hexadecimal", whole, "0x3", "problem: number"],
      ["refuses a decimal comma", { ...base, kind: "number", integer: false }, "1,5", "problem: number"],
      ["refuses infinity", { ...base, kind: "number", integer: false }, "1e999", "problem: number"],
      ["refuses NaN", { ...base, kind: "number", integer: false }, Number.NaN, "problem: number"],
      ["refuses less than the minimum", whole, "0", "problem: minimum"],
      ["refuses more than the maximum", whole, "10", "problem: maximum"],
      [
        "keeps every digit of an integer",
        { ...base, kind: "number", integer: true },
        "9007199254740993",
        9007199254740993n,
      ],
      [
        "compares limits to the last digit",
        { ...base, kind: "number", integer: true, maximum: 9223372036854775807n },
        "9223372036854775808",
        "problem: maximum",
      ],
      [
        "takes an integer that a message carries",
        { ...base, kind: "number", integer: true, minimum: 9007199254740993n },
        9007199254740993n,
        9007199254740993n,
      ],
      [
        "refuses what is no finite number",
        { ...base, kind: "number", integer: true },
        "1e400",
        "problem: number",
      ],
    ];
    for (const [name, field, raw, expected] of cases) {
      it(name, () => assert.deepEqual(verdict(field, raw), expected));
    }
  });

  describe("choices", () => {
    const options = ["a", "b", "c"].map((value) => ({ value, title: value.toUpperCase() }));
    const one: FormField = { ...base, kind: "choice", options };
    const many: FormField = { ...base, kind: "choices", options, minItems: 1, maxItems: 2 };
    const cases: [string, FormField, unknown, unknown][] = [
      ["sends the value, not the title", one, "a", "a"],
      ["refuses a title", one, "A", "problem: option"],
      ["leaves out no choice", one, undefined, undefined],
      ["demands a required choice", { ...one, required: true }, undefined, "problem: choose"],
      ["sends several", many, ["a", "c"], ["a", "c"]],
      ["leaves out an untouched optional list", many, [], undefined],
      ["counts a list that the server had filled", { ...many, default: ["a"] }, [], "problem: minItems"],
      ["counts a required list", { ...many, required: true }, [], "problem: minItems"],
      ["refuses too many", many, ["a", "b", "c"], "problem: maxItems"],
      ["refuses a stranger", many, ["x"], "problem: option"],
      ["refuses the same twice", many, ["a", "a"], "problem: option"],
      ["refuses what is no list", many, "a", "problem: type"],
    ];
    for (const [name, field, raw, expected] of cases) {
      it(name, () => assert.deepEqual(verdict(field, raw), expected));
    }
  });

  it("checks a form, drops strangers and keeps odd names", () => {
    const fields: FormField[] = [
      { ...base, name: "__proto__", kind: "text" },
      { ...base, name: "ok", kind: "boolean", required: true },
      { ...base, name: "n", kind: "number", integer: true },
    ];
    const values = JSON.parse('{"__proto__":"x","ok":false,"n":"z","other":1}') as Record<string, unknown>;
    const { content, problems } = checkForm({ fields, schema: {} }, values);
    assert.equal(JSON.stringify(content), '{"__proto__":"x","ok":false}');
    assert.deepEqual([...problems.keys()], ["n"]);
  });
});
