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

async function check(schema: JsonObject, value: JsonValue): Promise<SchemaVerdict | string> {
  const prepared = await prepareSchema(schema, DEFAULT_LIMITS);
  return prepared.kind === "usable" ? prepared.check(value) : prepared.reason;
}

async function paths(schema: JsonObject, value: JsonValue): Promise<readonly string[]> {
  const verdict = await check(schema, value);
  if (typeof verdict === "string") assert.fail(verdict);
  if (verdict.kind === "unchecked") assert.fail(verdict.reason);
  return verdict.kind === "valid" ? [] : verdict.problems.map((problem) => problem.path);
}

async function reason(schema: JsonObject): Promise<string> {
  const prepared = await prepareSchema(schema, DEFAULT_LIMITS);
  if (prepared.kind === "usable") assert.fail("the schema is usable");
  return prepared.reason;
}

describe("prepareSchema", () => {
  it("names every problem by its path", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "integer" } },
      required: ["a", "b/c"],
      additionalProperties: false,
    };
    assert.deepEqual((await paths(schema, { a: "x", d: 1 })).toSorted(), ["/a", "/b~1c", "/d"]);
    assert.deepEqual(await paths(schema, { a: 1, "b/c": 1 }).catch(() => "additional"), ["/b~1c"]);
  });

  it("reads 2020-12 by default and when declared", async () => {
    const schema = { prefixItems: [{ type: "string" }], items: false };
    assert.deepEqual(await paths(schema, ["a"]), []);
    assert.deepEqual(
      await paths({ ...schema, $schema: "https://json-schema.org/draft/2020-12/schema" }, ["a", 1]),
      [""],
    );
  });

  it("reads draft-07 when declared, with tuples and with siblings of a reference ignored", async () => {
    const tuple = {
      $schema: DRAFT_07,
      items: [{ type: "string" }, { type: "number" }],
      additionalItems: false,
    };
    assert.deepEqual(await paths(tuple, ["a", 1]), []);
    assert.deepEqual(await paths(tuple, ["a", "b"]), ["/1"]);
    assert.deepEqual(await paths(tuple, ["a", 1, 2]), [""]);
    const sibling = {
      $schema: "http://json-schema.org/draft-07/schema",
      properties: { a: { $ref: "#/definitions/s", maxLength: 1 } },
      definitions: { s: { type: "string" } },
    };
    assert.deepEqual(await paths(sibling, { a: "long" }), []);
  });

  it("leaves an unknown dialect unchecked and says which", async () => {
    assert.match(await reason({ $schema: "https://json-schema.org/draft/2019-09/schema" }), /2019-09/);
    assert.match(await reason({ $schema: 7 }), /unknown dialect: 7/);
  });

  it("fetches nothing and names the reference that it would have needed", async () => {
    assert.match(
      await reason({ properties: { a: { $ref: "https://schemas.invalid/x.json" } } }),
      /https:\/\/schemas\.invalid\/x\.json.*Nothing was fetched/,
    );
    assert.match(await reason({ properties: { a: { $ref: "#/$defs/none" } } }), /#\/\$defs\/none/);
  });

  it("follows references inside the schema: definitions, anchors, recursion, embedded resources", async () => {
    const tree = { type: "object", properties: { root: { $ref: "#/$defs/node" } }, $defs: { node: NODE } };
    assert.deepEqual(
      await paths(tree, { root: { label: "a", children: [{ label: "b", children: [{ label: "c" }] }] } }),
      [],
    );
    assert.deepEqual(
      await paths(tree, { root: { label: "a", children: [{ label: "b", children: [{}] }] } }),
      ["/root/children/0/children/0/label"],
    );
    assert.deepEqual(
      await paths(
        { properties: { self: { $ref: "#" }, n: { type: "number" } } },
        { self: { self: { n: "x" } } },
      ),
      ["/self/self/n"],
    );
    assert.deepEqual(
      await paths(
        { properties: { a: { $ref: "#here" } }, $defs: { x: { $anchor: "here", type: "number" } } },
        { a: "s" },
      ),
      ["/a"],
    );
    assert.deepEqual(
      await paths(
        { properties: { a: { $ref: "#/$defs/x~1y%25z" } }, $defs: { "x/y%z": { type: "number" } } },
        { a: "s" },
      ),
      ["/a"],
    );
    assert.deepEqual(
      await paths(
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

  it("keeps two servers apart that use the same $id", async () => {
    assert.deepEqual(await paths({ $id: "https://same.test/s", type: "number" }, 1), []);
    assert.deepEqual(await paths({ $id: "https://same.test/s", type: "string" }, "a"), []);
    assert.match(await reason({ properties: { a: { $ref: "https://same.test/s" } } }), /same\.test/);
  });

  it("knows the meta-schema of its dialect, for tools that take a schema", async () => {
    assert.deepEqual(
      await paths(
        { properties: { a: { $ref: "https://json-schema.org/draft/2020-12/schema" } } },
        { a: { type: "string" } },
      ),
      [],
    );
    assert.notDeepEqual(
      await paths({ $schema: DRAFT_07, properties: { a: { $ref: DRAFT_07 } } }, { a: { type: "text" } }),
      [],
    );
  });

  it("checks formats and ignores those it does not know", async () => {
    const schema = {
      properties: {
        a: { type: "string", format: "email" },
        b: { format: "shoe-size" },
        c: { format: "date-time" },
      },
    };
    assert.deepEqual(await paths(schema, { a: "a@b.test", b: "x", c: "2026-07-28T00:00:00Z" }), []);
    assert.deepEqual(await paths(schema, { a: "a", b: "x", c: "today" }), ["/a", "/c"]);
  });

  it("takes patterns that only work without the u flag, and unknown keywords", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string", pattern: "^[\\w-.]+\\-$", "x-ui": 1 } },
      id: "stray",
    };
    assert.deepEqual(await paths(schema, { a: "x-" }), []);
    assert.deepEqual(await paths(schema, { a: "!" }), ["/a"]);
  });

  it("takes the nullable of OpenAPI, with a type and without one", async () => {
    const schema = {
      properties: { a: { type: "string", nullable: true }, b: { nullable: true, minLength: 2 } },
    };
    assert.deepEqual(await paths(schema, { a: null, b: null }), []);
    assert.deepEqual(await paths(schema, { a: 1, b: "x" }), ["/a", "/b"]);
    assert.deepEqual(await paths({ const: { nullable: true } }, { nullable: true }), []);
  });

  it("says what is broken instead of throwing", async () => {
    assert.match(await reason({ type: "strnig" }), /schema\/type/);
    assert.match(await reason({ items: [{ type: "string" }] }), /schema\/items/);
    assert.match(await reason({ pattern: "([" }), /regular expression/);
    assert.match(await reason({ $async: true, type: "object" }), /asynchronous/);
  });

  it("does not take properties of a prototype for the value's own", async () => {
    assert.deepEqual(await paths({ required: ["toString", "constructor"] }, {}), [
      "/toString",
      "/constructor",
    ]);
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonObject;
    assert.deepEqual(await paths(schema, {}), []);
  });

  it("refuses a schema that is too deep or too big before anything recursive reads it", async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) deep = { properties: { a: deep } };
    assert.match(await reason(deep), /64 levels/);
    const wide = { anyOf: Array.from({ length: 10_001 }, () => ({ type: "string" })) };
    assert.match(await reason(wide), /10000 parts/);
  });

  it("gives up on a value that takes too long or goes too deep, and says so", async () => {
    const limits = { ...DEFAULT_LIMITS, schemaMs: 500 };
    const slow = await prepareSchema({ type: "string", pattern: "^(a+)+$" }, limits);
    if (slow.kind !== "usable") assert.fail(slow.reason);
    assert.deepEqual(slow.check(`${"a".repeat(40)}!`), {
      kind: "unchecked",
      reason: "Checking it took more than 500 ms.",
    });
    assert.deepEqual(slow.validate(`${"a".repeat(40)}!`), [
      { path: "", message: "Checking it took more than 500 ms." },
    ]);
    assert.deepEqual(slow.check("aaa"), { kind: "valid" });
    let value: JsonObject = { label: "x" };
    for (let level = 0; level < 100_000; level += 1) value = { label: "x", children: [value] };
    const endless = await check({ $ref: "#" }, 1);
    assert.equal(typeof endless === "string" ? endless : endless.kind, "unchecked");
    const verdict = await check({ $ref: "#/$defs/node", $defs: { node: NODE } }, value);
    assert.equal(typeof verdict === "string" ? verdict : verdict.kind, "unchecked");
  });

  it("prepares the same schema once", async () => {
    const schema = { type: "string", title: "once" };
    assert.equal(prepareSchema(schema, DEFAULT_LIMITS), prepareSchema(schema, DEFAULT_LIMITS));
    assert.equal(
      await prepareSchema(schema, DEFAULT_LIMITS),
      await prepareSchema({ ...schema }, DEFAULT_LIMITS),
    );
  });
});
