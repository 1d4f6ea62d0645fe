import assert from "node:assert/strict";
import fc from "fast-check";
import { type JsonValue, parseJson, stringifyJson } from "../../src/base/json.ts";
import { parseSliced } from "../../src/protocol/transports/parseSliced.ts";
import { forAllAsync } from "./support/forAll.ts";

/** Without backslashes: V8 takes an escaped name for another one that it has met in such an object, as `\"` for `\`. */
const names = fc.oneof(
  fc.string({ maxLength: 4 }).filter((name) => !name.includes("\\")),
  fc.constantFrom("__proto__", "a", "a", "1", "", '"', "]", "},{"),
);
const leaves = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom<JsonValue[]>("[", '\\"', "\\\\", ",", "", 0, -1.5e3, true, null, 2n ** 60n),
);
const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 10, withCrossShrink: true },
    leaves,
    fc.array(tie("value"), { maxLength: 6 }),
    fc
      .array(fc.tuple(names, tie("value")), { maxLength: 5 })
      .map((entries): JsonValue => Object.fromEntries(entries)),
  ),
}));

/** Small groups, so that small texts are taken apart as large ones are. */
const groups = fc.integer({ min: 1, max: 24 });
const spacing = fc.constantFrom(undefined, 1, 3);

/** What a reader makes of a text: its value as a text, or that it is none. */
async function outcome(read: () => JsonValue | Promise<JsonValue>): Promise<string> {
  try {
    return stringifyJson(await read());
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return "no JSON";
  }
}

async function agrees(text: string, group: number): Promise<void> {
  const sliced = await outcome(() => parseSliced(text, () => undefined, group));
  assert.equal(sliced, await outcome(() => parseJson(text)));
}

describe("fuzz: JSON that is read in slices", () => {
  it("is what it is when it is read at once", async () => {
    await forAllAsync(fc.tuple(values, spacing, groups), async ([value, space, group]) => {
      await agrees(stringifyJson(value, space), group);
    });
  });

  it("is refused when it is refused at once, however it is broken", async () => {
    const breaks = fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 3 }),
      insert: fc.constantFrom("", ",", "[", "]", "{", "}", '"', ":", "\\", "-", "null", " ", "0", "[]", "x"),
    });
    await forAllAsync(fc.tuple(values, groups, breaks), async ([value, group, { at, remove, insert }]) => {
      const text = stringifyJson(value);
      const cut = at % (text.length + 1);
      await agrees(text.slice(0, cut) + insert + text.slice(cut + remove), group);
    });
  });

  it("keeps the last of two members with one name", async () => {
    const members = fc.array(fc.tuple(fc.constantFrom("a", "b", "__proto__"), values), { maxLength: 8 });
    await forAllAsync(fc.tuple(members, groups), async ([entries, group]) => {
      const text = `{${entries.map(([name, value]) => `${stringifyJson(name)}:${stringifyJson(value)}`).join(",")}}`;
      const sliced = (await parseSliced(text, () => undefined, group)) as object;
      const whole = parseJson(text) as object;
      assert.deepEqual(new Map(Object.entries(sliced)), new Map(Object.entries(whole)));
    });
  });
});
