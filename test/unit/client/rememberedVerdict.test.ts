import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import { readVerdict, verdictKey } from "../../../src/client/rememberedVerdict.ts";

function keyOf(entry: JsonObject): string {
  const [config] = parseServers({ s: entry }, "user").servers;
  assert.ok(config !== undefined);
  return verdictKey(config);
}

describe("the era that is remembered of a server", () => {
  // Duty: 2.1.8, 2.1.9
  it("is that of one address, not of everything on its origin", () => {
    const key = keyOf({ url: "https://one.example/a/mcp" });
    assert.equal(keyOf({ url: "https://one.example/a/mcp", headers: { "X-Key": "other" } }), key);
    for (const url of [
      "https://one.example/b/mcp",
      "https://two.example/a/mcp",
      "https://one.example/a/mcp?b",
    ])
      assert.notEqual(keyOf({ url }), key);
  });

  // Duty: 2.1.8
  it("is that of one command with its arguments, directory and names of variables, and of no value", () => {
    const entry = { command: "run", args: ["a", "b"], cwd: "/one", env: { A: "1" } };
    const key = keyOf(entry);
    assert.equal(keyOf({ ...entry, env: { A: "2" } }), key);
    for (const change of [{ command: "walk" }, { args: ["a b"] }, { cwd: "/two" }, { env: { B: "1" } }])
      assert.notEqual(keyOf({ ...entry, ...change }), key);
  });

  it("is nothing when what was stored is odd", () => {
    const verdict = { era: "legacy", revision: "2025-11-25", atMs: 1 };
    assert.deepEqual(readVerdict(verdict), verdict);
    for (const odd of [{ era: "next" }, { revision: "2031-01-01" }, { atMs: "1" }])
      assert.equal(readVerdict({ ...verdict, ...odd }), undefined);
    assert.equal(readVerdict(undefined), undefined);
  });
});
