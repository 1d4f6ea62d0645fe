import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { FormField } from "../../../../src/protocol/mrtr/inputRequired.ts";
import { parseForm } from "../../../../src/protocol/mrtr/parseForm.ts";

function fields(properties: JsonObject, rest: JsonObject = {}): readonly FormField[] {
  const parsed = parseForm({ type: "object", properties, ...rest });
  assert.equal(parsed.kind, "form", parsed.kind === "unsupported" ? parsed.reason : "");
  return parsed.kind === "form" ? parsed.form.fields : [];
}

function field(property: JsonObject, rest: JsonObject = {}): FormField {
  const [first] = fields({ f: property }, rest);
  assert.ok(first);
  return first;
}

describe("parseForm", () => {
  // Duty: 10.2.2
  it("reads every kind of choice with titles and defaults", () => {
    assert.deepEqual(field({ type: "string", enum: ["r", "g"], default: "g" }), {
      name: "f",
      title: "f",
      required: false,
      kind: "choice",
      options: [
        { value: "r", title: "r" },
        { value: "g", title: "g" },
      ],
      default: "g",
    });
    const titled = field({
      type: "string",
      oneOf: [
        { const: "#f00", title: "Red" },
        { const: "#0f0", title: "Green" },
      ],
    });
    assert.deepEqual(titled.kind === "choice" && titled.options[0], { value: "#f00", title: "Red" });
    const old = field({ type: "string", enum: ["lo", "hi"], enumNames: ["Low", "High"] });
    assert.deepEqual(old.kind === "choice" && old.options[1], { value: "hi", title: "High" });
  });

  // Duty: 10.2.2, 10.2.3
  it("reads lists of choices, plain and titled either way", () => {
    const plain = field({
      type: "array",
      items: { type: "string", enum: ["x", "y", "z"] },
      minItems: 1,
      maxItems: 2,
      default: ["x", "nonsense"],
    });
    assert.deepEqual(plain.kind === "choices" && [plain.minItems, plain.maxItems, plain.default], [
      1,
      2,
      ["x"],
    ]);
    for (const keyword of ["anyOf", "oneOf"]) {
      const titled = field({ type: "array", items: { [keyword]: [{ const: "1", title: "One" }] } });
      assert.deepEqual(titled.kind === "choices" && titled.options, [{ value: "1", title: "One" }]);
    }
  });

  // Duty: 10.2.2
  it("reads texts, numbers and booleans with their limits", () => {
    assert.deepEqual(
      fields(
        {
          mail: {
            type: "string",
            format: "email",
            minLength: 3,
            maxLength: 9,
            title: "Mail",
            description: "Yours",
          },
          n: { type: "integer", minimum: 1, maximum: 9, default: 3 },
          b: { type: "boolean", default: true },
        },
        { required: ["mail"] },
      ),
      [
        {
          name: "mail",
          title: "Mail",
          description: "Yours",
          required: true,
          kind: "text",
          format: "email",
          minLength: 3,
          maxLength: 9,
        },
        {
          name: "n",
          title: "n",
          required: false,
          kind: "number",
          integer: true,
          minimum: 1,
          maximum: 9,
          default: 3,
        },
        { name: "b", title: "b", required: false, kind: "boolean", default: true },
      ],
    );
  });

  it("drops an unknown format and a default of the wrong type", () => {
    assert.deepEqual(field({ type: "string", format: "hostname", default: 4 }), {
      name: "f",
      title: "f",
      required: false,
      kind: "text",
    });
  });

  it("follows a local reference once", () => {
    const choice = field(
      { $ref: "#/$defs/S~1x", title: "Size" },
      { $defs: { "S/x": { type: "string", enum: ["s", "l"] } } },
    );
    assert.equal(choice.kind, "choice");
    assert.equal(choice.title, "Size");
  });

  it("takes a form without fields as a plain confirmation", () => {
    assert.deepEqual(fields({}), []);
  });

  const refused: readonly (readonly [string, JsonObject])[] = [
    ["a nested object", { f: { type: "object", properties: {} } }],
    ["a list of texts", { f: { type: "array", items: { type: "string" } } }],
    ["a network reference", { f: { $ref: "https://example.com/s.json" } }],
    ["a reference to nothing", { f: { $ref: "#/$defs/none" } }],
    ["a type list", { f: { type: ["string", "null"] } }],
    ["a field without a type", { f: {} }],
    ["choices that are no texts", { f: { type: "string", enum: [1] } }],
    ["a field that is no schema", { f: true }],
  ];
  for (const [name, properties] of refused) {
    // Duty: 10.2.1, 10.2.8
    it(`refuses ${name} and says which field`, () => {
      const parsed = parseForm({ type: "object", properties });
      assert.equal(parsed.kind, "unsupported");
      assert.match(parsed.kind === "unsupported" ? parsed.reason : "", /“f”/);
    });
  }

  // Duty: 10.2.1
  it("refuses what is no object schema at all", () => {
    for (const schema of [undefined, null, [], "x", { type: "array" }]) {
      assert.equal(parseForm(schema).kind, "unsupported");
    }
  });
});
