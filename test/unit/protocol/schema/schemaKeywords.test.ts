import assert from "node:assert/strict";
import { type JsonObject, type JsonValue, stringifyJson } from "../../../../src/base/json.ts";
import { DEFAULT_LIMITS } from "../../../../src/protocol/limits.ts";
import { prepareSchema, type SchemaVerdict } from "../../../../src/protocol/schema/prepareSchema.ts";
import { describeSchemaProblem } from "../../../../src/protocol/schema/schemaTexts.ts";

const DRAFT_07 = { $schema: "http://json-schema.org/draft-07/schema#" };

/** What is wrong with a value, as lines. */
function problems(schema: JsonObject, value: JsonValue): readonly string[] {
  const verdict = check(schema, value);
  return verdict.kind === "invalid" ? verdict.problems.map((problem) => describeSchemaProblem(problem)) : [];
}

function check(schema: JsonObject, value: JsonValue): SchemaVerdict {
  const prepared = prepareSchema(schema, DEFAULT_LIMITS);
  if (prepared.kind === "unusable") assert.fail(prepared.reason.message);
  return prepared.check(value);
}

/** Schema, values that fit, values that do not. */
type Row = readonly [name: string, schema: JsonObject, good: readonly JsonValue[], bad: readonly JsonValue[]];

const TREE: JsonObject = {
  $id: "https://a.test/tree",
  $dynamicAnchor: "node",
  type: "object",
  properties: { data: true, children: { type: "array", items: { $dynamicRef: "#node" } } },
};

const ROWS: readonly Row[] = [
  ["type integer", { type: "integer" }, [1, 1.0, -0, 2n ** 64n], [1.5, "1", true, null]],
  ["type number", { type: "number" }, [1.5, 2n ** 64n], ["1", null]],
  ["types", { type: ["string", "null"] }, ["a", null], [1, {}, []]],
  ["object is not array", { type: "object" }, [{}], [[], null]],
  ["const of a number", { const: 1 }, [1, 1n], [true, "1"]],
  ["const of an object", { const: { a: [1, { b: 2 }] } }, [{ a: [1, { b: 2 }] }], [{ a: [1, {}] }, {}]],
  ["const of false", { const: false }, [false], [0, null, ""]],
  ["enum of mixed types", { enum: ["a", 1, null, { x: 1 }] }, ["a", 1, null, { x: 1 }], ["b", "1", {}]],
  ["a big integer in an enum", { enum: [9007199254740993n] }, [9007199254740993n], [9007199254740992]],
  ["minimum", { minimum: 5 }, [5, 2n ** 60n, "x"], [4.9, -(2n ** 60n)]],
  ["a limit beyond 2^53", { maximum: 9007199254740993n }, [9007199254740993n], [9007199254740994n]],
  ["exclusive limits", { exclusiveMinimum: 0, exclusiveMaximum: 1 }, [0.5], [0, 1]],
  ["multipleOf of a fraction", { multipleOf: 0.1 }, [0.3, 1e3, 3n], [0.35]],
  ["multipleOf of a big integer", { multipleOf: 10 }, [90071992547409930n], [90071992547409931n]],
  ["multipleOf of a small one", { multipleOf: 1e-8 }, [12391239123, 1.5e-7], [1.5e-8]],
  ["length in characters", { minLength: 2, maxLength: 2 }, ["ab", "😀😀"], ["a", "😀", "abc"]],
  ["a pattern with classes of Unicode", { pattern: "^\\p{Lu}\\p{L}+$" }, ["Élan"], ["élan", "É"]],
  ["a pattern that is not anchored", { pattern: "b" }, ["abc", 1], ["ac"]],
  [
    "properties by pattern and the rest",
    {
      properties: { a: { type: "string" } },
      patternProperties: { "^x-": { type: "number" } },
      additionalProperties: false,
    },
    [{ a: "s", "x-1": 1 }, {}],
    [{ a: 1 }, { "x-1": "s" }, { b: 1 }],
  ],
  ["propertyNames", { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  ["counts of properties", { minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 1, c: 1 }]],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  [
    "dependentSchemas",
    { dependentSchemas: { a: { required: ["b"] } } },
    [{ b: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }],
  ],
  [
    "dependencies of draft-07",
    { ...DRAFT_07, dependencies: { a: ["b"], c: false } },
    [{ a: 1, b: 1 }],
    [{ a: 1 }, { c: 1 }],
  ],
  [
    "items after a prefix",
    { prefixItems: [{ type: "string" }], items: { type: "number" } },
    [["a", 1], []],
    [["a", "b"], [1]],
  ],
  [
    "additionalItems of draft-07",
    { ...DRAFT_07, items: [{}], additionalItems: { type: "number" } },
    [["a", 1]],
    [["a", "b"]],
  ],
  ["additionalItems without a tuple", { ...DRAFT_07, items: {}, additionalItems: false }, [["a", 1]], []],
  ["contains", { contains: { const: 1 }, minContains: 2, maxContains: 2 }, [[1, 1, 0]], [[1], [1, 1, 1], []]],
  ["contains of draft-07", { ...DRAFT_07, contains: { const: 1 }, minContains: 2 }, [[1]], [[0], []]],
  ["minContains of nought", { contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
  [
    "uniqueItems",
    { uniqueItems: true },
    [[1, "1", true, [1], { a: 1, b: 2 }, ["1"]]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [1, 1n],
    ],
  ],
  ["counts of items", { minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3]]],
  ["allOf", { allOf: [{ type: "number" }, { minimum: 2 }] }, [2], [1, "x"]],
  ["anyOf", { anyOf: [{ type: "string" }, { minimum: 2 }] }, ["a", 2, null], [1]],
  ["oneOf", { oneOf: [{ type: "integer" }, { minimum: 2 }] }, [1, 2.5], [3, 1.5]],
  ["not", { not: { type: "string" } }, [1], ["a"]],
  [
    "if, then and else",
    { if: { type: "string" }, then: { minLength: 2 }, else: { minimum: 2 } },
    ["ab", 2, null],
    ["a", 1],
  ],
  ["then without if", { then: false }, [1], []],
  ["boolean parts", { properties: { a: true, b: false } }, [{ a: 1 }], [{ b: 1 }]],
  [
    "properties named like those of a prototype",
    JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["constructor"]}',
    ) as JsonObject,
    [JSON.parse('{"__proto__":"a","constructor":1}') as JsonObject],
    [{}, JSON.parse('{"__proto__":1,"constructor":1}') as JsonObject, { constructor: "x" }],
  ],
  [
    "unevaluatedProperties",
    {
      allOf: [{ properties: { a: true } }],
      anyOf: [{ properties: { b: true }, required: ["b"] }, true],
      unevaluatedProperties: false,
    },
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ c: 1 }],
  ],
  [
    "unevaluatedProperties through a reference",
    {
      $ref: "#/$defs/a",
      unevaluatedProperties: { type: "number" },
      $defs: { a: { properties: { a: true } } },
    },
    [{ a: "x", b: 1 }],
    [{ b: "x" }],
  ],
  [
    "unevaluatedProperties and a failed branch",
    { anyOf: [{ properties: { a: { const: 1 } } }, true], unevaluatedProperties: false },
    [{ a: 1 }],
    [{ a: 2 }],
  ],
  [
    "unevaluatedItems",
    { prefixItems: [true], contains: { type: "string" }, unevaluatedItems: false },
    [[1, "a"], ["a"]],
    [["a", 1]],
  ],
  [
    "unevaluatedItems of a nested array",
    { items: { prefixItems: [true], unevaluatedItems: false } },
    [[[1]]],
    [[[1, 2]]],
  ],
  [
    "$ref beside other keywords",
    { $ref: "#/$defs/s", maxLength: 1, $defs: { s: { type: "string" } } },
    ["a"],
    ["ab", 1],
  ],
  [
    "$anchor of draft-07",
    { ...DRAFT_07, $ref: "#here", definitions: { a: { $id: "#here", type: "number" } } },
    [1],
    ["a"],
  ],
  [
    "$defs beside an $id",
    { $id: "https://a.test/root.json", $ref: "#/$defs/s", $defs: { s: { type: "string" } } },
    ["a"],
    [1],
  ],
  [
    "a reference by a URN",
    {
      $id: "urn:uuid:deadbeef-1234-0000-0000-4321feebdaed",
      items: { $ref: "urn:uuid:deadbeef-1234-0000-0000-4321feebdaed#/$defs/s" },
      $defs: { s: { type: "string" } },
    },
    [["a"]],
    [[1]],
  ],
  [
    "a part in another dialect",
    {
      items: { $ref: "old" },
      $defs: { x: { $id: "old", $schema: DRAFT_07.$schema, items: [{ type: "string" }] } },
    },
    [[["a", 1]]],
    [[[1]]],
  ],
  [
    "a part that only a reference leads to",
    {
      $ref: "#/x-parts/a",
      "x-parts": { a: { properties: { n: { $ref: "#/x-parts/b" } } }, b: { type: "number" } },
    },
    [{ n: 1 }],
    [{ n: "a" }],
  ],
  [
    "mutual recursion",
    {
      $ref: "#/$defs/a",
      $defs: {
        a: { properties: { b: { $ref: "#/$defs/b" } } },
        b: { properties: { a: { $ref: "#/$defs/a" } }, required: ["a"] },
      },
    },
    [{ b: { a: {} } }],
    [{ b: {} }, { b: { a: { b: {} } } }],
  ],
  [
    "$dynamicRef",
    {
      $id: "https://a.test/strict",
      $dynamicAnchor: "node",
      $ref: "tree",
      unevaluatedProperties: false,
      $defs: { tree: TREE },
    },
    [{ children: [{ data: 1 }] }],
    [{ children: [{ daat: 1 }] }, { children: 1 }],
  ],
  [
    "a name that only looks like a reference",
    { properties: { $ref: { type: "string" } } },
    [{ $ref: "a" }],
    [{ $ref: 1 }],
  ],
  [
    "data that only looks like a schema",
    { const: { $ref: "https://nowhere.invalid/", type: 7 } },
    [{ $ref: "https://nowhere.invalid/", type: 7 }],
    [1],
  ],
  ["the format of a time", { format: "date-time" }, ["2026-07-28T00:00:00Z", 1], ["today"]],
  ["the format of an expression", { format: "regex" }, ["^a+$"], ["("]],
  [
    "a schema as a value",
    { $ref: "https://json-schema.org/draft/2020-12/schema" },
    [true, { type: "object" }],
    [{ type: 1 }, { properties: { a: 1 } }, []],
  ],
];

describe("the keywords of a schema", () => {
  for (const [name, schema, good, bad] of ROWS) {
    it(name, () => {
      for (const value of good) assert.deepEqual(check(schema, value), { kind: "valid" });
      for (const value of bad) assert.equal(check(schema, value).kind, "invalid", stringifyJson(value));
    });
  }

  it("says what is wrong in the terms of the option that fits best", () => {
    const schema = {
      oneOf: [
        { properties: { kind: { const: "circle" }, r: { type: "number" } }, required: ["kind", "r"] },
        { properties: { kind: { const: "square" }, a: { type: "number" } }, required: ["kind", "a"] },
      ],
    };
    assert.deepEqual(problems(schema, { kind: "square", a: "1" }), [
      "/a: must be number",
      "/: must fit one of the schemas in “oneOf”",
    ]);
  });

  it("names limits and options with every digit", () => {
    assert.deepEqual(problems({ enum: [9007199254740993n, "x"] }, 1), [
      '/: must be one of 9007199254740993, "x"',
    ]);
    assert.deepEqual(problems({ maximum: 9007199254740993n }, 9007199254740995n), [
      "/: must be <= 9007199254740993",
    ]);
  });
});
