import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { CallOptions } from "../../../../src/protocol/connection.ts";
import type { CalledTool } from "../../../../src/protocol/model/tool.ts";
import type { InputHandler, InputRound } from "../../../../src/protocol/mrtr/inputRequired.ts";
import { deferred } from "../../../../src/base/deferred.ts";
import { type FakeRequest, settle } from "../../../support/fakeTransport.ts";
import { modernTask, TaskPeer, textResult } from "../../../support/taskPeer.ts";
import { firstText } from "../../../support/testPool.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const ANNOUNCED = { extensions: { [TASKS]: {} } };

function declared({ params }: FakeRequest): JsonObject {
  const meta = params["_meta"] as JsonObject;
  return meta["io.modelcontextprotocol/clientCapabilities"] as JsonObject;
}

const form: JsonObject = {
  method: "elicitation/create",
  params: { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } },
};

/** Calls a tool and gets the handle of a task. */
async function begin(
  peer: TaskPeer,
  options: Partial<CallOptions> = {},
  task: JsonObject = {},
): Promise<{ readonly call: Promise<CalledTool>; readonly states: string[] }> {
  const states: string[] = [];
  const call = peer.connection.callTool(
    "t",
    {},
    { callId: "c", input: null, onTask: ({ task: { status } }) => states.push(status), ...options },
  );
  call.catch(() => undefined);
  (await peer.next("tools/call")).result({ resultType: "task", ...modernTask("working", task) });
  return { call, states };
}

function complete(status: string, more: JsonObject = {}): JsonObject {
  return { resultType: "complete", ...modernTask(status, more) };
}

/** A person whose answers the test gives. */
function person(): InputHandler & { readonly rounds: InputRound[]; answer: (name: string) => void } {
  const rounds: InputRound[] = [];
  let waiting = deferred<string>();
  return {
    rounds,
    modes: { form: true, url: false },
    answer: (name) => {
      waiting.resolve(name);
      waiting = deferred();
    },
    handle: async (round, signal) => {
      rounds.push(round);
      const name = await new Promise<string>((resolve, reject) => {
        waiting.promise.then(resolve, reject);
        signal.addEventListener("abort", () => {
          reject(signal.reason as Error);
        });
      });
      return new Map(
        round.requests.map(({ key }) => [key, { action: "accept", content: { name } }] as const),
      );
    },
  };
}

describe("tasks of a modern server", () => {
  // Duty: 17.1.1, 17.1.2, 17.2.3, 17.3.1, 17.3.5, 17.7.1
  it("hide behind the call: asked about as often as the server wants, until the result is there", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const { call, states } = await begin(peer, {}, { pollIntervalMs: 5_000 });
    await peer.after(5_000);
    const first = await peer.next("tasks/get");
    assert.equal(first.params["taskId"], "t-1");
    // The example of the extension says “task” here; its schema says “complete”.
    first.result({ resultType: "task", ...modernTask("working", { pollIntervalMs: 1_000 }) });
    const listen = await peer.next("subscriptions/listen");
    assert.deepEqual(listen.params["notifications"], { taskIds: ["t-1"] });
    for (const request of [first, listen]) assert.deepEqual(declared(request)["extensions"], { [TASKS]: {} });
    listen.error(-32_601);
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("completed", { result: textResult("done", true) }));
    const { result } = await call;
    assert.deepEqual([firstText(result), result.isError], ["done", true]);
    assert.deepEqual(states, ["working", "working", "completed"]);
    await peer.close();
  });

  // Duty: 17.1.1, 17.1.3
  it("are declared where they are on, for calls of tools alone", async () => {
    const peer = new TaskPeer("modern", { ...ANNOUNCED, prompts: {} });
    const call = peer.connection.callTool("t", {}, { callId: "c", input: null });
    const called = await peer.next("tools/call");
    assert.deepEqual(declared(called), { extensions: { [TASKS]: {} } });
    called.result({ resultType: "complete", ...textResult("at once") });
    assert.equal(firstText((await call).result), "at once");
    const prompt = peer.connection.request("prompts/get", { name: "p" }, { callId: "c", input: null });
    const asked = await peer.next("prompts/get");
    assert.deepEqual(declared(asked), {});
    asked.result({ resultType: "task", ...modernTask("working") });
    await assert.rejects(prompt, { code: "unknown-result-type" });
    await peer.close();
  });

  // Duty: 1.2.4, 17.1.4
  it("are not declared where they are off: what comes all the same is not used", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    peer.connection.tasks.isOn = false;
    const call = peer.connection.callTool("t", {}, { callId: "c", input: null });
    const called = await peer.next("tools/call");
    assert.deepEqual(declared(called), {});
    called.result({ resultType: "task", ...modernTask("working") });
    await assert.rejects(call, { code: "unknown-result-type" });
    await peer.close();
  });

  // Duty: 17.3.4
  it("name their id in the headers of every request about them", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED, "http");
    const taskId = "tâche 1";
    const controller = new AbortController();
    const { call } = await begin(peer, { signal: controller.signal }, { taskId });
    await peer.after(1_000);
    await peer.next("tasks/get");
    assert.equal(peer.transport.headers.at(-1)?.["Mcp-Name"], "=?base64?dMOiY2hlIDE=?=");
    assert.equal(peer.transport.headers.at(-1)?.["Mcp-Method"], "tasks/get");
    controller.abort(new Error("stop"));
    (await peer.next("tasks/cancel")).result({ resultType: "complete" });
    assert.equal(peer.transport.headers.at(-1)?.["Mcp-Name"], "=?base64?dMOiY2hlIDE=?=");
    await assert.rejects(call, { message: "stop" });
    await peer.close();
  });

  // Duty: 17.5.1, 14.2.4
  it("are cancelled by a request, and by nothing else", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const controller = new AbortController();
    const { call } = await begin(peer, { signal: controller.signal });
    controller.abort(new Error("stop"));
    const cancel = await peer.next("tasks/cancel");
    assert.equal(cancel.params["taskId"], "t-1");
    cancel.result({ resultType: "complete" });
    await assert.rejects(call, { message: "stop" });
    await peer.quiet();
    assert.deepEqual(peer.transport.sent, []);
    await peer.close();
  });

  it("do not keep a call that was given up when the server does not answer", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const controller = new AbortController();
    const { call } = await begin(peer, { signal: controller.signal });
    controller.abort(new Error("stop"));
    await peer.next("tasks/cancel");
    await peer.after(2_000);
    await assert.rejects(call, { message: "stop" });
    await peer.close();
  });

  it("are not ended by the time limit of a request, but by that of the whole call", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const { call } = await begin(peer, {}, { pollIntervalMs: 12 * 60_000 });
    await peer.after(12 * 60_000);
    (await peer.next("tasks/get")).result(complete("working", { pollIntervalMs: 15 * 60_000 }));
    (await peer.next("subscriptions/listen")).error(-32_601);
    const limitMs = 24 * 60 * 60_000;
    while (peer.clock.now() + 15 * 60_000 < limitMs) {
      await peer.after(15 * 60_000);
      (await peer.next("tasks/get")).result(complete("working", { pollIntervalMs: 15 * 60_000 }));
    }
    await peer.after(limitMs - peer.clock.now());
    (await peer.next("tasks/cancel")).result({ resultType: "complete" });
    await assert.rejects(call, { code: "timeout" });
    await peer.close();
  });

  // Duty: 17.2.2
  it("that failed reject with the error of the server", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const { call } = await begin(peer);
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(
      complete("failed", { error: { code: -32_603, message: "It broke", data: { at: 3 } } }),
    );
    await assert.rejects(call, {
      name: "RpcError",
      rpcCode: -32_603,
      method: "tools/call",
      message: "It broke",
    });
    await peer.close();
  });

  it("that the server cancelled say so, with its reason", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const { call } = await begin(peer);
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("cancelled", { statusMessage: "Out of quota" }));
    await assert.rejects(call, { code: "task-cancelled", message: /Out of quota/ });
    await peer.close();
  });

  // Duty: 17.3.3
  it("that the server no longer knows are given up", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const { call } = await begin(peer);
    await peer.after(1_000);
    (await peer.next("tasks/get")).error(-32_602);
    await assert.rejects(call, { code: "task-gone" });
    await peer.close();
  });

  // Duty: 17.3.2
  it("that stand still after their time to live are given up after one more look", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const { call } = await begin(peer, {}, { ttlMs: 1_500 });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("working", { ttlMs: 1_500 }));
    (await peer.next("subscriptions/listen")).error(-32_601);
    await peer.after(500);
    (await peer.next("tasks/get")).result(complete("working", { ttlMs: 1_500 }));
    await assert.rejects(call, { code: "task-expired" });
    await peer.close();
  });

  it("outlive questions that got no answer, each asked again later", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const { call } = await begin(peer);
    await peer.after(1_000);
    (await peer.next("tasks/get")).error(-32_603);
    await peer.after(2_000);
    (await peer.next("tasks/get")).result(complete("completed", { result: textResult("late") }));
    assert.equal(firstText((await call).result), "late");
    await peer.close();
  });

  it("end with five failures in a row", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const { call } = await begin(peer);
    for (const ms of [1_000, 2_000, 4_000, 8_000, 16_000]) {
      await peer.after(ms);
      (await peer.next("tasks/get")).error(-32_603);
    }
    await assert.rejects(call, { name: "RpcError", rpcCode: -32_603 });
    await peer.close();
  });

  it("are left alone when the connection ends", async () => {
    const peer = new TaskPeer("modern", ANNOUNCED);
    const { call } = await begin(peer);
    await peer.close();
    await assert.rejects(call);
    await peer.quiet();
  });
});

describe("questions inside a task of a modern server", () => {
  // Duty: 17.4.1, 17.4.2, 17.4.3, 10.1.7, 9.16
  it("are asked once and answered once, however often the task shows them", async () => {
    const peer = new TaskPeer("modern", {});
    const someone = person();
    const { call } = await begin(peer, { input: someone });
    const asking = { inputRequests: { a: form } };
    await peer.after(1_000);
    const shown = await peer.next("tasks/get");
    assert.deepEqual(declared(shown)["elicitation"], { form: {} });
    shown.result(complete("input_required", asking));
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("input_required", asking));
    await settle();
    assert.equal(someone.rounds.length, 1);
    assert.deepEqual(
      [someone.rounds[0]?.target, someone.rounds[0]?.serverId, someone.rounds[0]?.method],
      ["t", "s", "tools/call"],
    );
    someone.answer("Ada");
    const update = await peer.next("tasks/update");
    assert.deepEqual(
      [update.params["taskId"], update.params["inputResponses"]],
      ["t-1", { a: { action: "accept", content: { name: "Ada" } } }],
    );
    update.result({ resultType: "complete" });
    // The server may still show what it has an answer to, beside something new.
    await peer.after(1_000);
    const more = { inputRequests: { a: form, b: form } };
    (await peer.next("tasks/get")).result(complete("input_required", more));
    await settle();
    assert.deepEqual(
      someone.rounds.map(({ requests }) => requests.map(({ key }) => key)),
      [["a"], ["b"]],
    );
    someone.answer("Grace");
    const second = await peer.next("tasks/update");
    assert.deepEqual(Object.keys(second.params["inputResponses"] as JsonObject), ["b"]);
    second.result({ resultType: "complete" });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("completed", { result: textResult("both") }));
    const { result, rounds } = await call;
    assert.deepEqual([firstText(result), rounds], ["both", 2]);
    await peer.close();
  });

  // Duty: 9.16
  it("come after those of the call itself, whose keys they may have", async () => {
    const peer = new TaskPeer("modern", {});
    const someone = person();
    const call = peer.connection.callTool("t", {}, { callId: "c", input: someone });
    const asking = { inputRequests: { a: form } };
    (await peer.next("tools/call")).result({ resultType: "input_required", ...asking });
    await settle();
    someone.answer("Ada");
    const again = await peer.next("tools/call");
    assert.deepEqual(again.params["inputResponses"], { a: { action: "accept", content: { name: "Ada" } } });
    again.result({ resultType: "task", ...modernTask("working") });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("input_required", asking));
    await settle();
    someone.answer("Grace");
    const update = await peer.next("tasks/update");
    assert.deepEqual(update.params["inputResponses"], {
      a: { action: "accept", content: { name: "Grace" } },
    });
    update.result({ resultType: "complete" });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("completed", { result: textResult("both") }));
    assert.equal(firstText((await call).result), "both");
    await peer.close();
  });

  it("are taken back when the task ends without an answer", async () => {
    const peer = new TaskPeer("modern", {});
    const someone = person();
    const { call } = await begin(peer, { input: someone });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("input_required", { inputRequests: { a: form } }));
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("completed", { result: textResult("without") }));
    assert.equal(firstText((await call).result), "without");
    someone.answer("too late");
    await peer.quiet();
    await peer.close();
  });

  it("that were not offered end the call and the task, and nothing is shown", async () => {
    const peer = new TaskPeer("modern", {});
    const { call } = await begin(peer, { input: null });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("input_required", { inputRequests: { a: form } }));
    (await peer.next("tasks/cancel")).result({ resultType: "complete" });
    await assert.rejects(call, { code: "undeclared-input" });
    await peer.close();
  });
});
