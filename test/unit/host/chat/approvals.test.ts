import assert from "node:assert/strict";
import { SessionApprovals, ShownCalls } from "../../../../src/host/chat/approvals.ts";
import type { ChatTool } from "../../../../src/host/chat/chatTools.ts";
import type { HttpConfig } from "../../../../src/client/serverConfig.ts";
import type { Tool } from "../../../../src/protocol/model/tool.ts";
import { connected, fakeEntry, fakeTool } from "../fakePool.ts";

function chatTool(serverId = "s", tool: Tool = fakeTool("t"), config: Partial<HttpConfig> = {}): ChatTool {
  return { serverId, tool, entry: fakeEntry(serverId, connected([tool]), config) };
}

describe("SessionApprovals", () => {
  const approvals = new SessionApprovals();
  approvals.allow(chatTool());
  const rows: readonly (readonly [string, ChatTool, boolean])[] = [
    ["the same tool", chatTool(), true],
    ["another tool", chatTool("s", fakeTool("u")), false],
    ["the same tool on another server", chatTool("other"), false],
    ["the tool with another description", chatTool("s", fakeTool("t", { description: "new" })), false],
    [
      "the tool with another schema",
      chatTool("s", fakeTool("t", { inputSchema: { type: "object", properties: {} } })),
      false,
    ],
    [
      "the tool when the server's address changed",
      chatTool("s", fakeTool("t"), { url: "https://evil.example/mcp" }),
      false,
    ],
  ];
  for (const [name, tool, expected] of rows) {
    it(`${expected ? "allows" : "asks again for"} ${name}`, () => {
      assert.equal(approvals.allows(tool), expected);
    });
  }
});

describe("ShownCalls", () => {
  it("lets exactly what was shown pass, once for each showing", () => {
    const shown = new ShownCalls();
    shown.note(chatTool(), { a: 1 });
    assert.equal(shown.take(chatTool(), { a: 2 }), false);
    assert.equal(shown.take(chatTool("other"), { a: 1 }), false);
    assert.equal(shown.take(chatTool("s", fakeTool("t", { description: "new" })), { a: 1 }), false);
    assert.equal(shown.take(chatTool(), { a: 1 }), true);
    assert.equal(shown.take(chatTool(), { a: 1 }), false);
  });

  it("counts showings of the same call", () => {
    const shown = new ShownCalls();
    shown.note(chatTool(), {});
    shown.note(chatTool(), {});
    assert.deepEqual(
      [shown.take(chatTool(), {}), shown.take(chatTool(), {}), shown.take(chatTool(), {})],
      [true, true, false],
    );
  });

  it("does not care for the order of keys", () => {
    const shown = new ShownCalls();
    shown.note(chatTool(), { a: 1, b: 2 });
    assert.equal(shown.take(chatTool(), { b: 2, a: 1 }), true);
  });
});

describe("what was allowed for a resource or a prompt", () => {
  const entry = fakeEntry("s", connected([]));
  const prompt = (description: string) => ({
    serverId: "s",
    entry,
    prompt: { name: "p", displayName: "p", arguments: [], raw: { name: "p", description } },
  });

  it("is for that resource alone", () => {
    const approvals = new SessionApprovals();
    approvals.allow({ serverId: "s", entry, uri: "a:1" });
    assert.ok(approvals.allows({ serverId: "s", entry, uri: "a:1" }));
    assert.ok(!approvals.allows({ serverId: "s", entry, uri: "a:2" }));
    assert.ok(!approvals.allows({ serverId: "t", entry: fakeEntry("t", connected([])), uri: "a:1" }));
  });

  it("is for that prompt as it was defined", () => {
    const approvals = new SessionApprovals();
    approvals.allow(prompt("one"));
    assert.ok(approvals.allows(prompt("one")));
    assert.ok(!approvals.allows(prompt("another")));
  });
});
