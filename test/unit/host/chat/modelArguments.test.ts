import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { readModelArguments } from "../../../../src/host/chat/modelArguments.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    id: { type: "integer" },
    mass: { type: "number" },
    name: { type: "string" },
    owner: { type: "object", properties: { id: { type: "integer" } } },
    ids: { type: "array", items: { type: "integer" } },
  },
};

describe("readModelArguments", () => {
  it("gives arguments on as they are when nothing was lost", () => {
    const args = { id: 7, mass: 6.02e23, name: "9007199254740993", ids: [1, "2"], extra: 2 ** 60 };
    assert.deepEqual(readModelArguments(SCHEMA, args), { kind: "arguments", args });
  });

  it("checks the rules that a model gets in words only, and leaves the others to the server", () => {
    const choice = {
      anyOf: [
        { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
        { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      ],
    };
    assert.deepEqual(readModelArguments(choice, { name: "a" }), { kind: "arguments", args: { name: "a" } });
    const read = readModelArguments(choice, { other: 1 });
    assert.match(
      read.kind === "refused" ? read.reason : "",
      /do not fit .*\/id: is required.*Nothing was called/,
    );
    assert.equal(readModelArguments(SCHEMA, { name: 1 }).kind, "arguments");
    assert.equal(readModelArguments({ $schema: "x:y", ...choice }, { other: 1 }).kind, "arguments");
  });

  it("refuses an integer that was rounded before it came, wherever it is", () => {
    for (const args of [{ id: 2 ** 53 }, { owner: { id: -(2 ** 53) } }, { ids: [1, 2 ** 60] }]) {
      const read = readModelArguments(SCHEMA, args);
      assert.ok(read.kind === "refused");
      assert.match(read.reason, /Nothing was called/);
    }
    const read = readModelArguments(SCHEMA, { id: 9007199254740992 });
    assert.match(read.kind === "refused" ? read.reason : "", /rounded to 9007199254740992 /);
  });

  it("takes the digits that it asked for as the integer", () => {
    const args = {
      id: "9007199254740993",
      owner: { id: "-12345678901234567890123" },
      ids: ["9007199254740995"],
    };
    assert.deepEqual(readModelArguments(SCHEMA, args), {
      kind: "arguments",
      args: { id: 9007199254740993n, owner: { id: -12345678901234567890123n }, ids: [9007199254740995n] },
    });
  });

  it("keeps names that objects have, and survives odd schemas", () => {
    const args = JSON.parse('{"__proto__":{"a":1},"toString":9007199254740992}') as JsonObject;
    const read = readModelArguments(SCHEMA, args);
    assert.ok(read.kind === "arguments");
    assert.deepEqual(Object.keys(read.args), ["__proto__", "toString"]);
    for (const schema of [
      {},
      { properties: [] },
      { properties: { id: true } },
      { properties: { id: null } },
    ]) {
      assert.equal(readModelArguments(schema, { id: 1 }).kind, "arguments");
    }
  });
});
