import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { DEFAULT_LIMITS } from "../../../../src/protocol/limits.ts";
import type { InputHandler } from "../../../../src/protocol/mrtr/inputRequired.ts";
import { modernTask, TaskPeer } from "../../../support/taskPeer.ts";

const someone: InputHandler = {
  modes: { form: true, url: false },
  handle: ({ requests }) => Promise.resolve(new Map(requests.map(({ key }) => [key, { action: "decline" }]))),
};

const form = (message = "Who?"): JsonObject => ({
  method: "elicitation/create",
  params: { message, requestedSchema: { type: "object", properties: { name: { type: "string" } } } },
});

/** A call whose task asks; it ends with an error, and the server hears that its task is over. */
async function ask(inputRequests: JsonObject, code: string): Promise<void> {
  const peer = new TaskPeer("modern", {});
  const call = peer.connection.callTool("t", {}, { callId: "c", input: someone });
  call.catch(() => undefined);
  (await peer.next("tools/call")).result({ resultType: "task", ...modernTask("working") });
  await peer.after(1_000);
  (await peer.next("tasks/get")).result({
    resultType: "complete",
    ...modernTask("input_required", { inputRequests }),
  });
  (await peer.next("tasks/cancel")).result({ resultType: "complete" });
  await assert.rejects(call, { code });
  await peer.close();
}

// Duty: 17.4.2, 10.1.7
describe("what a task may ask", () => {
  const cases: readonly (readonly [name: string, asked: JsonObject, code: string])[] = [
    [
      "a model that is not allowed",
      {
        method: "sampling/createMessage",
        params: { messages: [{ role: "user", content: { type: "text", text: "x" } }], maxTokens: 5 },
      },
      "sampling-off",
    ],
    ["folders that are not allowed", { method: "roots/list" }, "roots-off"],
    [
      "an address where only forms are offered",
      { method: "elicitation/create", params: { mode: "url", message: "Pay", url: "https://a.test" } },
      "undeclared-input",
    ],
    ["something that nobody knows", { method: "tools/call", params: {} }, "invalid-result"],
    ["a form that MCP does not allow", { method: "elicitation/create", params: {} }, "unsupported-form"],
    ["more than fits", form("x".repeat(DEFAULT_LIMITS.inputBytes)), "input-too-large"],
  ];
  for (const [name, asked, code] of cases) {
    it(`is not ${name}`, async () => {
      await ask({ a: asked }, code);
    });
  }

  it("is not under a key that is too long to be remembered", async () => {
    await ask({ ["k".repeat(2_000)]: form() }, "input-too-large");
  });

  it("is not more than ten rounds", async () => {
    const peer = new TaskPeer("modern", {});
    const call = peer.connection.callTool("t", {}, { callId: "c", input: someone });
    call.catch(() => undefined);
    (await peer.next("tools/call")).result({ resultType: "task", ...modernTask("working") });
    const asking = (key: number): JsonObject => ({
      resultType: "complete",
      ...modernTask("input_required", { inputRequests: { [`k${String(key)}`]: form() } }),
    });
    for (let round = 1; round <= DEFAULT_LIMITS.inputRounds; round += 1) {
      await peer.after(1_000);
      (await peer.next("tasks/get")).result(asking(round));
      (await peer.next("tasks/update")).result({ resultType: "complete" });
    }
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(asking(0));
    (await peer.next("tasks/cancel")).result({ resultType: "complete" });
    await assert.rejects(call, { code: "too-many-rounds" });
    await peer.close();
  });
});
