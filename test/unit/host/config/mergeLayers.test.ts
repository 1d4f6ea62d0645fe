import assert from "node:assert/strict";
import { parseServers } from "../../../../src/client/parseServers.ts";
import { type ConfigLayer, mergeLayers } from "../../../../src/host/config/mergeLayers.ts";

const user = (raw: unknown): ConfigLayer => ({ source: "user", raw });
const workspace = (raw: unknown): ConfigLayer => ({ source: "workspace", raw });

describe("settings layers", () => {
  it("take servers from every place", () => {
    const merged = mergeLayers(
      [user({ a: { command: "a" } }), workspace({ b: { url: "https://b.test/mcp" } })],
      parseServers,
    );
    assert.deepEqual(
      merged.parsed.servers.map(({ id, source }) => [id, source]),
      [
        ["a", "user"],
        ["b", "workspace"],
      ],
    );
    assert.equal(merged.origins.get("b")?.source, "workspace");
    assert.deepEqual(merged.problems, []);
  });

  it("let the more specific place win as a whole, and say so there", () => {
    const merged = mergeLayers(
      [user({ a: { command: "safe", args: ["x"] } }), workspace({ a: { command: "other" } })],
      parseServers,
    );
    const [server] = merged.parsed.servers;
    assert.equal(server?.source, "workspace");
    assert.deepEqual(server.type === "stdio" ? [server.command, server.args] : undefined, ["other", []]);
    assert.deepEqual(
      merged.problems.map(({ layer, problem }) => [layer.source, problem.severity]),
      [["workspace", "warning"]],
    );
  });

  it("do not run the user's server when the workspace's entry of that name is broken", () => {
    const merged = mergeLayers(
      [user({ a: { command: "safe" } }), workspace({ a: { command: {} } })],
      parseServers,
    );
    assert.deepEqual(merged.parsed.servers, []);
    assert.equal(merged.origins.get("a")?.source, "workspace");
  });

  it("lose nothing to a broken entry or a broken place", () => {
    const merged = mergeLayers(
      [user({ bad: 1, good: { command: "x" } }), workspace("nonsense")],
      parseServers,
    );
    assert.deepEqual(
      merged.parsed.servers.map(({ id }) => id),
      ["good"],
    );
    assert.equal(merged.problems.length, 2);
  });

  it("are empty without settings", () => {
    assert.deepEqual(mergeLayers([user(undefined), workspace(undefined)], parseServers).parsed, {
      servers: [],
      problems: [],
    });
  });
});
