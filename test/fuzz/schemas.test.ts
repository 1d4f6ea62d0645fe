import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { stringifyJson, type JsonObject, type JsonValue } from "../../src/base/json.ts";
import { DEFAULT_LIMITS } from "../../src/protocol/limits.ts";
import { prepareSchema } from "../../src/protocol/schema/prepareSchema.ts";
import { forAll } from "./support/forAll.ts";
import { anyJson, anyObject } from "./support/messageCases.ts";

/** A small world, so that schemas and values meet. */
const names = fc.constantFrom("a", "b", "ab", "c");
const scalar = fc.constantFrom<JsonValue>(
  null,
  true,
  false,
  0,
  1,
  2,
  3,
  -1,
  0.5,
  6,
  "",
  "a",
  "ab",
  "abc",
  "ü",
  "𝄞",
);
const small = fc.nat(3);
/** The clock is no part of this comparison: the machine may be busy. */
const UNHURRIED = { ...DEFAULT_LIMITS, schemaMs: 10_000 };
/** Values for each schema, because ajv takes milliseconds to compile one. */
const VALUES = 4;

const value = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie("any"), { maxLength: 3 }) },
    { weight: 3, arbitrary: fc.dictionary(names, tie("any"), { maxKeys: 3, noNullPrototype: true }) },
  ),
})).any;

const type = fc.constantFrom("null", "boolean", "integer", "number", "string", "array", "object");

/** Schemas of 2020-12 without what ajv leaves out or reads in another way. */
function schemaOf(references: readonly string[]): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ schema: JsonValue; object: JsonValue }>((tie) => {
    const schema = tie("schema");
    const map = fc.dictionary(names, schema, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
    const list = fc.array(schema, { minLength: 1, maxLength: 3 });
    const one = (key: string, arbitrary: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
      arbitrary.map((of) => ({ [key]: of }));
    const plain = [
      one("type", fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))),
      one("enum", fc.array(value, { minLength: 1, maxLength: 3 })),
      one("const", value),
      ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((key) =>
        one(key, fc.integer({ min: -1, max: 3 })),
      ),
      one("multipleOf", fc.constantFrom(1, 2, 3, 0.5)),
      ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map((key) =>
        one(key, small),
      ),
      one("pattern", fc.constantFrom("a", "^a", "b$", "^.$", "^$", "ü")),
      one("uniqueItems", fc.boolean()),
      one("required", fc.uniqueArray(names, { maxLength: 2 })),
      one(
        "dependentRequired",
        fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2, noNullPrototype: true }),
      ),
      ...(references.length === 0 ? [] : [one("$ref", fc.constantFrom(...references))]),
    ];
    const nested = [
      ...["items", "contains", "additionalProperties", "not"].map((key) => one(key, schema)),
      one("propertyNames", schema),
      ...["prefixItems", "allOf", "anyOf", "oneOf"].map((key) => one(key, list)),
      ...["properties", "dependentSchemas"].map((key) => one(key, map)),
      one(
        "patternProperties",
        fc.dictionary(fc.constantFrom("^a", "b", "^$", "."), schema, { maxKeys: 2, noNullPrototype: true }),
      ),
      fc.record({ if: schema, then: schema, else: schema }, { requiredKeys: ["if"], noNullPrototype: true }),
      fc.record(
        { contains: schema, minContains: small, maxContains: small },
        { requiredKeys: ["contains"], noNullPrototype: true },
      ),
    ] as fc.Arbitrary<JsonObject>[];
    const keywords = fc
      .array(
        fc.oneof({ weight: 1, arbitrary: fc.oneof(...plain) }, { weight: 1, arbitrary: fc.oneof(...nested) }),
        { minLength: 1, maxLength: 3 },
      )
      .map((parts): JsonValue => Object.assign({}, ...parts) as JsonObject);
    return {
      object: keywords,
      schema: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        { weight: 1, arbitrary: fc.oneof(fc.boolean(), ...plain) },
        { weight: 3, arbitrary: keywords },
      ),
    };
  }).object;
}

const schemas = fc
  .tuple(schemaOf(["#/$defs/a", "#/$defs/b"]), schemaOf([]), schemaOf([]))
  .map(([root, a, b]) => ({ ...(root as JsonObject), $defs: { a, b } }));

/** Within other keywords, ajv lets `contains` pass on an empty list, which contains nothing. */
function isDisputed(schema: JsonObject, instance: JsonValue): boolean {
  return stringifyJson(schema).includes('"contains"') && stringifyJson(instance).includes("[]");
}

/** Undefined where ajv makes code that cannot run, which it does for some conditions. */
function compileByAjv(schema: JsonObject): ((instance: JsonValue) => boolean | undefined) | undefined {
  try {
    const ajv = new Ajv2020({ strict: false, validateSchema: false, meta: false, validateFormats: false });
    const validate = ajv.compile(schema);
    return (instance) => {
      try {
        return validate(instance);
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}

describe("fuzz: schemas", () => {
  it("allow what another validator allows, and nothing else", () => {
    const seen = { valid: 0, invalid: 0 };
    const values = fc.array(value, { minLength: VALUES, maxLength: VALUES });
    forAll(
      fc.tuple(schemas, values),
      ([schema, instances]) => {
        const prepared = prepareSchema(schema, UNHURRIED);
        assert.ok(prepared.kind === "usable");
        const checkByAjv = compileByAjv(schema);
        for (const instance of instances) {
          const { kind } = prepared.check(instance);
          const expected = isDisputed(schema, instance) ? undefined : checkByAjv?.(instance);
          assert.ok(kind !== "unchecked");
          if (expected !== undefined) assert.equal(kind, expected ? "valid" : "invalid");
          seen[kind] += 1;
        }
      },
      { casesInOne: VALUES },
    );
    assert.ok(seen.valid > 200 && seen.invalid > 200, JSON.stringify(seen));
  });

  it("give a verdict in time, or say why not, whatever they are", () => {
    const keyword = fc.constantFrom(
      ...[
        "type",
        "enum",
        "const",
        "items",
        "prefixItems",
        "properties",
        "required",
        "allOf",
        "anyOf",
        "not",
        "if",
        "then",
      ],
      ...[
        "$ref",
        "$defs",
        "$id",
        "$anchor",
        "$schema",
        "$dynamicRef",
        "$dynamicAnchor",
        "pattern",
        "patternProperties",
      ],
      ...[
        "minimum",
        "multipleOf",
        "minLength",
        "uniqueItems",
        "unevaluatedProperties",
        "unevaluatedItems",
        "format",
      ],
    );
    const odd = fc.letrec<{ any: JsonValue }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<JsonValue>(
          "#",
          "#/$defs/a",
          "#a",
          "https://example.com/x",
          "(a+)+$",
          "[",
          "string",
          -1,
          1e308,
          null,
        ),
        anyJson,
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(fc.oneof(keyword, names), tie("any"), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).any;
    const limits = { ...DEFAULT_LIMITS, schemaMs: 50 };
    forAll(
      fc.tuple(fc.dictionary(keyword, odd, { noNullPrototype: true }), fc.oneof(value, anyObject)),
      ([schema, instance]) => {
        const start = performance.now();
        const prepared = prepareSchema(schema, limits);
        if (prepared.kind === "usable") prepared.check(instance);
        // Preparing and checking have a limit each; the rest is for a busy machine.
        assert.ok(performance.now() - start < 80 * limits.schemaMs);
      },
    );
  });
});
