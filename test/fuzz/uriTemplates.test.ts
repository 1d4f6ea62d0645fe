import assert from "node:assert/strict";
import { StdUriTemplate } from "@std-uritemplate/std-uritemplate";
import fc from "fast-check";
import { EngineError } from "../../src/protocol/engineError.ts";
import {
  expandUriTemplate,
  readUriTemplate,
  type TemplateValues,
} from "../../src/protocol/resources/uriTemplate.ts";
import { forAll } from "./support/forAll.ts";

interface Expression {
  readonly operator: string;
  readonly variables: readonly { readonly name: string; readonly modifier: string }[];
}

/** Some are members of every object; a value that nobody gave must not come from there. */
const NAMES = ["a", "b", "x_1", "dotted.name", "caf%C3%A9", "constructor", "toString", "__proto__"];

const expression: fc.Arbitrary<Expression> = fc.record({
  operator: fc.constantFrom("", "+", "#", ".", "/", ";", "?", "&"),
  variables: fc.array(
    fc.record({
      name: fc.constantFrom(...NAMES),
      modifier: fc.oneof(
        fc.constantFrom("", "", "*"),
        fc.integer({ min: 1, max: 12 }).map((n) => `:${String(n)}`),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
const literal = fc.constantFrom("", "a", "/", "db://host/", "?fixed=1", "%20", ":", "-._~");
const parts = fc.array(fc.oneof(literal, expression), { maxLength: 5 });

function write(all: readonly (string | Expression)[]): string {
  return all
    .map((part) => {
      if (typeof part === "string") return part;
      return `{${part.operator}${part.variables.map(({ name, modifier }) => `${name}${modifier}`).join(",")}}`;
    })
    .join("");
}

/** Values of every kind, made of these texts. */
function valuesOf(texts: fc.Arbitrary<string>): fc.Arbitrary<TemplateValues> {
  const list = fc.array(
    texts.filter((text) => text !== ""),
    { maxLength: 3 },
  );
  return fc.dictionary(fc.constantFrom(...NAMES), fc.oneof({ weight: 3, arbitrary: texts }, list), {
    noNullPrototype: true,
  });
}

/** What a person may type; no half surrogate pairs, which no URI can hold. */
const typed = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.constantFrom("", "a/b?c#d", "100%", "50%25", "Hello World!", "𝄞", "[::1]", "'()*", "{", "\r\n"),
);
/** Without what the other expander writes as it is although the RFC escapes it, and without its half-read escapes. */
const undisputed = fc.string({
  unit: fc.constantFrom(...Array.from("abzAZ019-._~ :/?#[]@!$&+,;=é世𝄞")),
  maxLength: 8,
});

/** The RFC has no prefix of a list; the other expander cuts each of its values. */
function cutsList(all: readonly (string | Expression)[], values: TemplateValues): boolean {
  return all.some((part) => {
    if (typeof part === "string") return false;
    return part.variables.some(({ name, modifier }) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return modifier.startsWith(":") && typeof value === "object" && value.length > 0;
    });
  });
}

function expandOrCode(template: string, values: TemplateValues): string {
  try {
    return expandUriTemplate("s", template, values);
  } catch (error) {
    assert.ok(error instanceof EngineError, String(error));
    return error.code;
  }
}

function expandByOracle(template: string, values: TemplateValues): string {
  try {
    // It takes what every object has for a value that was given.
    return StdUriTemplate.expand(template, { __proto__: null, ...values });
  } catch {
    return "broken-template";
  }
}

// Duty: 8.1.1
describe("fuzz: URI templates", () => {
  it("are filled in as another expander does it", () => {
    let filled = 0;
    forAll(fc.tuple(parts, valuesOf(undisputed)), ([all, values]) => {
      const template = write(all);
      const uri = expandOrCode(template, values);
      const expected = cutsList(all, values) ? "broken-template" : expandByOracle(template, values);
      assert.equal(uri, expected);
      if (uri !== "broken-template") filled += 1;
    });
    assert.ok(filled > 1_000, `${String(filled)} were filled in`);
  });

  it("give a URI and nothing else, whatever the values are", () => {
    forAll(fc.tuple(parts, valuesOf(typed)), ([all, values]) => {
      const uri = expandOrCode(write(all), values);
      assert.match(uri, /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/);
    });
  });

  it("give each value back to who reads the URI", () => {
    forAll(fc.tuple(typed, typed), ([a, b]) => {
      const uri = expandUriTemplate("s", "db://{a}{?b}", { a, b });
      const [, first = "", second = ""] = /^db:\/\/([^/?#]*)\?b=([^&#]*)$/.exec(uri) ?? [];
      assert.deepEqual([decodeURIComponent(first), decodeURIComponent(second)], [a, b]);
    });
  });

  it("ask for each of their variables once", () => {
    forAll(parts, (all) => {
      const read = readUriTemplate(write(all));
      const names = all.flatMap((part) =>
        typeof part === "string" ? [] : part.variables.map(({ name }) => name),
      );
      assert.ok(read.kind === "template");
      assert.deepEqual(
        read.variables.map(({ name }) => name),
        [...new Set(names)],
      );
    });
  });

  it("are refused by name where another expander refuses them", () => {
    const pieces = ["{", "}", "+", "a", "*", ":", "3", ",", "%", "{a", "b}", "{?", "=", ".", "-", "0", "{a}"];
    const wild = fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map((all) => all.join(""));
    forAll(wild, (template) => {
      const isBroken = readUriTemplate(template).kind === "broken";
      // It takes some that are broken, such as `{?*b}`; never the other way round.
      if (expandByOracle(template, {}) === "broken-template") assert.ok(isBroken, template);
      assert.equal(isBroken, expandOrCode(template, {}) === "broken-template");
    });
  });

  it("are read or refused, whatever they and their values are", () => {
    const any = fc.string({ unit: "binary", maxLength: 20 });
    forAll(fc.tuple(any, fc.dictionary(fc.constantFrom("a", "b"), any)), ([template, values]) => {
      const read = readUriTemplate(template);
      assert.equal(read.kind === "broken", expandOrCode(template, {}) === "broken-template");
      expandOrCode(`${template}{a}{?b}`, values);
    });
  });
});
