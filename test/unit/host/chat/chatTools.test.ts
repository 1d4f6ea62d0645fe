import assert from "node:assert/strict";
import { listChatTools, MAX_TOOLS, offerTools } from "../../../../src/host/chat/chatTools.ts";
import { connected, fakeEntry, fakeTool } from "../fakePool.ts";

const many = (count: number, prefix = "t") =>
  Array.from({ length: count }, (_, index) => fakeTool(`${prefix}${String(index)}`));

describe("listChatTools", () => {
  it("lists connected servers only, and those that chat may see", () => {
    const tools = listChatTools([
      fakeEntry("a", connected([fakeTool("one")])),
      fakeEntry("hidden", connected([fakeTool("two")]), { chat: false }),
      fakeEntry("stopped", { kind: "stopped" }),
      { id: "broken", config: undefined, problems: [], state: { kind: "stopped" } },
    ]);
    assert.deepEqual(
      tools.map(({ serverId, tool }) => [serverId, tool.name]),
      [["a", "one"]],
    );
  });

  it("respects the tools that the settings name", () => {
    const tools = listChatTools([
      fakeEntry("a", connected([fakeTool("one"), fakeTool("two")]), { tools: ["two"] }),
    ]);
    assert.deepEqual(
      tools.map(({ tool }) => tool.name),
      ["two"],
    );
  });
});

describe("offerTools", () => {
  it("passes schemas on exactly as they are", () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { a: { $ref: "#/$defs/x" } },
      $defs: { x: { type: ["string", "null"] } },
      unevaluatedProperties: false,
    };
    const [tool] = offerTools(
      listChatTools([fakeEntry("s", connected([fakeTool("t", { inputSchema })]))]),
    ).tools;
    assert.equal(tool?.inputSchema, inputSchema);
  });

  it("wraps a root that is no object, and says so", () => {
    const inputSchema = { anyOf: [{ type: "object" }] };
    const [tool] = offerTools(
      listChatTools([fakeEntry("s", connected([fakeTool("t", { inputSchema })]))]),
    ).tools;
    assert.equal(tool?.inputSchema["type"], "object");
    assert.ok(tool.description.includes(JSON.stringify(inputSchema)));
  });

  it("names the configured server in the description", () => {
    const [tool] = offerTools(
      listChatTools([fakeEntry("s", connected([fakeTool("t", { description: "Does it." })]))]),
    ).tools;
    assert.equal(tool?.description, 'Tool "t" of the MCP server "s".\nDoes it.');
  });

  // Duty: 7.5.1
  it("leaves out what is over the ceiling, fairly, and says what", () => {
    const tools = listChatTools([
      fakeEntry("big", connected(many(140))),
      fakeEntry("small", connected(many(20))),
    ]);
    const offer = offerTools(tools);
    assert.equal(MAX_TOOLS, 128);
    assert.equal(offer.tools.length, 128);
    assert.equal(offer.leftOut.length, 32);
    assert.ok(offer.leftOut.every(({ serverId }) => serverId === "big"));
    assert.equal(offer.byName.get("small__t19")?.tool.name, "t19");
  });

  // Duty: 7.1.5
  it("calls the right server for a name that two have", () => {
    const offer = offerTools(
      listChatTools([
        fakeEntry("alpha", connected([fakeTool("search")])),
        fakeEntry("beta", connected([fakeTool("search")])),
      ]),
    );
    assert.deepEqual(
      [...offer.byName].map(([name, { serverId }]) => [name, serverId]),
      [
        ["alpha__search", "alpha"],
        ["beta__search", "beta"],
      ],
    );
  });
});
