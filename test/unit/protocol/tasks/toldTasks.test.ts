import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { RequestId } from "../../../../src/protocol/jsonrpc/message.ts";
import type { CalledTool } from "../../../../src/protocol/model/tool.ts";
import { settle } from "../../../support/fakeTransport.ts";
import { modernTask, TaskPeer, textResult } from "../../../support/taskPeer.ts";
import { firstText } from "../../../support/testPool.ts";

const KEY = "io.modelcontextprotocol/subscriptionId";
const ANNOUNCED = { extensions: { "io.modelcontextprotocol/tasks": {} } };

/** A call whose task is working, and whose server agreed to tell of it. */
async function told(honoured: readonly string[] = ["t-1"]): Promise<{
  readonly peer: TaskPeer;
  readonly call: Promise<CalledTool>;
  readonly listen: RequestId;
  readonly tell: (task: JsonObject) => void;
  readonly states: string[];
}> {
  const peer = new TaskPeer("modern", ANNOUNCED);
  const states: string[] = [];
  const call = peer.connection.callTool(
    "t",
    {},
    { callId: "c", input: null, onTask: ({ task: { statusMessage } }) => states.push(statusMessage ?? "") },
  );
  call.catch(() => undefined);
  (await peer.next("tools/call")).result({ resultType: "task", ...modernTask("working") });
  await peer.after(1_000);
  (await peer.next("tasks/get")).result({ resultType: "complete", ...modernTask("working") });
  const { message } = await peer.next("subscriptions/listen");
  peer.transport.notify("notifications/subscriptions/acknowledged", {
    notifications: { taskIds: [...honoured] },
    _meta: { [KEY]: message.id },
  });
  await settle();
  const tell = (task: JsonObject): void => {
    peer.transport.notify("notifications/tasks", { ...task, _meta: { [KEY]: message.id } });
  };
  // The first look after the server agreed: what it said before may have been missed.
  await peer.after(1_000);
  (await peer.next("tasks/get")).result({ resultType: "complete", ...modernTask("working") });
  await settle();
  states.length = 0;
  return { peer, call, listen: message.id, tell, states };
}

describe("a server that tells of its tasks", () => {
  // Duty: 17.6.1
  it("is not asked while it does, and what it tells is as good as an answer", async () => {
    const { peer, call, tell, states } = await told();
    await peer.after(20_000);
    tell(modernTask("working", { statusMessage: "half" }));
    await peer.after(20_000);
    tell(modernTask("completed", { statusMessage: "done", result: textResult("told") }));
    assert.equal(firstText((await call).result), "told");
    assert.deepEqual(states, ["half", "done"]);
    await settle();
    await peer.close();
  });

  it("is asked from time to time all the same", async () => {
    const { peer, call } = await told();
    await peer.after(59_000);
    await peer.after(1_000);
    (await peer.next("tasks/get")).result({
      resultType: "complete",
      ...modernTask("completed", { result: textResult("asked") }),
    });
    assert.equal(firstText((await call).result), "asked");
    await peer.close();
  });

  it("is asked again as before once the subscription has ended", async () => {
    const { peer, call, listen } = await told();
    const open = peer.transport.requests.find(({ message }) => message.id === listen);
    open?.result({ resultType: "complete" });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result({
      resultType: "complete",
      ...modernTask("completed", { result: textResult("asked") }),
    });
    assert.equal(firstText((await call).result), "asked");
    await peer.close();
  });

  it("is not believed about tasks that nobody waits for, nor when it makes no sense", async () => {
    const { peer, call, tell, states } = await told();
    tell(modernTask("completed", { taskId: "t-2", result: textResult("another") }));
    tell({ status: "completed" });
    tell(modernTask("completed", { taskId: 7 as never }));
    await settle();
    assert.deepEqual(states, []);
    tell(modernTask("paused"));
    // It is a reason to ask.
    await peer.after(250);
    (await peer.next("tasks/get")).result({
      resultType: "complete",
      ...modernTask("completed", { result: textResult("asked") }),
    });
    assert.equal(firstText((await call).result), "asked");
    await peer.close();
  });

  it("that does not agree is asked as before", async () => {
    const { peer, call } = await told([]);
    await peer.after(1_000);
    (await peer.next("tasks/get")).result({
      resultType: "complete",
      ...modernTask("completed", { result: textResult("asked") }),
    });
    assert.equal(firstText((await call).result), "asked");
    await peer.close();
  });
});
