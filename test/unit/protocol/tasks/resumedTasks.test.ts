import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { InputHandler, InputRound } from "../../../../src/protocol/mrtr/inputRequired.ts";
import { TaskLeft } from "../../../../src/protocol/tasks/taskLeft.ts";
import { settle } from "../../../support/fakeTransport.ts";
import { modernTask, TaskPeer, textResult } from "../../../support/taskPeer.ts";
import { firstText } from "../../../support/testPool.ts";

const form: JsonObject = {
  method: "elicitation/create",
  params: { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } },
};
const remembered = { taskId: "t-1", begunMs: 0, answered: [] };

function complete(status: string, more: JsonObject = {}): JsonObject {
  return { resultType: "complete", ...modernTask(status, more) };
}

/** A person who answers at once. */
function person(): InputHandler & { readonly rounds: InputRound[] } {
  const rounds: InputRound[] = [];
  return {
    rounds,
    modes: { form: true, url: false },
    handle: (round) => {
      rounds.push(round);
      const answer = { action: "accept", content: { name: "Ada" } } as const;
      return Promise.resolve(new Map(round.requests.map(({ key }) => [key, answer])));
    },
  };
}

describe("a task of an earlier connection", () => {
  // Duty: 17.3.1
  it("is asked about at once, and gives its result", async () => {
    const peer = new TaskPeer("modern", {});
    const wait = peer.connection.resumeTask(remembered, "t", { callId: "c", input: null });
    (await peer.next("tasks/get")).result(complete("completed", { result: textResult("done") }));
    assert.equal(firstText((await wait).result), "done");
    await peer.close();
  });

  // Duty: 17.4.2
  it("is not answered twice, whatever it still shows", async () => {
    const peer = new TaskPeer("modern", {});
    const someone = person();
    const answered: (readonly string[])[] = [];
    const wait = peer.connection.resumeTask({ ...remembered, answered: ["a"] }, "t", {
      callId: "c",
      input: someone,
      onTask: (report) => answered.push(report.answered),
    });
    const asking = { inputRequests: { a: form, b: form } };
    (await peer.next("tasks/get")).result(complete("input_required", asking));
    const update = await peer.next("tasks/update");
    assert.deepEqual(Object.keys(update.params["inputResponses"] as JsonObject), ["b"]);
    update.result({ resultType: "complete" });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("completed", { result: textResult("done") }));
    await wait;
    assert.equal(someone.rounds.length, 1);
    assert.deepEqual(answered.at(-1), ["a", "b"]);
    await peer.close();
  });

  it("is left at work by whoever no longer waits", async () => {
    const peer = new TaskPeer("modern", {});
    const controller = new AbortController();
    const { signal } = controller;
    const wait = peer.connection.resumeTask(remembered, "t", { callId: "c", input: null, signal });
    (await peer.next("tasks/get")).result(complete("working"));
    await settle();
    controller.abort(new Error("stop"));
    await assert.rejects(wait, { message: "stop" });
    await peer.quiet();
    await peer.close();
  });

  it("is gone when the server says so, and not asked about again", async () => {
    const peer = new TaskPeer("modern", {});
    const wait = peer.connection.resumeTask(remembered, "t", { callId: "c", input: null });
    (await peer.next("tasks/get")).error(-32_602);
    await assert.rejects(wait, { code: "task-gone" });
    await peer.after(60_000);
    await peer.quiet();
    await peer.close();
  });
});

describe("a task that several wait for", () => {
  it("is asked about once, and each gets its result", async () => {
    const peer = new TaskPeer("modern", {});
    const someone = person();
    const call = peer.connection.callTool("t", {}, { callId: "c", input: someone });
    (await peer.next("tools/call")).result({ resultType: "task", ...modernTask("working") });
    await settle();
    const seen: string[] = [];
    const wait = peer.connection.resumeTask(remembered, "t", {
      callId: "d",
      input: someone,
      onTask: ({ task: { status } }) => seen.push(status),
    });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("input_required", { inputRequests: { a: form } }));
    (await peer.next("tasks/update")).result({ resultType: "complete" });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("completed", { result: textResult("done") }));
    assert.deepEqual([firstText((await call).result), firstText((await wait).result)], ["done", "done"]);
    assert.equal(someone.rounds.length, 1);
    assert.deepEqual(seen, ["working", "input_required", "completed"]);
    await peer.close();
  });

  it("goes on when the one who began it leaves it", async () => {
    const peer = new TaskPeer("modern", {});
    const controller = new AbortController();
    const { signal } = controller;
    const call = peer.connection.callTool("t", {}, { callId: "c", input: null, signal });
    (await peer.next("tools/call")).result({ resultType: "task", ...modernTask("working") });
    await settle();
    controller.abort(new TaskLeft());
    await assert.rejects(call, TaskLeft);
    await peer.quiet();
    await peer.close();
  });
});
