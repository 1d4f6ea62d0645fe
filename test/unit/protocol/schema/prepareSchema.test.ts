import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/base/json.ts";
import { DEFAULT_LIMITS } from "../../../../src/protocol/limits.ts";
import { prepareSchema, type SchemaVerdict } from "../../../../src/protocol/schema/prepareSchema.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const NODE: JsonObject = {
  type: "object",
  properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
  required: ["label"],
};

function check(schema: JsonObject, value: JsonValue): SchemaVerdict | string {
  const prepared = prepareSchema(schema, DEFAULT_LIMITS);
  return prepared.kind === "usable" ? prepared.check(value) : prepared.reason.message;
}

function paths(schema: JsonObject, value: JsonValue): readonly string[] {
  const verdict = check(schema, value);
  if (typeof verdict === "string") assert.fail(verdict);
  if (verdict.kind === "unchecked") assert.fail(verdict.reason.message);
  return verdict.kind === "valid" ? [] : verdict.problems.map((problem) => problem.path);
}

function reason(schema: JsonObject): string {
  const prepared = prepareSchema(schema, DEFAULT_LIMITS);
  if (prepared.kind === "usable") assert.fail("the schema is usable");
  return prepared.reason.message;
}

describe("prepareSchema", () => {
  it("names every problem by its path", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "integer" } },
      required: ["a", "b/c"],
      additionalProperties: false,
    };
    assert.deepEqual(paths(schema, { a: "x", d: 1 }).toSorted(), ["/a", "/b~1c", "/d"]);
    assert.deepEqual(paths(schema, { a: 1, "b/c": 1 }), ["/b~1c"]);
  });

  // Duty: 1.5.1, 1.5.2
  it("reads 2020-12 by default and when declared", () => {
    const schema = { prefixItems: [{ type: "string" }], items: false };
    assert.deepEqual(paths(schema, ["a"]), []);
    assert.deepEqual(
      paths({ ...schema, $schema: "https://json-schema.org/draft/2020-12/schema" }, ["a", 1]),
      ["/1"],
    );
  });

  // Duty: 1.5.2
  it("reads draft-07 when declared, with tuples and with siblings of a reference ignored", () => {
    const tuple = {
      $schema: DRAFT_07,
      items: [{ type: "string" }, { type: "number" }],
      additionalItems: false,
    };
    assert.deepEqual(paths(tuple, ["a", 1]), []);
    assert.deepEqual(paths(tuple, ["a", "b"]), ["/1"]);
    assert.deepEqual(paths(tuple, ["a", 1, 2]), ["/2"]);
    const sibling = {
      $schema: "http://json-schema.org/draft-07/schema",
      properties: { a: { $ref: "#/definitions/s", maxLength: 1 } },
      definitions: { s: { type: "string" } },
    };
    assert.deepEqual(paths(sibling, { a: "long" }), []);
  });

  // Duty: 1.5.2
  it("leaves an unknown dialect unchecked and says which", () => {
    assert.match(reason({ $schema: "https://json-schema.org/draft/2019-09/schema" }), /2019-09/);
    assert.match(reason({ $schema: 7 }), /unknown dialect: 7/);
  });

  // Duty: 1.5.3, 1.5.4
  it("fetches nothing and names the reference that it would have needed", () => {
    assert.match(
      reason({ properties: { a: { $ref: "https://schemas.invalid/x.json" } } }),
      /https:\/\/schemas\.invalid\/x\.json.*Nothing was fetched/,
    );
    assert.match(reason({ properties: { a: { $ref: "#/$defs/none" } } }), /#\/\$defs\/none/);
  });

  it("follows references inside the schema: definitions, anchors, recursion, embedded resources", () => {
    const tree = { type: "object", properties: { root: { $ref: "#/$defs/node" } }, $defs: { node: NODE } };
    assert.deepEqual(
      paths(tree, { root: { label: "a", children: [{ label: "b", children: [{ label: "c" }] }] } }),
      [],
    );
    assert.deepEqual(paths(tree, { root: { label: "a", children: [{ label: "b", children: [{}] }] } }), [
      "/root/children/0/children/0/label",
    ]);
    assert.deepEqual(
      paths({ properties: { self: { $ref: "#" }, n: { type: "number" } } }, { self: { self: { n: "x" } } }),
      ["/self/self/n"],
    );
    assert.deepEqual(
      paths(
        { properties: { a: { $ref: "#here" } }, $defs: { x: { $anchor: "here", type: "number" } } },
        { a: "s" },
      ),
      ["/a"],
    );
    assert.deepEqual(
      paths(
        { properties: { a: { $ref: "#/$defs/x~1y%25z" } }, $defs: { "x/y%z": { type: "number" } } },
        { a: "s" },
      ),
      ["/a"],
    );
    assert.deepEqual(
      paths(
        {
          $id: "https://a.test/root",
          properties: { a: { $ref: "part" } },
          $defs: { p: { $id: "part", type: "number" } },
        },
        { a: "s" },
      ),
      ["/a"],
    );
  });

  it("keeps two servers apart that use the same $id", () => {
    assert.deepEqual(paths({ $id: "https://same.test/s", type: "number" }, 1), []);
    assert.deepEqual(paths({ $id: "https://same.test/s", type: "string" }, "a"), []);
    assert.match(reason({ properties: { a: { $ref: "https://same.test/s" } } }), /same\.test/);
  });

  it("knows the meta-schema of its dialect, for tools that take a schema", () => {
    assert.deepEqual(
      paths(
        { properties: { a: { $ref: "https://json-schema.org/draft/2020-12/schema" } } },
        { a: { type: "string" } },
      ),
      [],
    );
    assert.notDeepEqual(
      paths({ $schema: DRAFT_07, properties: { a: { $ref: DRAFT_07 } } }, { a: { type: "text" } }),
      [],
    );
  });

  it("checks formats and ignores those it does not know", () => {
    const schema = {
      properties: {
        a: { type: "string", format: "email" },
        b: { format: "shoe-size" },
        c: { format: "date-time" },
      },
    };
    assert.deepEqual(paths(schema, { a: "a@b.test", b: "x", c: "2026-07-28T00:00:00Z" }), []);
    assert.deepEqual(paths(schema, { a: "a", b: "x", c: "today" }), ["/a", "/c"]);
  });

  it("takes patterns that only work without the u flag, and unknown keywords", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string", pattern: "^[\\w-.]+\\-$", "x-ui": 1 } },
      id: "stray",
    };
    assert.deepEqual(paths(schema, { a: "x-" }), []);
    assert.deepEqual(paths(schema, { a: "!" }), ["/a"]);
  });

  it("takes the nullable of OpenAPI, with a type and without one", () => {
    const schema = {
      properties: { a: { type: "string", nullable: true }, b: { nullable: true, minLength: 2 } },
    };
    assert.deepEqual(paths(schema, { a: null, b: null }), []);
    assert.deepEqual(paths(schema, { a: 1, b: "x" }), ["/a", "/b"]);
    assert.deepEqual(paths({ const: { nullable: true } }, { nullable: true }), []);
  });

  it("says what is broken instead of throwing", () => {
    assert.match(reason({ type: "strnig" }), /"\/type" must be one of array, boolean/);
    assert.match(
      reason({ properties: { a: { items: [{ type: "string" }] } } }),
      /"\/properties\/a\/items" must be an object or a boolean/,
    );
    assert.match(
      reason({ properties: { a: { required: true } } }),
      /"\/properties\/a\/required" must be a list/,
    );
    assert.match(reason({ anyOf: [] }), /"\/anyOf" must be a list of schemas, not empty/);
    const unreadable = check({ properties: { a: { pattern: "([" } } }, { a: "x" });
    assert.match(JSON.stringify(unreadable), /unchecked.*no regular expression/);
  });

  it("does not mind what only informs", () => {
    const schema = { type: "object", title: null, description: 7, examples: "x", $async: true, $comment: [] };
    assert.deepEqual(paths(schema, {}), []);
  });

  it("does not take properties of a prototype for the value's own", () => {
    assert.deepEqual(paths({ required: ["toString", "constructor"] }, {}), ["/toString", "/constructor"]);
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonObject;
    assert.deepEqual(paths(schema, {}), []);
  });

  it("prepares the same schema once", () => {
    const schema = { type: "string", title: "once" };
    assert.equal(prepareSchema(schema, DEFAULT_LIMITS), prepareSchema(schema, DEFAULT_LIMITS));
    assert.notEqual(prepareSchema(schema, DEFAULT_LIMITS), prepareSchema({ ...schema }, DEFAULT_LIMITS));
  });

  it("leaves the schema as it came", () => {
    const schema = {
      $id: "https://a.test/s",
      properties: { a: { $ref: "#/$defs/node" } },
      $defs: { node: NODE },
    };
    const before = structuredClone(schema);
    assert.deepEqual(paths(schema, { a: { label: "x", children: [] } }), []);
    assert.deepEqual(schema, before);
  });
});
