import assert from "node:assert/strict";
import fc from "fast-check";
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from "../../src/base/json.ts";
import { modernHeaders } from "../../src/protocol/eras/modern/envelope.ts";
import { checkToolHeaders, mirrorHeaders } from "../../src/protocol/schema/toolHeaders.ts";
import { forAll } from "./support/forAll.ts";
import { asUtf8, decodeHeaderValue, LEGAL_HEADER_VALUE, textCases } from "./support/headerCases.ts";
import { anyJson } from "./support/messageCases.ts";

/** Where subschemas stand that are no argument with a fixed place. */
const ELSEWHERE = {
  one: ["items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames"],
  list: ["anyOf", "oneOf", "allOf", "prefixItems", "items"],
  map: ["$defs", "definitions", "patternProperties", "dependentSchemas"],
} as const;
/** Where values stand that look like a schema and are none. */
const VALUES = ["default", "const", "examples", "enum", "x-other"] as const;

const annotation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom<JsonValue>("Region", "region", "Size", "Deep-Name", "X!#$", "Method"),
  },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>("", "a b", "a:b", "é", "a\nb", 1, null, true) },
  { weight: 1, arbitrary: anyJson },
);
const type = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<JsonValue>("string", "integer", "boolean") },
  {
    weight: 1,
    arbitrary: fc.constantFrom<JsonValue>("number", "object", "array", "null", ["string", "null"], []),
  },
);
const propertyName = fc.oneof(
  fc.constantFrom("a", "b", "nested", "x-mcp-header", "__proto__", "constructor", "a.b", ""),
  fc.string({ maxLength: 4 }),
);

const schema = fc.letrec<{ node: JsonObject }>((tie) => {
  const maps = (keys: fc.Arbitrary<string>): fc.Arbitrary<JsonObject> =>
    fc.dictionary(keys, tie("node"), { maxKeys: 3 });
  const leaf = fc.record({ type, "x-mcp-header": annotation }, { requiredKeys: ["type"] });
  const inside = fc.oneof(
    {
      weight: 6,
      arbitrary: maps(propertyName).map((properties): JsonObject => ({ type: "object", properties })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...ELSEWHERE.one), tie("node"))
        .map(([key, node]): JsonObject => ({ [key]: node })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...ELSEWHERE.list), fc.array(tie("node"), { maxLength: 2 }))
        .map(([key, nodes]): JsonObject => ({ [key]: nodes })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...ELSEWHERE.map), maps(fc.string({ maxLength: 3 })))
        .map(([key, map]): JsonObject => ({ [key]: map })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...VALUES), tie("node"))
        .map(([key, node]): JsonObject => ({ type: "object", [key]: node })),
    },
  );
  const both = fc.tuple(leaf, inside).map(([own, more]): JsonObject => ({ ...more, ...own }));
  return {
    node: fc.oneof(
      { maxDepth: 4 },
      { weight: 3, arbitrary: leaf },
      { weight: 4, arbitrary: inside },
      { weight: 1, arbitrary: both },
    ),
  };
}).node;
/** As it comes from the wire, where `__proto__` is a name like any other. */
const inputSchema = schema.map((node) => JSON.parse(stringifyJson(node)) as JsonObject);

interface Found {
  readonly name: JsonValue;
  /** Names from the root, or undefined below a keyword where no fixed argument is meant. */
  readonly path: readonly string[] | undefined;
  readonly type: JsonValue | undefined;
}

/** Every annotation at a place where a schema stands. */
function annotations(node: JsonValue | undefined, path: readonly string[] | undefined): Found[] {
  if (!isJsonObject(node)) return [];
  const own = node["x-mcp-header"];
  const found: Found[] = own === undefined ? [] : [{ name: own, path, type: node["type"] }];
  const properties = node["properties"];
  if (isJsonObject(properties)) {
    for (const [name, child] of Object.entries(properties))
      found.push(...annotations(child, path === undefined ? undefined : [...path, name]));
  }
  for (const key of new Set<string>([...ELSEWHERE.one, ...ELSEWHERE.list, ...ELSEWHERE.map])) {
    const value = node[key];
    for (const child of childrenAt(key, value)) found.push(...annotations(child, undefined));
  }
  return found;
}

function childrenAt(key: string, value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  if ((ELSEWHERE.map as readonly string[]).includes(key))
    return isJsonObject(value) ? Object.values(value) : [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}

function isValid({ name, path, type: at }: Found): boolean {
  return (
    typeof name === "string" &&
    /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) &&
    path !== undefined &&
    path.length > 0 &&
    (at === "string" || at === "integer" || at === "boolean")
  );
}

// Duty: 4.2.1, 4.2.2, 4.2.3, 4.2.4
describe("fuzz: x-mcp-header of a tool", () => {
  it("is valid exactly when every annotation is a name of its own at a fixed argument", () => {
    let valid = 0;
    let invalid = 0;
    forAll(inputSchema, (root) => {
      const found = annotations(root, []);
      const names = found.map(({ name }) => stringifyJson(name).toLowerCase());
      const isUnique = new Set(names).size === names.length;
      const checked = checkToolHeaders(root);
      assert.equal(checked.kind, found.every(isValid) && isUnique ? "ok" : "invalid");
      if (checked.kind === "invalid") {
        invalid += 1;
        assert.ok(checked.reason.length < 500);
        return;
      }
      if (found.length > 0) valid += 1;
      const expected = found.map(
        ({ name, path }) => `Mcp-Param-${typeof name === "string" ? name : ""} ${JSON.stringify(path)}`,
      );
      const given = checked.mirrored.map(({ header, path }) => `${header} ${JSON.stringify(path)}`);
      assert.deepEqual(given.sort(), expected.sort());
    });
    // Both kinds must come up, or this shows nothing.
    assert.ok(valid > 100 && invalid > 100, `${String(valid)} valid, ${String(invalid)} invalid`);
  });

  // Duty: 4.2.5, 4.2.6
  it("puts the value of the argument into a legal header, or no header", () => {
    const names = fc.constantFrom("a", "a", "b", "__proto__");
    const mirrored = fc.uniqueArray(
      fc.record({
        header: fc.constantFrom("Mcp-Param-A", "Mcp-Param-B"),
        path: fc.array(names, { minLength: 1, maxLength: 2 }),
      }),
      { selector: ({ header }) => header, maxLength: 2 },
    );
    const scalar = fc.oneof(
      textCases,
      fc.boolean(),
      fc.maxSafeInteger(),
      fc.double(),
      fc.constant(-0),
      anyJson,
    );
    const args = fc.letrec<{ node: JsonValue }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.dictionary(names, tie("node"), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).node;
    let present = 0;
    forAll(
      fc.tuple(mirrored, fc.dictionary(names, args, { minKeys: 1, maxKeys: 3, noNullPrototype: true })),
      ([wanted, given]) => {
        const raw = mirrorHeaders(wanted, given);
        const sent = modernHeaders("tools/call", { name: "t", arguments: given }, raw);
        for (const { header, path } of wanted) {
          const value = path.reduce<JsonValue | undefined>(
            (at, name) => (isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
            given,
          );
          const isMirrored =
            typeof value === "string" ||
            typeof value === "boolean" ||
            (typeof value === "number" && Number.isSafeInteger(value));
          const { [header]: text } = sent;
          assert.equal(text !== undefined, isMirrored);
          if (text === undefined) continue;
          present += 1;
          assert.match(text, LEGAL_HEADER_VALUE);
          const expected = typeof value === "string" ? asUtf8(value) : JSON.stringify(value);
          assert.equal(decodeHeaderValue(text), expected);
        }
      },
    );
    assert.ok(present > 100, `${String(present)} values were mirrored`);
  });
});
