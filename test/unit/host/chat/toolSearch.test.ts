import assert from "node:assert/strict";
import { listChatTools } from "../../../../src/host/chat/chatTools.ts";
import { findTool } from "../../../../src/host/chat/findTool.ts";
import { describeFound, nearNames, searchTools } from "../../../../src/host/chat/toolSearch.ts";
import { connected, fakeEntry, fakeTool } from "../fakePool.ts";

const SERVERS = [
  fakeEntry(
    "cloud",
    connected([
      fakeTool("create_database", { description: "Makes a new database" }),
      fakeTool("deleteDatabase", { description: "Removes it" }),
      fakeTool("list_regions", { description: "Regions where a database can be" }),
    ]),
  ),
  fakeEntry("notes", connected([fakeTool("create_note")])),
  fakeEntry("secret", connected([fakeTool("create_secret")]), { chat: false }),
  fakeEntry("asleep", { kind: "stopped" }),
];
const TOOLS = listChatTools(SERVERS);

const names = (query: string, server?: string) =>
  searchTools(TOOLS, { query, server }).map(({ tool }) => tool.name);

describe("searchTools", () => {
  // Duty: 7.5.1
  it("finds by words, names before descriptions", () => {
    assert.deepEqual(names("create database"), [
      "create_database",
      "deleteDatabase",
      "create_note",
      "list_regions",
    ]);
  });

  it("takes camelCase apart", () => {
    assert.deepEqual(names("delete")[0], "deleteDatabase");
  });

  it("lists everything for an empty query", () => {
    assert.equal(names("").length, 4);
  });

  it("keeps to one server", () => {
    assert.deepEqual(names("create", "notes"), ["create_note"]);
    assert.deepEqual(names("", "nowhere"), []);
  });

  it("never shows what chat may not see", () => {
    assert.deepEqual(names("secret"), []);
  });
});

describe("describeFound", () => {
  it("gives server, exact name and schema, and the servers that are not connected", () => {
    const text = describeFound(searchTools(TOOLS, { query: "note" }), SERVERS);
    assert.ok(text.includes('{"server":"notes","tool":"create_note","inputSchema":{"type":"object"}}'));
    assert.match(text, /not connected, so their tools are unknown: "asleep"/);
    assert.ok(!text.includes("secret"));
  });

  it("says when nothing fits", () => {
    assert.match(describeFound([], []), /No tool of a connected server fits/);
  });

  it("stays within its budget and says how many are missing", () => {
    const crowd = Array.from({ length: 300 }, (_, index) =>
      fakeTool(`tool_${String(index)}`, { description: "d".repeat(5000) }),
    );
    const text = describeFound(listChatTools([fakeEntry("s", connected(crowd))]), []);
    assert.ok(text.length < 30_000);
    assert.match(text, /\d+ more tools fit and are not listed/);
  });

  it("leaves a large schema out and says how to get it", () => {
    const inputSchema = { type: "object", description: "x".repeat(5000) };
    const text = describeFound(
      listChatTools([fakeEntry("s", connected([fakeTool("t", { inputSchema })]))]),
      [],
    );
    assert.match(text, /use signalbox_describe_tool/);
  });
});

describe("findTool", () => {
  // Duty: 7.5.1
  it("finds the exact tool", () => {
    const found = findTool(SERVERS, "cloud", "create_database");
    assert.ok(found.kind === "found" && found.tool.serverId === "cloud");
  });

  const wrong: readonly (readonly [server: string, tool: string, hint: RegExp])[] = [
    ["clould", "create_database", /no MCP server "clould".*Near names: "cloud"/],
    ["cloud", "createDatabase", /no tool "createDatabase".*Near names: "create_database"/],
    ["cloud", "create_note", /A tool of that name is on: "notes"/],
    ["asleep", "x", /"asleep" is not connected/],
    ["secret", "create_secret", /no MCP server "secret"/],
  ];
  for (const [server, tool, hint] of wrong) {
    it(`helps with ${server}/${tool} instead of guessing`, () => {
      const found = findTool(SERVERS, server, tool);
      assert.ok(found.kind === "unknown");
      assert.match(found.hint, hint);
    });
  }
});

describe("nearNames", () => {
  it("finds names that contain the word", () => {
    assert.deepEqual(nearNames("note", ["create_note", "list"]), ["create_note"]);
  });

  it("finds nothing for nothing", () => {
    assert.deepEqual(nearNames("", ["a_long_name"]), []);
  });
});
