import assert from "node:assert/strict";
import { parseServer } from "../../../../src/client/parseServers.ts";
import type { ConfigSource, ServerConfig } from "../../../../src/client/serverConfig.ts";
import { maySample } from "../../../../src/host/features/allowedFeatures.ts";
import { chooseRoots } from "../../../../src/host/roots/chooseRoots.ts";

const folders = [
  { name: "app", uri: "file:///w/app" },
  { name: "lib", uri: "file:///w/lib" },
  { name: "far", uri: "vscode-vfs://github/x" },
];

function config(keys: object, source: ConfigSource = "user"): ServerConfig {
  const parsed = parseServer("s", { command: "x", ...keys }, source);
  assert.ok(parsed.config !== undefined);
  return parsed.config;
}

describe("the folders that a server is told of", () => {
  const names = (own: ServerConfig, chosen?: readonly string[]): readonly string[] | null =>
    chooseRoots(own, { folders: chosen }, folders)?.map(({ name }) => name) ?? null;

  // Duty: 11.2.2
  it("are none unless the person says so", () => {
    assert.equal(names(config({})), null);
    assert.equal(names(config({ roots: false })), null);
  });

  // Duty: 11.2.1
  it("are those on disk alone when all are allowed", () => {
    assert.deepEqual(names(config({ roots: true })), ["app", "lib"]);
  });

  it("are those that the settings name", () => {
    assert.deepEqual(names(config({ roots: ["lib", "gone"] })), ["lib"]);
    assert.deepEqual(names(config({ roots: ["${workspaceFolder}"] })), ["app"]);
    assert.deepEqual(names(config({ roots: ["${workspaceFolder:lib}"] })), ["lib"]);
    assert.deepEqual(
      names(config({ roots: ["file:///etc", ".."] })),
      [],
      "a path is no folder of the workspace",
    );
  });

  it("are those that the person chose, which goes before the settings", () => {
    assert.deepEqual(names(config({ roots: true }), ["file:///w/lib"]), ["lib"]);
    assert.deepEqual(names(config({}), ["file:///w/lib", "file:///w/gone"]), ["lib"]);
    assert.equal(names(config({ roots: true }), []), null);
  });

  it("are never what a workspace allows its own servers, and none when it forbids", () => {
    for (const source of ["workspace", "folder"] as const) {
      assert.equal(names(config({ roots: true }, source)), null);
      assert.deepEqual(names(config({}, source), ["file:///w/app"]), ["app"]);
      assert.equal(names(config({ roots: false }, source), ["file:///w/app"]), null);
    }
  });
});

describe("whether a server may ask a language model", () => {
  it("is what the person's settings say, or what the person allowed a server of the workspace", () => {
    assert.equal(maySample(config({}), {}), false);
    assert.equal(maySample(config({ sampling: "ask" }), {}), true);
    assert.equal(maySample(config({ sampling: "off" }), { sampling: true }), false);
    assert.equal(maySample(config({ sampling: "ask" }, "workspace"), {}), false);
    assert.equal(maySample(config({}, "workspace"), { sampling: true }), true);
    assert.equal(maySample(config({ sampling: "off" }, "folder"), { sampling: true }), false);
  });
});
