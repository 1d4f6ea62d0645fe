import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../../src/base/json.ts";
import type { FormPlan } from "../../../../src/shared/schemaForm/formPlan.ts";
import { FormPlanner } from "../../../../src/shared/schemaForm/planSchema.ts";

function plan(schema: JsonObject): FormPlan {
  return new FormPlanner(schema).planRoot();
}

/** The plan as a short text, to this depth. */
function sketch(schema: JsonObject, depth = 3): string {
  const planner = new FormPlanner(schema);
  const draw = (part: JsonValue, left: number): string => {
    const found = planner.plan(part);
    const mark = found.nullable ? "?" : "";
    if (left === 0) return found.kind;
    switch (found.kind) {
      case "object": {
        const inner = found.properties.map(
          ({ name, required, schema: child }) => `${name}${required ? "!" : ""}:${draw(child, left - 1)}`,
        );
        return `{${inner.join(" ")}}${mark}`;
      }
      case "array":
        return `[${[...found.prefix.map((item) => draw(item, left - 1)), found.items === false ? "end" : `...${draw(found.items, left - 1)}`].join(" ")}]${mark}`;
      case "variants":
        return `(${found.variants.map(({ schema: child }) => draw(child, left - 1)).join("|")})${mark}`;
      case "enum":
        return `<${found.options.map(({ title }) => title).join(",")}>${mark}`;
      case "number":
        return `${found.integer ? "integer" : "number"}${mark}`;
      case "raw":
        return `raw:${found.reason.code}${mark}`;
      default:
        return `${found.kind}${mark}`;
    }
  };
  return draw(schema, depth);
}

describe("planSchema", () => {
  const cases: [string, JsonObject, string][] = [
    [
      "plain types",
      {
        type: "object",
        properties: {
          a: { type: "string" },
          b: { type: "integer" },
          c: { type: "boolean" },
          d: { type: "null" },
        },
        required: ["a"],
      },
      "{a!:string b:integer c:boolean d:null}",
    ],
    ["required names without a schema", { type: "object", required: ["x"] }, "{x!:raw:any}"],
    ["lists", { type: "array", items: { type: "number" } }, "[...number]"],
    [
      "tuples of 2020-12",
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
      "[string number end]",
    ],
    [
      "tuples of draft-07",
      { type: "array", items: [{ type: "string" }], additionalItems: { type: "boolean" } },
      "[string ...boolean]",
    ],
    ["enumerations of any type", { enum: ["a", 1, null, { b: 2 }] }, '<a,1,null,{"b":2}>'],
    [
      "constants with titles",
      {
        oneOf: [
          { const: "a", title: "Alpha" },
          { const: "b", title: "Beta" },
        ],
      },
      "<Alpha,Beta>",
    ],
    ["nullable by type", { type: ["string", "null"] }, "string?"],
    ["nullable by anyOf", { anyOf: [{ type: "integer" }, { type: "null" }] }, "integer?"],
    ["several types", { type: ["string", "number", "null"] }, "(string|number)?"],
    ["integer or number is number", { type: ["integer", "number"] }, "number"],
    [
      "variants",
      { oneOf: [{ type: "string" }, { type: "object", properties: { a: true } }] },
      "(string|{a:raw:any})",
    ],
    [
      "a schema around variants",
      {
        type: "object",
        properties: { a: { type: "string" } },
        oneOf: [{ properties: { b: { type: "number" } } }, { properties: { c: { type: "number" } } }],
      },
      "({b:number a:string}|{c:number a:string})",
    ],
    [
      "options that only restrict",
      {
        type: "object",
        properties: { a: { type: "string" } },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      "{a:string}",
    ],
    [
      "allOf",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } } },
          { properties: { b: { type: "number" } }, required: ["b"] },
        ],
      },
      "{a:string b!:number}",
    ],
    ["allOf with a conflict", { allOf: [{ type: "string" }, { type: "number" }] }, "raw:conflict"],
    [
      "boolean schemas",
      { type: "object", properties: { yes: true, no: false } },
      "{yes:raw:any no:raw:never}",
    ],
    [
      "types from keywords",
      {
        type: "object",
        properties: { a: { minLength: 1 }, b: { items: true }, c: { maximum: 3 }, d: { properties: {} } },
      },
      "{a:string b:[...raw:any] c:number d:{}}",
    ],
    ["unknown types", { type: "object", properties: { a: { type: "file" } } }, "{a:raw:unknownType}"],
    [
      "conditional properties",
      {
        type: "object",
        properties: { kind: { enum: ["x", "y"] } },
        if: { properties: { kind: { const: "x" } } },
        then: { properties: { x: { type: "string" } }, required: ["x"] },
      },
      "{kind:<x,y> x:string}",
    ],
    ["single option", { oneOf: [{ type: "string" }] }, "string"],
  ];
  for (const [name, schema, expected] of cases)
    it(`plans ${name}`, () => assert.equal(sketch(schema), expected));

  describe("references", () => {
    const references: [string, JsonObject, string][] = [
      ["$defs", { $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, "string"],
      ["definitions", { $ref: "#/definitions/a", definitions: { a: { type: "string" } } }, "string"],
      ["escaped names", { $ref: "#/$defs/a~1b%25c~0d", $defs: { "a/b%c~d": { type: "string" } } }, "string"],
      ["array positions", { $ref: "#/oneOf/1", oneOf: [true, { type: "string" }] }, "raw:circular"],
      ["anchors", { $ref: "#here", $defs: { a: { $anchor: "here", type: "string" } } }, "string"],
      [
        "ids of parts",
        { $ref: "https://x.example/part", $defs: { a: { $id: "https://x.example/part", type: "string" } } },
        "string",
      ],
      [
        "the root's own id",
        {
          $id: "https://x.example/s",
          $ref: "https://x.example/s#/$defs/a",
          $defs: { a: { type: "string" } },
        },
        "string",
      ],
      ["nothing", { $ref: "#/$defs/none" }, "raw:unresolved"],
      ["inherited names", { $ref: "#/constructor" }, "raw:unresolved"],
      ["other documents", { $ref: "https://elsewhere.example/schema.json" }, "raw:unresolved"],
      ["broken escapes", { $ref: "#/$defs/%E0%A4%A" }, "raw:unresolved"],
      [
        "themselves",
        { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
        "raw:circular",
      ],
    ];
    for (const [name, schema, expected] of references) {
      it(`follows references to ${name}`, () => {
        const wanted =
          name === "array positions"
            ? sketch({
                type: "object",
                properties: { x: { $ref: "#/$defs/l/0" } },
                $defs: { l: [{ type: "string" }] },
              })
            : sketch(schema);
        assert.equal(wanted, name === "array positions" ? "{x:string}" : expected);
      });
    }

    it("keeps the words beside a reference", () => {
      const found = plan({
        $ref: "#/$defs/a",
        title: "Mine",
        $defs: { a: { type: "string", title: "Theirs", description: "Kept" } },
      });
      assert.equal(found.title, "Mine");
      assert.equal(found.description, "Kept");
    });

    it("opens recursive schemas step by step", () => {
      const tree: JsonObject = {
        type: "object",
        properties: { next: { $ref: "#" }, children: { type: "array", items: { $ref: "#" } } },
        required: ["next"],
      };
      assert.equal(
        sketch(tree, 3),
        "{next!:{next!:{next!:object children:array} children:[...object]} children:[...{next!:object children:array}]}",
      );
    });
  });

  describe("variant titles", () => {
    const titles = (schema: JsonObject): string[] => {
      const found = plan(schema);
      assert.equal(found.kind, "variants");
      return found.kind === "variants"
        ? found.variants.map(({ title }) =>
            title.kind === "text" ? title.text : title.kind === "type" ? title.type : String(title.number),
          )
        : [];
    };

    it("come from titles, discriminators, references, types, or position", () => {
      const schema: JsonObject = {
        oneOf: [
          { title: "Named", type: "object" },
          { type: "object", properties: { kind: { const: "circle" } } },
          { $ref: "#/$defs/Square" },
          { type: "array" },
          { type: "object" },
        ],
        $defs: { Square: { type: "object" } },
      };
      assert.deepEqual(titles(schema), ["Named", "kind: circle", "Square", "array", "5"]);
    });
  });

  describe("hostile schemas", () => {
    const quick = (name: string, schema: JsonObject): void => {
      it(`stays quick with ${name}`, () => {
        const started = performance.now();
        sketch(schema, 4);
        assert.ok(performance.now() - started < 2_000);
      });
    };
    const doubling: Record<string, JsonObject> = {};
    for (let level = 0; level < 40; level++)
      doubling[`d${String(level)}`] = {
        allOf: [{ $ref: `#/$defs/d${String(level + 1)}` }, { $ref: `#/$defs/d${String(level + 1)}` }],
      };
    quick("references that double", { $ref: "#/$defs/d0", $defs: doubling });

    const chain: Record<string, JsonObject> = {};
    for (let link = 0; link < 20_000; link++)
      chain[`c${String(link)}`] = { $ref: `#/$defs/c${String(link + 1)}` };
    quick("a chain of references", { $ref: "#/$defs/c0", $defs: chain });

    quick("choices that contain themselves", {
      $ref: "#/$defs/a",
      $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }] } },
    });
    quick("choices that double", {
      $ref: "#/$defs/a",
      $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] } },
    });
    quick("many properties", {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 30_000 }, (_, at) => [`p${String(at)}`, { type: "string" }]),
      ),
    });
    quick("many options", {
      oneOf: Array.from({ length: 30_000 }, () => ({ type: "object", properties: { a: true } })),
    });

    it("takes odd values for what they are", () => {
      assert.equal(sketch({ type: 5, properties: "no", required: "no", enum: [], oneOf: "no" }), "{}");
      assert.equal(
        sketch({ type: "object", properties: { a: 5, b: null, c: "x" } }),
        "{a:raw:any b:raw:any c:raw:any}",
      );
      assert.equal(sketch({ oneOf: [] }), "raw:any");
    });
  });
});
