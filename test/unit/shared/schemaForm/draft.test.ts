import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../../src/base/json.ts";
import { DraftBuilder, startDraft } from "../../../../src/shared/schemaForm/buildDraft.ts";
import type { DraftBody, Slot } from "../../../../src/shared/schemaForm/draft.ts";
import { parseJsonText, printJson, toJsonValue } from "../../../../src/shared/schemaForm/jsonText.ts";
import { FormPlanner } from "../../../../src/shared/schemaForm/planSchema.ts";
import { readDraft } from "../../../../src/shared/schemaForm/readDraft.ts";

/** A draft as the page sees it, with what it says. */
function open(schema: JsonObject, value?: JsonValue) {
  const planner = new FormPlanner(schema);
  const slot = startDraft(planner, schema, value);
  return {
    planner,
    slot,
    read: () => {
      const { node, problems, incomplete } = readDraft(planner, schema, slot);
      return {
        value: node === undefined ? undefined : toJsonValue(node),
        problems: problems.map(({ path, code }) => `${path} ${code}`),
        incomplete,
      };
    },
  };
}

function entry(slot: Slot, name: string): Slot {
  assert.ok(slot.body?.kind === "object");
  const found = slot.body.entries.find((each) => each.name === name);
  assert.ok(found !== undefined, name);
  return found.slot;
}

function body<Kind extends DraftBody["kind"]>(slot: Slot, kind: Kind): Extract<DraftBody, { kind: Kind }> {
  assert.equal(slot.body?.kind, kind);
  return slot.body as Extract<DraftBody, { kind: Kind }>;
}

const person: JsonObject = {
  type: "object",
  required: ["name", "active", "address"],
  properties: {
    name: { type: "string" },
    age: { type: "integer", minimum: 0 },
    active: { type: "boolean" },
    nick: { type: ["string", "null"], default: "nobody" },
    address: {
      type: "object",
      required: ["city"],
      properties: { city: { type: "string", default: "Berlin" }, zip: { type: "string" } },
    },
    tags: { type: "array", items: { type: "string" } },
  },
};

describe("draft", () => {
  it("starts with required parts only, and with their defaults", () => {
    const { read } = open(person);
    assert.deepEqual(read(), {
      value: { active: false, address: { city: "Berlin" } },
      problems: ["/name required"],
      incomplete: false,
    });
  });

  it("tells absent, null and empty apart", () => {
    const { slot, read } = open(person, { name: "x", active: true, address: { city: "" }, nick: null });
    assert.deepEqual(read().value, { name: "x", active: true, address: { city: "" }, nick: null });
    entry(slot, "nick").state = "absent";
    assert.deepEqual(read().value, { name: "x", active: true, address: { city: "" } });
    Object.assign(entry(slot, "nick"), { state: "set", body: { kind: "text", text: "" } });
    assert.deepEqual(read().value, { name: "x", active: true, address: { city: "" }, nick: "" });
    assert.deepEqual(read().problems, []);
  });

  it("fills in required parts that the initial value lacks", () => {
    assert.deepEqual(open(person, { name: "x" }).read().value, {
      name: "x",
      active: false,
      address: { city: "Berlin" },
    });
  });

  it("checks ranges and required parts inside", () => {
    const { slot, read } = open(person, { name: "x", active: true, address: {}, age: -1 });
    assert.deepEqual(read().problems.sort(), ["/address/city required", "/age minimum"]);
    body(entry(slot, "age"), "number").text = "abc";
    const { problems, incomplete } = read();
    assert.ok(problems.includes("/age number"));
    assert.ok(incomplete);
  });

  it("restores a draft from JSON", () => {
    const { slot, planner } = open(person, {
      name: "x",
      active: true,
      address: { city: "Y" },
      tags: ["a", "b"],
    });
    const again = JSON.parse(JSON.stringify(slot)) as Slot;
    assert.deepEqual(readDraft(planner, person, again), readDraft(planner, person, slot));
  });

  describe("loses nothing", () => {
    const schemas: [string, JsonObject][] = [
      ["a fitting schema", person],
      ["an empty schema", {}],
      [
        "a closed schema",
        { type: "object", properties: { name: { type: "string" } }, additionalProperties: false },
      ],
      [
        "a schema of other types",
        {
          type: "object",
          properties: {
            name: { type: "number" },
            tags: { type: "object" },
            address: { type: "array" },
            age: { enum: [1, 2] },
            active: { const: 5 },
            nick: false,
          },
        },
      ],
      [
        "a schema of choices",
        {
          type: "object",
          additionalProperties: {
            oneOf: [
              { type: "string" },
              { type: "array", items: { type: "number" } },
              { type: "object", additionalProperties: true },
            ],
          },
        },
      ],
      ["no object at all", { type: "string" }],
    ];
    const texts = [
      '{"name":"x","age":9007199254740993,"active":false,"nick":null,"address":{"zip":"1","city":"C","more":[1,{"a":[]}]},"tags":["a",2,null],"extra":{"deep":[[[1.50]]]}}',
      '{"z":1,"name":"x","a":2}',
      '{"__proto__":{"a":1},"constructor":"x","":"empty name"}',
      "{}",
    ];
    for (const [name, schema] of schemas) {
      for (const text of texts) {
        it(`with ${name}: ${text.slice(0, 40)}`, () => {
          const parsed = parseJsonText(text);
          assert.ok(parsed.ok);
          const planner = new FormPlanner(schema);
          const slot = new DraftBuilder(planner).slotFrom(schema, parsed.node);
          const { node } = readDraft(planner, schema, slot);
          assert.ok(node !== undefined);
          assert.equal(printJson(node), printJson(parsed.node));
        });
      }
    }
  });

  describe("lists", () => {
    const schema: JsonObject = {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "integer" }, minItems: 1, maxItems: 3, uniqueItems: true },
      },
      required: ["list"],
    };

    it("starts with as many items as there must be", () => {
      const { slot, read } = open(schema);
      assert.equal(body(entry(slot, "list"), "array").items.length, 1);
      assert.deepEqual(read().problems.sort(), ["/list minItems", "/list/0 required"]);
    });

    it("counts, compares and keeps order", () => {
      const { slot, read } = open(schema, { list: [3, 1, 3, 2] });
      assert.deepEqual(read().problems, ["/list maxItems"]);
      const { items } = body(entry(slot, "list"), "array");
      items.splice(3, 1);
      assert.deepEqual(read(), {
        value: { list: [3, 1, 3] },
        problems: ["/list uniqueItems"],
        incomplete: false,
      });
      const [first] = items.splice(0, 1);
      assert.ok(first !== undefined);
      items.push(first);
      assert.deepEqual(read().value, { list: [1, 3, 3] });
    });

    it("knows tuples", () => {
      const tuple: JsonObject = {
        type: "object",
        properties: {
          t: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
        },
      };
      assert.deepEqual(open(tuple, { t: ["a", 1] }).read().problems, []);
      assert.deepEqual(open(tuple, { t: ["a", "b", "c"] }).read().problems, [
        "/t/1 type",
        "/t/2 tooManyItems",
      ]);
    });
  });

  describe("variants", () => {
    const schema: JsonObject = {
      type: "object",
      required: ["shape"],
      properties: {
        shape: {
          oneOf: [
            {
              type: "object",
              properties: { kind: { const: "circle" }, r: { type: "number" } },
              required: ["kind", "r"],
            },
            {
              type: "object",
              properties: { kind: { const: "box" }, w: { type: "number" }, h: { type: "number" } },
              required: ["kind", "w", "h"],
            },
            { type: "string" },
          ],
        },
      },
    };

    it("picks the variant that a value means, even when it is not complete", () => {
      for (const [value, index] of [
        [{ kind: "circle", r: 1 }, 0],
        [{ kind: "box", w: 1 }, 1],
        ["text", 2],
        [{ kind: "other" }, 0],
      ] as const) {
        const { slot } = open(schema, { shape: value as JsonValue });
        assert.equal(body(entry(slot, "shape"), "variants").index, index, JSON.stringify(value));
      }
    });

    it("fills in the constant of a fresh variant and keeps what was typed into the others", () => {
      const { slot, read, planner } = open(schema, { shape: { kind: "circle", r: 2 } });
      const variants = body(entry(slot, "shape"), "variants");
      variants.index = 2;
      variants.slots["2"] = new DraftBuilder(planner).fresh({ type: "string" }, true);
      Object.assign(variants.slots["2"], { state: "set", body: { kind: "text", text: "x" } });
      assert.deepEqual(read().value, { shape: "x" });
      variants.index = 0;
      assert.deepEqual(read().value, { shape: { kind: "circle", r: 2 } });
      assert.deepEqual(open(schema).read(), {
        value: { shape: { kind: "circle" } },
        problems: ["/shape/r required"],
        incomplete: false,
      });
    });
  });

  describe("maps", () => {
    const schema: JsonObject = {
      type: "object",
      additionalProperties: { type: "integer" },
      minProperties: 1,
    };

    it("reads rows and finds a name that is used twice", () => {
      const { slot, read } = open(schema, { a: 1 });
      body(slot, "object").entries.push({
        name: "a",
        slot: { state: "set", body: { kind: "number", text: "2" } },
      });
      assert.deepEqual(read().problems, ["/a duplicateName"]);
      body(slot, "object").entries.splice(0);
      assert.deepEqual(read().problems, [" minProperties"]);
    });

    it("escapes names in paths", () => {
      assert.deepEqual(open(schema, { "a/b~c": "x" }).read().problems, ["/a~1b~0c type"]);
    });
  });

  it("keeps raw JSON with its numbers and warns that they cannot be sent exactly", () => {
    const schema: JsonObject = { type: "object", properties: { any: {} } };
    const { slot, read } = open(schema, {});
    Object.assign(entry(slot, "any"), {
      state: "set",
      body: { kind: "raw", text: '{"big": 12345678901234567890}' },
    });
    assert.deepEqual(read().problems, []);
    Object.assign(entry(slot, "any"), { body: { kind: "raw", text: "12345678901234567891" } });
    assert.deepEqual(read().problems, []);
    Object.assign(entry(slot, "any"), { body: { kind: "raw", text: "1e400" } });
    assert.deepEqual(read().problems, ["/any number"]);
    Object.assign(entry(slot, "any"), { body: { kind: "raw", text: "{" } });
    assert.deepEqual(read().problems, ["/any json"]);
    assert.ok(read().incomplete);
  });

  it("ends where a schema demands itself", () => {
    const schema: JsonObject = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
    assert.deepEqual(open(schema).read().value, { next: {} });
    assert.deepEqual(open(schema).read().problems, ["/next/next required"]);
  });

  it("starts quickly when a schema demands very much", () => {
    const wide = (level: number): JsonObject =>
      level === 0
        ? { type: "string" }
        : {
            type: "object",
            required: Array.from({ length: 30 }, (_, at) => `p${String(at)}`),
            properties: Object.fromEntries(
              Array.from({ length: 30 }, (_, at) => [
                `p${String(at)}`,
                { $ref: `#/$defs/l${String(level - 1)}` },
              ]),
            ),
          };
    const schema: JsonObject = {
      $ref: "#/$defs/l5",
      $defs: Object.fromEntries([0, 1, 2, 3, 4, 5].map((level) => [`l${String(level)}`, wide(level)])),
    };
    const started = performance.now();
    open(schema).read();
    assert.ok(performance.now() - started < 2_000);
  });

  it("checks a huge value of nested choices in bounded time", () => {
    const choice = (level: number): JsonObject => ({
      anyOf: [1, 2, 3].map((option) => ({
        type: "object",
        properties: {
          x: level === 0 ? { const: option } : { $ref: `#/$defs/c${String(level - 1)}` },
          o: { const: option },
        },
        required: ["o"],
      })),
    });
    const schema: JsonObject = {
      type: "object",
      properties: { x: { $ref: "#/$defs/c12" } },
      $defs: Object.fromEntries(
        Array.from({ length: 13 }, (_, level) => [`c${String(level)}`, choice(level)]),
      ),
    };
    let value: JsonValue = { o: 9 };
    for (let level = 0; level < 13; level++) value = { x: value, o: 9 };
    const started = performance.now();
    open(schema, value).read();
    assert.ok(performance.now() - started < 3_000);
  });
});
