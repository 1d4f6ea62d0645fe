import assert from "node:assert/strict";
import fc from "fast-check";
import { EngineError } from "../../src/protocol/engineError.ts";
import {
  expandUriTemplate,
  readUriTemplate,
  type TemplateValues,
} from "../../src/protocol/resources/uriTemplate.ts";
import { forAll } from "./support/forAll.ts";

type Operator = "" | "+" | "#" | "." | "/" | ";" | "?" | "&";

interface Variable {
  readonly name: string;
  readonly modifier: "" | "*" | number;
}

type Part =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "expression"; readonly operator: Operator; readonly variables: readonly Variable[] };

/** How each operator writes its values, as the table in the RFC's appendix has it. */
const OPERATORS: Readonly<
  Record<
    Operator,
    { first: string; separator: string; isNamed: boolean; ifEmpty: string; keepsReserved: boolean }
  >
> = {
  "": { first: "", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: false },
  "+": { first: "", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: true },
  "#": { first: "#", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: true },
  ".": { first: ".", separator: ".", isNamed: false, ifEmpty: "", keepsReserved: false },
  "/": { first: "/", separator: "/", isNamed: false, ifEmpty: "", keepsReserved: false },
  ";": { first: ";", separator: ";", isNamed: true, ifEmpty: "", keepsReserved: false },
  "?": { first: "?", separator: "&", isNamed: true, ifEmpty: "=", keepsReserved: false },
  "&": { first: "&", separator: "&", isNamed: true, ifEmpty: "=", keepsReserved: false },
};

/** Some are members of every object; a value that nobody gave must not come from there. */
const NAMES = ["a", "b", "x_1", "dotted.name", "caf%C3%A9", "constructor", "toString", "__proto__"];

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    kind: fc.constant("literal" as const),
    text: fc.constantFrom("", "a", "/", "db://host/", "?fixed=1", "%20", ":", "-._~"),
  }),
  fc.record({
    kind: fc.constant("expression" as const),
    operator: fc.constantFrom<Operator>("", "+", "#", ".", "/", ";", "?", "&"),
    variables: fc.array(
      fc.record({
        name: fc.constantFrom(...NAMES),
        modifier: fc.oneof(
          fc.constantFrom<Variable["modifier"]>("", "", "*"),
          fc.integer({ min: 1, max: 12 }),
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);
/** What a person types: no half surrogate pairs, which no URI can hold; those have a test of their own. */
const typed = fc.string({ unit: "grapheme", maxLength: 8 });
const texts = fc.oneof(
  typed,
  fc.constantFrom("", "a/b?c#d", "100%", "50%25", "Hello World!", "𝄞", "[::1]", "'()*"),
);
const cases = fc.record({
  parts: fc.array(part, { maxLength: 4 }),
  values: fc.dictionary(
    fc.constantFrom(...NAMES),
    fc.oneof(
      { weight: 3, arbitrary: texts },
      fc.array(
        typed.filter((text) => text !== ""),
        { maxLength: 3 },
      ),
    ),
    {
      noNullPrototype: true,
    },
  ),
});

function write({ parts }: { readonly parts: readonly Part[] }): string {
  return parts
    .map((each) =>
      each.kind === "literal"
        ? each.text
        : `{${each.operator}${each.variables.map(writeVariable).join(",")}}`,
    )
    .join("");
}

function writeVariable({ name, modifier }: Variable): string {
  return `${name}${typeof modifier === "number" ? `:${String(modifier)}` : modifier}`;
}

/** The RFC's own steps; undefined where it defines no result: a prefix of a list. */
function expand(parts: readonly Part[], values: TemplateValues): string | undefined {
  const texts: string[] = [];
  for (const each of parts) {
    if (each.kind === "literal") texts.push(each.text);
    else {
      const { first, separator } = OPERATORS[each.operator];
      const written: string[] = [];
      for (const variable of each.variables) {
        const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
        if (value === undefined || (typeof value !== "string" && value.length === 0)) continue;
        if (typeof value !== "string" && typeof variable.modifier === "number") return undefined;
        written.push(expandVariable(each.operator, variable, value));
      }
      if (written.length > 0) texts.push(first, written.join(separator));
    }
  }
  return texts.join("");
}

function expandVariable(
  operator: Operator,
  { name, modifier }: Variable,
  value: string | readonly string[],
): string {
  const { separator, isNamed, ifEmpty, keepsReserved } = OPERATORS[operator];
  const named = (text: string): string => (isNamed ? `${name}${text === "" ? ifEmpty : `=${text}`}` : text);
  const encode = (text: string): string => encodeText(text, keepsReserved);
  if (typeof value === "string")
    return named(
      encode(typeof modifier === "number" ? Array.from(value).slice(0, modifier).join("") : value),
    );
  return modifier === "*"
    ? value.map((item) => named(encode(item))).join(separator)
    : named(value.map(encode).join(","));
}

function encodeText(text: string, keepsReserved: boolean): string {
  return text.replace(/%[0-9A-Fa-f]{2}|[^]/gu, (unit) => {
    if (keepsReserved && (unit.length === 3 || /[:/?#[\]@!$&'()*+,;=]/.test(unit))) return unit;
    return encodeURIComponent(unit).replace(
      /[!'()*]/g,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  });
}

/** These four may be encoded or not: the RFC encodes them and the library does not, and a server reads both alike. */
function relaxed(uri: string): string {
  return uri.replace(/%(?:27|28|29|2A)/g, decodeURIComponent);
}

// Duty: 8.1.1
describe("fuzz: URI templates", () => {
  it("are filled in as the RFC's steps do it", () => {
    let compared = 0;
    forAll(cases, ({ parts, values }) => {
      const template = write({ parts });
      const expected = expand(parts, values);
      if (expected === undefined) return;
      compared += 1;
      assert.equal(relaxed(expandUriTemplate("s", template, values)), relaxed(expected));
    });
    assert.ok(compared > 1_000, `${String(compared)} were compared`);
  });

  it("ask for each of their variables once", () => {
    forAll(cases, ({ parts }) => {
      const read = readUriTemplate(write({ parts }));
      const names = parts.flatMap((each) =>
        each.kind === "literal" ? [] : each.variables.map(({ name }) => name),
      );
      assert.ok(read.kind === "template");
      assert.deepEqual(
        read.variables.map(({ name }) => name),
        [...new Set(names)],
      );
    });
  });

  it("are read or refused, and filled in or refused by name, whatever they and their values are", () => {
    const wild = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc
        .array(fc.constantFrom("{", "}", "+", "a", "*", ":", "3", ",", "%", "é", "{a", "b}", "{?", "="), {
          maxLength: 10,
        })
        .map((all) => all.join("")),
    );
    forAll(
      fc.tuple(
        wild,
        fc.dictionary(fc.constantFrom("a", "b", "é"), fc.string({ unit: "binary", maxLength: 5 })),
      ),
      ([template, values]) => {
        const read = readUriTemplate(template);
        try {
          const uri = expandUriTemplate("s", template, values);
          assert.ok(read.kind === "template");
          assert.doesNotMatch(uri, /[{}]/);
        } catch (error) {
          assert.ok(error instanceof EngineError && error.code === "broken-template", String(error));
        }
      },
    );
  });
});
