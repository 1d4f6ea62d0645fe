import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { findDifference, readFrontMatter } from "../../../../src/protocol/skills/frontMatter.ts";

const file = (yaml: string): string => `---\n${yaml}\n---\n\nBody\n`;

describe("readFrontMatter", () => {
  const read: readonly (readonly [string, string, JsonObject])[] = [
    ["plain texts", file("name: a\ndescription: Does it"), { name: "a", description: "Does it" }],
    ["lines that end with CR LF", "---\r\nname: a\r\n---\r\nBody", { name: "a" }],
    ["a byte order mark", `\uFEFF${file("name: a")}`, { name: "a" }],
    ["spaces after the dashes", "---  \nname: a\n---\t\n", { name: "a" }],
    ["no body and no last line end", "---\nname: a\n---", { name: "a" }],
    ["block texts", file("a: |\n  one\n  two\nb: >-\n  one\n  two"), { a: "one\ntwo\n", b: "one two" }],
    ["quotes, maps and lists", file('a: "x: 1"\nb: {c: [1, 2.5]}'), { a: "x: 1", b: { c: [1, 2.5] } }],
    ["truth and nothing", file("a: true\nb: null\nc: ~\nd:"), { a: true, b: null, c: null, d: null }],
    ["words that older YAML took for truth", file("a: yes\nb: off"), { a: "yes", b: "off" }],
    ["dates as texts", file("a: 2026-07-28"), { a: "2026-07-28" }],
    ["each digit of a number", file("a: 9007199254740993"), { a: 9_007_199_254_740_993n }],
    ["an alias", file("a: &x [1]\nb: *x"), { a: [1], b: [1] }],
    ["a line of dashes in the body", `${file("name: a")}\n---\nmore: b\n---\n`, { name: "a" }],
    ["a merge key as any other", file('"<<": {a: 1}\nb: 2'), { "<<": { a: 1 }, b: 2 }],
  ];
  for (const [what, text, value] of read) {
    it(`reads ${what}`, () => {
      assert.deepEqual(readFrontMatter(text), { kind: "read", value });
    });
  }

  const lines = Array.from({ length: 9 }, (_, level) => {
    const inner = Array.from({ length: 10 }, () => (level === 0 ? "x" : `*a${String(level - 1)}`));
    return `a${String(level)}: &a${String(level)} [${inner.join(", ")}]`;
  });
  const broken: readonly (readonly [string, string])[] = [
    ["no front matter", "# Title\n"],
    ["front matter after something else", `\n${file("name: a")}`],
    ["front matter without an end", "---\nname: a\n"],
    ["an empty one", "---\n---\n"],
    ["a text", file("only words")],
    ["a list", file("- a")],
    ["broken YAML", file('a: "open')],
    ["a tag of JavaScript", file("a: !!js/function 'x'")],
    ["a tag of its own", file("a: !secret x")],
    ["a key twice", file("a: 1\na: 2")],
    ["a key that is no text", file("? [a]\n: 1")],
    ["two documents", file("a: 1\n...\n---x")],
    ["a number that JSON does not have", file("a: .inf")],
    ["aliases that multiply", file(lines.join("\n"))],
    ["an alias of nothing", file("a: *b")],
    ["an alias of itself", file("a: &a [*a]")],
    ["nesting without end", file(`a: ${"[".repeat(15_000)}`)],
    ["more than it may have", file(`a: ${"x".repeat(17_000)}`)],
  ];
  for (const [what, text] of broken) {
    it(`refuses ${what}`, () => {
      assert.equal(readFrontMatter(text).kind, "broken");
    });
  }

  it("keeps what names a member of every object as a key of its own", () => {
    const front = readFrontMatter(file("__proto__: {polluted: true}\nconstructor: x"));
    assert.ok(front.kind === "read");
    assert.deepEqual(Object.keys(front.value), ["__proto__", "constructor"]);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
});

describe("findDifference", () => {
  const table: readonly (readonly [JsonObject, JsonObject, string | undefined])[] = [
    [{ name: "a", description: "b" }, { description: "b", name: "a" }, undefined],
    [{ name: "a", m: { x: [1, { y: null }] } }, { name: "a", m: { x: [1, { y: null }] } }, undefined],
    [{ name: "a" }, { name: "b" }, "name"],
    [{ name: "a" }, { name: "a", "allowed-tools": "Bash" }, "allowed-tools"],
    [{ name: "a", hooks: {} }, { name: "a" }, "hooks"],
    [{ name: "a", v: 1 }, { name: "a", v: "1" }, "v"],
    [{ name: "a", v: null }, { name: "a" }, "v"],
    [{ v: 9_007_199_254_740_993n }, { v: 9_007_199_254_740_992 }, "v"],
    [{ toString: "x" }, {}, "toString"],
  ];
  for (const [read, announced, field] of table) {
    it(`says ${field ?? "nothing"} of ${String(Object.keys(read))}`, () => {
      assert.equal(findDifference(read, announced), field);
    });
  }
});
