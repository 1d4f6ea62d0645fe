import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { createServer } from "node:net";
import type { JsonObject, JsonValue } from "../../../../src/base/json.ts";
import { DEFAULT_LIMITS } from "../../../../src/protocol/limits.ts";
import { prepareSchema } from "../../../../src/protocol/schema/prepareSchema.ts";

const LIMITS = { ...DEFAULT_LIMITS, schemaMs: 50 };
/** One look at the clock apart, plus what a machine with other work to do may add. */
const SLACK_MS = 400;

/** Prepares and checks, and gives what came of it: a kind of verdict, or the reason why there is none. */
function outcome(schema: JsonObject, value: JsonValue): string {
  const started = performance.now();
  const prepared = prepareSchema(schema, LIMITS);
  const verdict = prepared.kind === "usable" ? prepared.check(value) : prepared;
  const took = performance.now() - started;
  assert.ok(took < LIMITS.schemaMs + SLACK_MS, `the host was blocked for ${took.toFixed(0)} ms`);
  return "reason" in verdict ? verdict.reason.message : verdict.kind;
}

/** Definitions that each use the next one twice: 2^40 ways through them. */
function double(wrap: (ref: JsonObject) => JsonObject, last: JsonValue): JsonObject {
  const defs: Record<string, JsonValue> = { a40: last };
  for (let at = 0; at < 40; at += 1) defs[`a${String(at)}`] = wrap({ $ref: `#/$defs/a${String(at + 1)}` });
  return { $ref: "#/$defs/a0", $defs: defs };
}

function nest(levels: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function repeat<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const TIME_UP = "Checking it took more than 50 ms.";
const TOO_DEEP = /more than 500 levels deep, or the schema refers to itself without end/;

describe("a hostile schema or value", () => {
  const timeUp: readonly (readonly [string, () => readonly [JsonObject, JsonValue]])[] = [
    ["allOf that doubles", () => [double((ref) => ({ allOf: [ref, ref] }), true), 1]],
    ["anyOf that doubles", () => [double((ref) => ({ anyOf: [ref, ref] }), false), 1]],
    ["oneOf that doubles", () => [double((ref) => ({ oneOf: [ref, ref] }), true), 1]],
    ["conditions that double", () => [double((ref) => ({ if: ref, then: ref }), true), 1]],
    ["a pattern that backtracks", () => [{ pattern: "^(a+)+$" }, `${"a".repeat(40)}!`]],
    [
      "a pattern that backtracks on names",
      () => [{ patternProperties: { "^(a|a)*$": true } }, { [`${"a".repeat(40)}!`]: 1 }],
    ],
    ["a pattern on a long text", () => [{ pattern: "a*b" }, "a".repeat(1_000_000)]],
    [
      "many costly patterns",
      () => [
        { allOf: repeat(3_000, (at) => ({ pattern: `${"\\p{L}".repeat(390)}${String(at)}` })) },
        "a".repeat(400),
      ],
    ],
    [
      "lengths of a long text",
      () => [{ allOf: repeat(5_000, () => ({ maxLength: 3_000_000 })) }, "é".repeat(4_000_000)],
    ],
    [
      "formats of a long text",
      () => [{ allOf: repeat(5_000, () => ({ format: "uri" })) }, `a:${"a".repeat(4_000_000)}`],
    ],
    [
      "unique long texts",
      () => [
        { allOf: repeat(5_000, () => ({ uniqueItems: true })) },
        repeat(2, (at) => String(at).repeat(2_000_000)),
      ],
    ],
    [
      "unique items at every depth",
      () => [{ allOf: repeat(1_000, () => ({ uniqueItems: true })) }, [nest(200_000), 1]],
    ],
    [
      "contains and unevaluatedItems",
      () => [
        { allOf: repeat(3_000, () => ({ contains: { const: 1 }, unevaluatedItems: {} })) },
        repeat(50_000, () => 1),
      ],
    ],
    [
      "many properties for many items",
      () => [
        { items: { properties: Object.fromEntries(repeat(9_000, (at) => [`k${String(at)}`, true])) } },
        repeat(50_000, () => ({})),
      ],
    ],
    [
      "a long base for many references",
      () => [
        {
          $id: `https://a.test/${"x".repeat(1_000_000)}`,
          allOf: repeat(4_000, () => ({ $ref: "#/$defs/a" })),
          $defs: { a: {} },
        },
        1,
      ],
    ],
  ];
  // Duty: 1.5.5
  for (const [name, make] of timeUp) {
    it(`is given up in time: ${name}`, () => {
      assert.equal(outcome(...make()), TIME_UP);
    });
  }

  it("is given up when it refers to itself without end", () => {
    assert.match(outcome({ $ref: "#" }, 1), TOO_DEEP);
    assert.match(outcome({ anyOf: [{ $ref: "#" }, { $ref: "#" }] }, 1), TOO_DEEP);
    assert.match(outcome({ not: { $ref: "#" } }, 1), TOO_DEEP);
    assert.match(outcome({ $dynamicAnchor: "n", allOf: [{ $dynamicRef: "#n" }] }, 1), TOO_DEEP);
  });

  it("is given up when a value is too deep for a recursive schema, and read when only the value is deep", () => {
    assert.match(outcome({ items: { $ref: "#" } }, nest(100_000)), TOO_DEEP);
    assert.equal(outcome({ type: "array" }, nest(100_000)), "valid");
    assert.equal(outcome({ const: [[[]]] }, nest(100_000)), "invalid");
    assert.equal(outcome({ items: { $ref: "#" } }, nest(200)), "valid");
  });

  it("is refused when the schema is too deep or too big, before anything recursive reads it", () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) deep = { properties: { a: deep } };
    assert.match(outcome(deep, 1), /64 levels/);
    assert.match(outcome({ anyOf: repeat(10_001, () => ({ type: "string" })) }, 1), /10000 parts/);
    assert.match(outcome({ enum: repeat(100_001, (at) => at) }, 1), /100000 properties and items/);
  });

  it("is refused when a pattern is longer than V8 compiles in time", () => {
    assert.match(
      outcome({ pattern: "(?:a|b)".repeat(100_000) }, "a"),
      /pattern of more than 2000 characters/,
    );
  });

  it("does not keep problems without end", () => {
    const prepared = prepareSchema({ items: { type: "string" } }, LIMITS);
    const verdict = prepared.kind === "usable" ? prepared.check(repeat(100_000, () => 1)) : undefined;
    assert.equal(verdict?.kind === "invalid" ? verdict.problems.length : 0, 50);
  });

  it("does not spoil the next check of the same schema", () => {
    const schema = { properties: { a: { type: "string", pattern: "^(a+)+$" }, b: { type: "number" } } };
    assert.equal(outcome(schema, { a: `${"a".repeat(40)}!` }), TIME_UP);
    assert.equal(outcome(schema, { a: "aaa", b: 1 }), "valid");
    assert.equal(outcome(schema, { a: "aaa", b: "x" }), "invalid");
  });
});

describe("a schema with references to the network", () => {
  // Duty: 1.5.3
  it("makes no connection, whatever it is asked", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    const base = `http://127.0.0.1:${String(port)}`;
    const schemas: readonly JsonObject[] = [
      { $ref: `${base}/a.json` },
      { properties: { a: { $ref: `${base}/a.json#/$defs/x` } } },
      { $id: `${base}/root.json`, items: { $ref: "other.json" } },
      { $dynamicRef: `${base}/a.json#n` },
      { $schema: `${base}/dialect` },
      {
        $id: `${base}/root.json`,
        properties: { a: { $ref: "#/$defs/x" } },
        $defs: { x: { $id: "x.json", $ref: "y.json" } },
      },
    ];
    for (const schema of schemas) {
      assert.match(outcome(schema, { a: 1 }), /Nothing was fetched|unknown dialect/, JSON.stringify(schema));
    }
    await new Promise((resolve) => server.close(resolve));
    assert.equal(connections, 0);
  });
});
