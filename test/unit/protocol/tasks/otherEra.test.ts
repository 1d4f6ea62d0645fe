import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { TaskPeer, textResult } from "../../../support/taskPeer.ts";
import { firstText } from "../../../support/testPool.ts";

const EXTENSION = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const OLD = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };

/** Lists a tool that could be a task, calls it, and answers with the parameters of the call. */
async function call(era: "modern" | "legacy", capabilities: JsonObject): Promise<JsonObject> {
  const peer = new TaskPeer(era, capabilities);
  await peer.list({
    name: "t",
    inputSchema: { type: "object" },
    execution: { taskSupport: "optional" },
  });
  const made = peer.connection.callTool("t", {}, { callId: "c", input: null });
  const called = await peer.next("tools/call");
  called.result({ resultType: "complete", ...textResult("plain") });
  assert.equal(firstText((await made).result), "plain");
  await peer.close();
  return called.params;
}

describe("what a server says of tasks in the way of the other era", () => {
  // Duty: 17.9.1
  it("means nothing in 2025-11-25, which does not know the extension", async () => {
    const params = await call("legacy", EXTENSION);
    assert.equal(params["task"], undefined);
    assert.doesNotMatch(JSON.stringify(params), /modelcontextprotocol\/tasks/);
  });

  // Duty: 17.9.7
  it("means nothing in 2026-07-28, which has no tasks in its parameters", async () => {
    assert.equal((await call("modern", OLD))["task"], undefined);
    assert.equal((await call("modern", { ...OLD, ...EXTENSION }))["task"], undefined);
  });
});
