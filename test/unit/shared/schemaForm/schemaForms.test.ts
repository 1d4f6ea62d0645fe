import assert from "node:assert/strict";
import { type JsonObject, type JsonValue, parseJson } from "../../../../src/base/json.ts";
import { startDraft } from "../../../../src/shared/schemaForm/buildDraft.ts";
import type { FormPlan } from "../../../../src/shared/schemaForm/formPlan.ts";
import { printJson } from "../../../../src/shared/schemaForm/jsonText.ts";
import { FormPlanner } from "../../../../src/shared/schemaForm/planSchema.ts";
import { readDraft } from "../../../../src/shared/schemaForm/readDraft.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

function propertiesOf(schema: JsonObject): Readonly<Record<string, FormPlan>> {
  const planner = new FormPlanner(schema);
  const plan = planner.planRoot();
  assert.equal(plan.kind, "object");
  return plan.kind === "object"
    ? Object.fromEntries(plan.properties.map(({ name, schema: part }) => [name, planner.plan(part)]))
    : {};
}

function kinds(schema: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, { kind }]) => [name, kind]));
}

describe("the form of a schema", () => {
  it("shows the properties of several conditions in one allOf", () => {
    const schema = {
      type: "object",
      properties: { mode: { enum: ["a", "b"] } },
      allOf: [
        { if: { properties: { mode: { const: "a" } } }, then: { properties: { x: { type: "string" } } } },
        { if: { properties: { mode: { const: "b" } } }, then: { properties: { y: { type: "number" } } } },
      ],
    };
    assert.deepEqual(kinds(schema), { mode: "enum", x: "string", y: "number" });
  });

  it("knows what references, choices and conditions within a condition allow", () => {
    const schema = {
      type: "object",
      unevaluatedProperties: false,
      if: { required: ["a"] },
      then: { $ref: "#/$defs/then" },
      else: { oneOf: [{ properties: { c: { type: "boolean" } } }, true] },
      dependentSchemas: { a: { properties: { d: { type: "number" } } } },
      $defs: {
        then: {
          properties: { b: { type: "string" } },
          if: { required: ["b"] },
          then: { properties: { e: { const: 1 } } },
        },
      },
    };
    assert.deepEqual(kinds(schema), { b: "string", e: "const", c: "boolean", d: "number" });
  });

  it("merges choices that come together, instead of giving up the whole form", () => {
    const schema = {
      type: "object",
      properties: {
        v: {
          allOf: [
            { oneOf: [{ type: "string" }, { type: "number" }] },
            { oneOf: [{ minimum: 3 }, { maxLength: 2 }] },
          ],
        },
      },
    };
    assert.deepEqual(kinds(schema), { v: "variants" });
  });

  it("does not mind two choices that only say what is required", () => {
    const either = (a: string, b: string): JsonObject => ({ oneOf: [{ required: [a] }, { required: [b] }] });
    const schema = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } },
      allOf: [either("a", "b"), either("b", "c")],
    };
    assert.deepEqual(kinds(schema), { a: "string", b: "string", c: "string" });
  });

  it("does not mind rules that it does not show when they come twice", () => {
    const schema = {
      type: "object",
      properties: {
        a: { allOf: [{ type: "string", pattern: "^a" }, { pattern: "b$", "x-order": 1 }, { "x-order": 2 }] },
        b: { allOf: [{ type: "array", contains: { const: 1 } }, { contains: { const: 2 } }] },
      },
    };
    assert.deepEqual(kinds(schema), { a: "string", b: "array" });
  });

  it("shows the words and not the rules beside a reference of draft-07", () => {
    const definitions = { s: { type: "string", title: "Theirs" } };
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/definitions/s", title: "Mine", maxLength: 1 } },
    };
    const [old, recent] = [DRAFT_07, undefined].map(
      ($schema) => propertiesOf({ ...schema, definitions, ...($schema && { $schema }) })["a"],
    );
    assert.deepEqual([old?.title, old?.kind === "string" && old.maxLength], ["Mine", undefined]);
    assert.deepEqual([recent?.title, recent?.kind === "string" && recent.maxLength], ["Mine", 1]);
  });

  it("follows a reference from the part with an address that it stands in", () => {
    const schema = {
      $id: "https://a.test/root",
      type: "object",
      properties: { p: { $ref: "part" }, q: { $ref: "#/$defs/v" }, r: { $ref: "part#name" } },
      $defs: {
        v: { type: "number" },
        p: {
          $id: "part",
          $ref: "#/$defs/v",
          $defs: { v: { type: "string" }, n: { $anchor: "name", type: "boolean" } },
        },
      },
    };
    assert.deepEqual(kinds(schema), { p: "string", q: "number", r: "boolean" });
  });

  it("allows null where OpenAPI's word does", () => {
    const found = propertiesOf({
      properties: { a: { type: "string", nullable: true }, b: { type: "string" } },
    });
    assert.deepEqual([found["a"]?.nullable, found["b"]?.nullable], [true, false]);
  });

  it("ends a list where nothing more is evaluated", () => {
    const schema = { type: "object", properties: { a: { prefixItems: [true], unevaluatedItems: false } } };
    const found = propertiesOf(schema)["a"];
    assert.equal(found?.kind === "array" && found.items, false);
  });
});

describe("a value in the form of its schema", () => {
  const recursive: JsonObject = {
    type: "object",
    properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
  };
  const rows: readonly (readonly [string, JsonObject, JsonValue])[] = [
    ["that fits", recursive, { label: "a", children: [{ label: "b", children: [{ label: "c" }] }] }],
    ["of other types", recursive, { label: 1, children: { no: [true] }, more: null }],
    ["of a choice", { anyOf: [{ type: "string" }, recursive] }, { children: [{ label: "x", extra: [1] }] }],
    ["that fits no option", { oneOf: [{ type: "string" }, { const: 1 }] }, { neither: [0.5] }],
    ["of mixed options", { enum: ["a", 1, null, { x: [1] }] }, { x: [1] }],
    ["that is no option", { enum: ["a", 1] }, ["a"]],
    [
      "with names of a prototype",
      { type: "object", properties: { toString: { type: "string" } } },
      parseJson('{"__proto__":{"a":1},"constructor":1}'),
    ],
    [
      "with many digits",
      { properties: { n: { type: "integer" }, any: true } },
      { n: 9007199254740993n, any: [-18446744073709551615n] },
    ],
    [
      "in nested lists",
      { items: { items: { prefixItems: [{ type: "number" }], items: { type: "string" } } } },
      [[[1, "a", 2]], [], "x"],
    ],
    [
      "behind an unresolved reference",
      { properties: { a: { $ref: "https://nowhere.invalid/x" } } },
      { a: { b: [1] } },
    ],
    ["of a schema that never holds", { properties: { a: false } }, { a: 1 }],
    ["of a conflict", { properties: { a: { allOf: [{ type: "string" }, { type: "number" }] } } }, { a: "x" }],
    [
      "beside a default",
      { properties: { a: { type: "string", default: "d" }, b: { default: 2 } } },
      { b: 3 },
    ],
  ];
  for (const [name, schema, value] of rows) {
    it(`comes out as it went in: ${name}`, () => {
      const planner = new FormPlanner(schema);
      const { node, incomplete } = readDraft(planner, schema, startDraft(planner, schema, value));
      assert.equal(incomplete, false);
      assert.ok(node !== undefined);
      assert.deepEqual(parseJson(printJson(node)), value);
    });
  }
});
