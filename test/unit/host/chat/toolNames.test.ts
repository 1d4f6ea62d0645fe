import assert from "node:assert/strict";
import { assignToolNames, type ToolAddress } from "../../../../src/host/chat/toolNames.ts";

const SAFE = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

function address(serverId: string, toolName: string): ToolAddress {
  return { serverId, toolName };
}

/** Checks what every assignment must be: complete, safe, unique and reversible. */
function assign(tools: readonly ToolAddress[]): ReadonlyMap<string, ToolAddress> {
  const names = assignToolNames(tools);
  assert.equal(names.size, tools.length);
  for (const name of names.keys()) assert.match(name, SAFE);
  assert.deepEqual(
    new Set([...names.values()].map((one) => JSON.stringify(one))),
    new Set(tools.map((one) => JSON.stringify(one))),
  );
  return names;
}

describe("assignToolNames", () => {
  it("keeps a plain name readable", () => {
    assert.deepEqual([...assign([address("db", "create_database")]).keys()], ["db__create_database"]);
  });

  // Duty: 7.1.4
  it("gives names with dots, slashes and blanks safe names that do not collide", () => {
    const names = ["admin.tools.list", "admin_tools_list", "user-profile/update", "Create Share", "工具"];
    assign(names.map((name) => address("s", name)));
  });

  it("keeps 128-character names apart that differ only at the end", () => {
    const long = "x".repeat(99);
    const names = [
      ...assign([address("s", `${long}a`), address("s", `${long}b`), address("s", "y".repeat(128))]).keys(),
    ];
    assert.ok(names.every((name) => name.length <= 64));
  });

  // Duty: 7.1.5
  it("tells the same tool name on two servers apart by the configured server", () => {
    const names = assign([address("alpha", "search"), address("beta", "search")]);
    assert.deepEqual(names.get("alpha__search"), address("alpha", "search"));
    assert.deepEqual(names.get("beta__search"), address("beta", "search"));
  });

  it("does not let the border between server and tool be forged", () => {
    assign([address("a", "b__c"), address("a__b", "c")]);
  });

  it("does not let a tool take the name that another one got", () => {
    const colliding = [address("s", "a.b"), address("s", "a_b")];
    const taken = [...assign(colliding).keys()].map((name) => address("s", name.slice("s__".length)));
    assign([...colliding, ...taken]);
  });

  // Duty: 7.1.4
  it("distinguishes case", () => {
    assert.deepEqual([...assign([address("s", "Get"), address("s", "get")]).keys()].sort(), [
      "s__Get",
      "s__get",
    ]);
  });

  it("begins with a letter or an underscore", () => {
    assert.deepEqual([...assign([address("1", "2")]).keys()], ["_1__2"]);
  });

  it("gives the same names whatever the order", () => {
    const tools = [
      address("s", "a.b"),
      address("s", "a_b"),
      address("s", "a b"),
      address("t", "x".repeat(200)),
      address("t", "c"),
    ];
    const sorted = (names: ReadonlyMap<string, ToolAddress>) =>
      [...names].sort(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual(sorted(assign(tools)), sorted(assign([...tools].reverse())));
  });
});
