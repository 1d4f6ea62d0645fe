import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { CallOptions } from "../../../../src/protocol/connection.ts";
import type { CalledTool, Progress } from "../../../../src/protocol/model/tool.ts";
import type { InputHandler, InputRound } from "../../../../src/protocol/mrtr/inputRequired.ts";
import { type FakeRequest, settle } from "../../../support/fakeTransport.ts";
import { legacyTask, TaskPeer, textResult } from "../../../support/taskPeer.ts";
import { firstText } from "../../../support/testPool.ts";

const RELATED = "io.modelcontextprotocol/related-task";
const TASKS = { tasks: { cancel: {}, requests: { tools: { call: {} } } } };
const tool = (taskSupport?: string): JsonObject => ({
  name: "t",
  inputSchema: { type: "object" },
  ...(taskSupport !== undefined && { execution: { taskSupport } }),
});

async function connect(capabilities: JsonObject = TASKS, support = "required"): Promise<TaskPeer> {
  const peer = new TaskPeer("legacy", capabilities);
  await peer.list(tool(support));
  return peer;
}

function call(peer: TaskPeer, options: Partial<CallOptions> = {}): Promise<CalledTool> {
  const made = peer.connection.callTool("t", { a: 1 }, { callId: "c", input: null, ...options });
  made.catch(() => undefined);
  return made;
}

/** Calls a tool and gets the handle of a task. */
async function begin(
  peer: TaskPeer,
  options: Partial<CallOptions> = {},
): Promise<{ readonly made: Promise<CalledTool>; readonly called: FakeRequest }> {
  const made = call(peer, options);
  const called = await peer.next("tools/call");
  called.result({ task: legacyTask("working") });
  return { made, called };
}

describe("tasks of a server of 2025-11-25", () => {
  // Duty: 17.9.2, 17.9.4
  it("are asked for, asked about, and their result is fetched", async () => {
    const peer = await connect();
    peer.connection.tasks.isOn = false;
    const states: string[] = [];
    const { made, called } = await begin(peer, { onTask: ({ task: { status } }) => states.push(status) });
    assert.deepEqual(called.params["task"], { ttl: 24 * 60 * 60_000 });
    assert.deepEqual(called.params["arguments"], { a: 1 });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(legacyTask("working", { pollInterval: 5_000 }));
    await peer.after(5_000);
    (await peer.next("tasks/get")).result(legacyTask("completed"));
    const result = await peer.next("tasks/result");
    assert.deepEqual(result.params, { taskId: "t-1" });
    result.result({ ...textResult("done"), _meta: { [RELATED]: { taskId: "t-1" } } });
    assert.equal(firstText((await made).result), "done");
    assert.deepEqual(states, ["working", "working", "completed"]);
    await peer.close();
  });

  // Duty: 17.9.6
  it("that failed give the failed result of the tool, or the error of the server", async () => {
    const peer = await connect();
    const first = await begin(peer);
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(legacyTask("failed"));
    (await peer.next("tasks/result")).result(textResult("no such city", true));
    const { result } = await first.made;
    assert.deepEqual([result.isError, firstText(result)], [true, "no such city"]);
    const second = await begin(peer);
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(legacyTask("failed"));
    (await peer.next("tasks/result")).error(-32_603);
    await assert.rejects(second.made, { name: "RpcError", rpcCode: -32_603 });
    await peer.close();
  });

  it("are taken as they come when the server answers at once", async () => {
    const peer = await connect();
    const made = call(peer);
    (await peer.next("tools/call")).result(textResult("at once"));
    assert.equal(firstText((await made).result), "at once");
    await peer.close();
  });

  // Duty: 17.9.2
  it("are made of an optional tool only where they are wanted", async () => {
    const peer = await connect(TASKS, "optional");
    peer.connection.tasks.isOn = false;
    const made = call(peer);
    const called = await peer.next("tools/call");
    assert.equal(called.params["task"], undefined);
    called.result(textResult("plain"));
    await made;
    peer.connection.tasks.isOn = true;
    await begin(peer);
    await peer.close();
  });

  // Duty: 17.9.3
  it("are not asked of a server without them: a tool that needs one is withheld with the reason", async () => {
    const peer = await connect({});
    const { tools, rejectedTools } = peer.connection.catalog;
    assert.deepEqual([tools.length, rejectedTools.map(({ name }) => name)], [0, ["t"]]);
    assert.match(rejectedTools[0]?.reason ?? "", /only as a task/);
    await assert.rejects(call(peer), { code: "unknown-tool" });
    await peer.quiet();
    await peer.close();
  });

  it("do not exist in 2025-06-18", async () => {
    const peer = new TaskPeer("2025-06-18", TASKS);
    await peer.list(tool("required"));
    const made = call(peer);
    const called = await peer.next("tools/call");
    assert.equal(called.params["task"], undefined);
    called.result(textResult("plain"));
    assert.equal(firstText((await made).result), "plain");
    await assert.rejects(peer.connection.tasks.get("t-1"), { code: "no-tasks" });
    await peer.close();
  });

  // Duty: 14.2.4, 17.9.4
  it("are cancelled by a request, never by a notification", async () => {
    const peer = await connect();
    const controller = new AbortController();
    const { made } = await begin(peer, { signal: controller.signal });
    await settle();
    controller.abort(new Error("stop"));
    const cancel = await peer.next("tasks/cancel");
    assert.deepEqual(cancel.params, { taskId: "t-1" });
    cancel.result(legacyTask("cancelled"));
    await assert.rejects(made, { message: "stop" });
    assert.deepEqual(peer.transport.sent, []);
    await peer.close();
  });

  // Duty: 14.2.4
  it("are cancelled too when the call is given up before there is a task", async () => {
    const peer = await connect();
    const controller = new AbortController();
    const made = call(peer, { signal: controller.signal });
    const called = await peer.next("tools/call");
    controller.abort(new Error("stop"));
    await assert.rejects(made, { message: "stop" });
    assert.deepEqual(peer.transport.sent, []);
    called.result({ task: legacyTask("working") });
    (await peer.next("tasks/cancel")).result(legacyTask("cancelled"));
    await settle();
    assert.deepEqual(peer.transport.sent, []);
    await peer.close();
  });

  it("go on where the server cannot cancel, and are not asked to", async () => {
    const peer = await connect({ tasks: { requests: { tools: { call: {} } } } });
    const controller = new AbortController();
    const { made } = await begin(peer, { signal: controller.signal });
    await settle();
    controller.abort(new Error("stop"));
    await assert.rejects(made, { message: "stop" });
    await peer.quiet();
    await assert.rejects(peer.connection.tasks.cancel("t-1"), { code: "task-goes-on" });
    await peer.close();
  });

  // Duty: 14.1.3
  it("report progress under the token of the call until they are over", async () => {
    const peer = await connect();
    const seen: Progress[] = [];
    const { made, called } = await begin(peer, { onProgress: (progress) => seen.push(progress) });
    const { progressToken } = called.params["_meta"] as { progressToken: number };
    await settle();
    peer.transport.notify("notifications/progress", { progressToken, progress: 1 });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(legacyTask("completed"));
    peer.transport.notify("notifications/progress", { progressToken, progress: 2 });
    (await peer.next("tasks/result")).result(textResult("done"));
    await made;
    peer.transport.notify("notifications/progress", { progressToken, progress: 3 });
    assert.deepEqual(
      seen.map(({ progress }) => progress),
      [1, 2],
    );
    await peer.close();
  });

  // Duty: 17.9.4
  it("are asked about at once after a hint, and without one as usual", async () => {
    const peer = await connect();
    const { made } = await begin(peer);
    await settle();
    peer.transport.notify("notifications/tasks/status", { ...legacyTask("completed") });
    await peer.after(250);
    (await peer.next("tasks/get")).result(legacyTask("completed"));
    (await peer.next("tasks/result")).result(textResult("done"));
    assert.equal(firstText((await made).result), "done");
    await peer.close();
  });
});

describe("questions inside a task of 2025-11-25", () => {
  const rounds: InputRound[] = [];
  const someone: InputHandler = {
    modes: { form: true, url: false },
    handle: (round) => {
      rounds.push(round);
      const answer = { action: "accept", content: { name: "Ada" } } as const;
      return Promise.resolve(new Map(round.requests.map(({ key }) => [key, answer])));
    },
  };
  const question = (meta: JsonObject): JsonObject => ({
    message: "Who?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    _meta: meta,
  });

  // Duty: 17.9.4, 17.9.5
  it("are fetched by waiting for the result, answered once, and the answer names the task", async () => {
    rounds.length = 0;
    const peer = await connect();
    const { made } = await begin(peer, { input: someone });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(legacyTask("input_required"));
    const result = await peer.next("tasks/result");
    peer.transport.ask(7, "elicitation/create", question({ [RELATED]: { taskId: "t-1" } }));
    await settle();
    assert.deepEqual(
      rounds.map(({ target, callId }) => [target, callId]),
      [["t", "c"]],
    );
    assert.deepEqual(peer.transport.sent, [
      {
        jsonrpc: "2.0",
        id: 7,
        result: {
          action: "accept",
          content: { name: "Ada" },
          _meta: { [RELATED]: { taskId: "t-1" } },
        },
      },
    ]);
    // It is asked about as before, and not waited for twice.
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(legacyTask("input_required"));
    await peer.quiet();
    result.result(textResult("for Ada"));
    assert.equal(firstText((await made).result), "for Ada");
    await peer.close();
  });

  it("belong to their own task when several are under way", async () => {
    rounds.length = 0;
    const peer = await connect();
    const one = await begin(peer, { input: someone, callId: "one" });
    const two = call(peer, { input: null, callId: "two" });
    (await peer.next("tools/call")).result({ task: legacyTask("working", { taskId: "t-2" }) });
    await settle();
    peer.transport.ask(8, "elicitation/create", question({ [RELATED]: { taskId: "t-1" } }));
    peer.transport.ask(9, "elicitation/create", question({ [RELATED]: { taskId: "t-2" } }));
    await settle();
    assert.deepEqual(
      rounds.map(({ callId }) => callId),
      ["one"],
    );
    const refused = peer.transport.sent.find((message) => "id" in message && message.id === 9);
    assert.ok(refused !== undefined && "error" in refused);
    await peer.close();
    await Promise.allSettled([one.made, two]);
  });
});
