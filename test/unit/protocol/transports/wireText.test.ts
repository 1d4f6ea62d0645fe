import assert from "node:assert/strict";
import { wireText } from "../../../../src/protocol/transports/wireText.ts";

const answer = { action: "accept", content: { pin: "1234", tags: ["private"] } };

describe("wireText", () => {
  it("holds no answers of a retried request, and all the rest", () => {
    const text = wireText({
      jsonrpc: "2.0",
      id: 3,
      method: "tools/call",
      params: {
        name: "t",
        arguments: { a: 1 },
        inputResponses: { one: answer, two: { action: "decline" } },
        requestState: "state",
      },
    });
    assert.ok(!text.includes("1234") && !text.includes("private"));
    assert.deepEqual(JSON.parse(text), {
      jsonrpc: "2.0",
      id: 3,
      method: "tools/call",
      params: {
        name: "t",
        arguments: { a: 1 },
        inputResponses: {
          one: { action: "accept", content: { pin: "•••", tags: "•••" } },
          two: { action: "decline" },
        },
        requestState: "state",
      },
    });
  });

  it("holds no answers to a legacy server's question", () => {
    const text = wireText({ jsonrpc: "2.0", id: "q", result: answer });
    assert.ok(!text.includes("1234"));
    assert.match(text, /"action":"accept"/);
  });

  it("holds nothing of what a model answered, in one block or in several", () => {
    const block = { type: "text", text: "private" };
    for (const content of [
      block,
      [block, { type: "tool_use", id: "1", name: "t", input: { a: "private" } }],
    ]) {
      const result = { role: "assistant", model: "m", content };
      const text = wireText({ jsonrpc: "2.0", id: 1, result });
      assert.ok(!text.includes("private"), text);
      assert.match(text, /"model":"m"/);
    }
  });

  it("is the message itself when nothing was answered", () => {
    for (const message of [
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 1, error: { code: -1, message: "no" } },
      { jsonrpc: "2.0", id: 1, result: {} },
    ] as const) {
      assert.equal(wireText(message), JSON.stringify(message));
    }
  });
});
