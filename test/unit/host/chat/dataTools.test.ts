import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ServerEntry } from "../../../../src/client/serverPool.ts";
import type { ServerLists } from "../../../../src/client/serverState.ts";
import { isDataTool, offerDataTools, readDataTools } from "../../../../src/host/chat/dataTools.ts";
import { connected, fakeEntry } from "../fakePool.ts";

const manifest: unknown = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "..", "..", "..", "..", "package.json"), "utf8"),
);
const all = readDataTools(manifest);

function server(lists: Partial<ServerLists>, chat = true): ServerEntry {
  const state = connected([]);
  return fakeEntry("s", { ...state, lists: { ...state.lists, ...lists } }, { chat });
}

const listed = { kind: "listed", items: [], warnings: [] } as const;
const offered = (...servers: readonly ServerEntry[]): readonly string[] =>
  offerDataTools(all, servers).map(({ name }) => name);

describe("the tools with which @signalbox reads", () => {
  it("are those of the manifest, with their descriptions and schemas", () => {
    assert.deepEqual(all.map(({ name }) => name).sort(), [
      "signalbox_get_prompt",
      "signalbox_list_resources",
      "signalbox_read_resource",
      "signalbox_read_skill",
    ]);
    for (const { description, inputSchema } of all) {
      assert.ok(description.length > 100);
      assert.equal(inputSchema["type"], "object");
    }
    assert.ok(!isDataTool("signalbox_call_tool") && !isDataTool("toString"));
  });

  it("are offered only where a server that chat may see has something for them", () => {
    assert.deepEqual(offered(server({})), []);
    assert.deepEqual(offered(server({ resources: listed }, false)), []);
    assert.deepEqual(offered(server({ resources: { kind: "unread" } })), [
      "signalbox_list_resources",
      "signalbox_read_resource",
    ]);
    assert.deepEqual(offered(server({ prompts: listed })), [
      "signalbox_list_resources",
      "signalbox_get_prompt",
    ]);
  });
});
