import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { schemaForModel } from "../../../../src/host/chat/schemaForModel.ts";

/** Every keyword that the specification names for input schemas. */
const RICH: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://a.test/s",
  type: "object",
  $defs: {
    address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" } } },
    node: { properties: { next: { $ref: "#/$defs/node" } } },
  },
  properties: {
    a: { $ref: "#/$defs/address" },
    b: { oneOf: [{ type: "string" }, { allOf: [{ minimum: 1 }] }], "x-order": 1 },
    c: { type: "array", items: { anyOf: [{ const: 1 }, { enum: [null, "x"] }] }, not: { minItems: 9 } },
    d: {
      type: "string",
      format: "uri",
      pattern: "^h",
      default: "https://a.test",
      examples: ["https://b.test"],
    },
  },
  if: { required: ["a"] },
  then: { required: ["b"] },
  else: { required: ["c"] },
  additionalProperties: false,
};

describe("schemaForModel", () => {
  // Duty: 1.5.6
  it("keeps the schema of an object as the server wrote it", () => {
    const before = structuredClone(RICH);
    const { schema, note } = schemaForModel(RICH);
    assert.equal(schema, RICH);
    assert.deepEqual(schema, before);
    assert.equal(note, "");
  });

  it("offers the properties of a choice at the root, and says the choice in words", () => {
    const anyOf = [
      { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
      {
        type: "object",
        properties: { name: { type: "string" }, id: { type: "string" } },
        required: ["name"],
      },
    ];
    assert.deepEqual(schemaForModel({ anyOf }), {
      schema: {
        type: "object",
        properties: { id: { anyOf: [{ type: "integer" }, { type: "string" }] }, name: { type: "string" } },
      },
      note: `The arguments are an object that must fit this JSON Schema, too: ${JSON.stringify({ anyOf })}`,
    });
  });

  it("moves only the choice out of an object", () => {
    const rules = { allOf: [{ if: { properties: { n: { const: 1 } } }, then: { required: ["m"] } }] };
    const rest = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    assert.deepEqual(schemaForModel({ ...rest, ...rules }), {
      schema: rest,
      note: `The arguments are an object that must fit this JSON Schema, too: ${JSON.stringify(rules)}`,
    });
  });

  it("says what is in a list where the server does not, and changes nothing else", () => {
    const schema = {
      type: "object",
      properties: {
        xs: { type: "array", description: "Some." },
        ys: { type: "array", items: { type: ["array", "null"], prefixItems: [{ type: "array" }] } },
        items: { const: { type: "array" }, default: { type: "array" } },
        zs: { type: "array", items: false },
      },
    };
    assert.deepEqual(schemaForModel(schema).schema, {
      type: "object",
      properties: {
        xs: { type: "array", description: "Some.", items: {} },
        ys: {
          type: "array",
          items: { type: ["array", "null"], prefixItems: [{ type: "array", items: {} }], items: {} },
        },
        items: { const: { type: "array" }, default: { type: "array" } },
        zs: { type: "array", items: false },
      },
    });
  });

  it("leaves references as references", () => {
    const schema = {
      type: "object",
      properties: { self: { $ref: "#" }, a: { $ref: "#/$defs/a" } },
      $defs: { a: {} },
    };
    assert.equal(schemaForModel(schema).schema, schema);
  });

  it("does not let a schema of any depth spoil the request", () => {
    let deep: JsonObject = { type: "array" };
    for (let level = 0; level < 100_000; level += 1) deep = { anyOf: [deep] };
    assert.deepEqual(schemaForModel(deep), {
      schema: { type: "object" },
      note: "The schema of the arguments is too large to be shown.",
    });
  });
});
