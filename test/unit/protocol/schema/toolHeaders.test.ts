import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type JsonObject, type JsonValue, stringifyJson } from "../../../../src/base/json.ts";
import { checkToolHeaders, mirrorHeaders } from "../../../../src/protocol/schema/toolHeaders.ts";

const annotated = (annotation: JsonValue, type: JsonValue = "string"): JsonObject => ({
  type,
  "x-mcp-header": annotation,
});
const withProperty = (schema: JsonObject): JsonObject => ({ type: "object", properties: { a: schema } });

function reasonFor(schema: JsonObject): string {
  const checked = checkToolHeaders(schema);
  return checked.kind === "invalid" ? checked.reason : "valid";
}

describe("checkToolHeaders", () => {
  // Duty: 4.2.3, 4.2.4
  it("finds nested arguments in the order they are written", () => {
    const schema = {
      type: "object",
      properties: {
        region: annotated("Region"),
        place: {
          type: "object",
          properties: { zone: annotated("zone-1", "integer"), "": annotated("E", "boolean") },
        },
        plain: { type: "string" },
      },
    };
    assert.deepEqual(checkToolHeaders(schema), {
      kind: "ok",
      mirrored: [
        { header: "Mcp-Param-Region", path: ["region"] },
        { header: "Mcp-Param-zone-1", path: ["place", "zone"] },
        { header: "Mcp-Param-E", path: ["place", ""] },
      ],
    });
  });

  // Duty: 4.2.9
  it("gives a name of the protocol its prefix, so that it is no header of the protocol", () => {
    const checked = checkToolHeaders(withProperty(annotated("Method")));
    assert.deepEqual(checked, { kind: "ok", mirrored: [{ header: "Mcp-Param-Method", path: ["a"] }] });
  });

  for (const [what, annotation] of [
    ["empty", ""],
    ["with a space", "My Region"],
    ["with a colon", "Region:x"],
    ["not ASCII", "Région"],
    ["with a control character", "Region\n"],
    ["no string", 7],
    ["null", null],
  ] as const) {
    // Duty: 4.2.3
    it(`refuses a name that is ${what}`, () => {
      assert.match(reasonFor(withProperty(annotated(annotation))), /x-mcp-header at “a”/);
    });
  }

  it("takes every character of a token", () => {
    assert.equal(reasonFor(withProperty(annotated("!#$%&'*+-.^_`|~09azAZ"))), "valid");
  });

  for (const type of ["number", "object", "array", "null", ["string", "null"], ["string"]] as const) {
    // Duty: 4.2.3, 4.2.4
    it(`refuses the type ${JSON.stringify(type)}`, () => {
      assert.match(reasonFor(withProperty(annotated("X", type))), /must be string, integer or boolean/);
    });
  }

  it("refuses a missing type", () => {
    assert.match(reasonFor(withProperty({ "x-mcp-header": "X" })), /not given/);
  });

  // Duty: 4.2.3
  it("refuses the same name twice, whatever its case", () => {
    const schema = { properties: { a: annotated("Region"), b: { properties: { c: annotated("REGION") } } } };
    assert.match(reasonFor(schema), /used twice/);
  });

  it("refuses an annotation at the root", () => {
    assert.match(reasonFor({ type: "string", "x-mcp-header": "X" }), /root/);
  });

  const at = annotated("X");
  for (const [keyword, value] of [
    ["items", at],
    ["items", [at]],
    ["prefixItems", [at]],
    ["contains", at],
    ["additionalProperties", at],
    ["patternProperties", { "^x": at }],
    ["oneOf", [{}, at]],
    ["anyOf", [at]],
    ["allOf", [{ properties: { a: at } }]],
    ["not", { properties: { a: at } }],
    ["if", { properties: { a: at } }],
    ["then", { properties: { a: at } }],
    ["else", { properties: { a: at } }],
    ["$defs", { d: at }],
    ["definitions", { d: at }],
    ["dependentSchemas", { d: at }],
  ] as const) {
    // Duty: 4.2.3
    it(`refuses an annotation below ${keyword}`, () => {
      assert.match(
        reasonFor({ type: "object", [keyword]: value }),
        new RegExp(`below “${keyword.replace("$", "\\$")}”`),
      );
      assert.match(reasonFor(withProperty({ type: "object", [keyword]: value })), /stands below/);
    });
  }

  it("does not take data for annotations", () => {
    const schema = {
      properties: { "x-mcp-header": { type: "object" } },
      default: at,
      examples: [at],
      const: { properties: { a: at } },
    };
    assert.deepEqual(checkToolHeaders(schema as JsonObject), { kind: "ok", mirrored: [] });
  });

  it("reads a schema that is very deep or very wide", () => {
    let schema: JsonObject = { type: "string", "x-mcp-header": "Deep" };
    for (let depth = 0; depth < 20_000; depth += 1) schema = { properties: { a: schema } };
    const deep = checkToolHeaders(schema);
    assert.equal(deep.kind === "ok" && deep.mirrored[0]?.path.length, 20_000);
    const properties = Object.fromEntries(Array.from({ length: 150_000 }, (_, n) => [`p${String(n)}`, {}]));
    assert.equal(checkToolHeaders({ properties }).kind, "ok");
  });

  it("survives a schema of any depth", () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 50_000; level += 1) deep = { items: deep };
    assert.deepEqual(checkToolHeaders(deep), { kind: "ok", mirrored: [] });
  });
});

describe("mirrorHeaders", () => {
  const mirrored = [{ header: "Mcp-Param-X", path: ["a", "b"] }];
  const cases: readonly (readonly [JsonValue | undefined, string | undefined])[] = [
    ["us west", "us west"],
    ["", ""],
    ["世界", "世界"],
    [5, "5"],
    [-0, "0"],
    [9007199254740991, "9007199254740991"],
    [9007199254740992, undefined],
    [9007199254740993n, undefined],
    [1.5, undefined],
    [true, "true"],
    [false, "false"],
    [null, undefined],
    [{}, undefined],
    [["a"], undefined],
    [undefined, undefined],
  ];
  for (const [value, expected] of cases) {
    // Duty: 4.2.5, 4.2.6
    it(`turns ${stringifyJson(value)} into ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(
        mirrorHeaders(mirrored, { a: { b: value } }),
        expected === undefined ? {} : { "Mcp-Param-X": expected },
      );
    });
  }

  it("omits what is missing on the way and what only a prototype has", () => {
    assert.deepEqual(mirrorHeaders(mirrored, {}), {});
    assert.deepEqual(mirrorHeaders(mirrored, { a: "text" }), {});
    assert.deepEqual(mirrorHeaders([{ header: "Mcp-Param-X", path: ["constructor", "name"] }], {}), {});
  });
});
