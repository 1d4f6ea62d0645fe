import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { ServerTasks } from "../../../../src/client/tasks/serverTasks.ts";
import type { StoredTask } from "../../../../src/client/tasks/taskStore.ts";
import { settle } from "../../../support/fakeTransport.ts";
import { modernTask, TaskPeer, textResult } from "../../../support/taskPeer.ts";

const stored = (id: number): StoredTask => ({
  taskId: `t-${String(id)}`,
  tool: "old",
  begunMs: id,
  ttlMs: null,
  answered: [],
});

/** The tasks of a server that the test plays, with what was written to the store. */
function open(before: readonly StoredTask[] = []) {
  const peer = new TaskPeer("modern", {});
  const written: (readonly StoredTask[])[] = [];
  let changes = 0;
  const tasks = new ServerTasks({
    connection: peer.connection,
    serverId: "s",
    store: { get: () => before, set: (_key, list) => void written.push(list) },
    key: "k",
    clock: peer.clock,
    log: peer.log,
    onDidChange: () => {
      changes += 1;
    },
  });
  const call = (args: JsonObject = {}): Promise<unknown> => {
    const made = tasks.call("dig", { callId: "c", input: null }, (how) =>
      peer.connection.callTool("dig", args, how),
    );
    made.catch(() => undefined);
    return made;
  };
  return { peer, tasks, written, call, changes: () => changes };
}

function complete(status: string, more: JsonObject = {}): JsonObject {
  return { resultType: "complete", ...modernTask(status, more) };
}

describe("the tasks of a connected server", () => {
  it("are kept with nothing of arguments, results and texts", async () => {
    const { peer, written, call } = open();
    const made = call({ password: "hunter2" });
    (await peer.next("tools/call")).result({
      resultType: "task",
      ...modernTask("working", { statusMessage: "for hunter2", ttlMs: 60_000 }),
    });
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("completed", { result: textResult("hunter2") }));
    await made;
    assert.deepEqual(written.at(-1), [{ taskId: "t-1", tool: "dig", begunMs: 0, ttlMs: null, answered: [] }]);
    assert.doesNotMatch(JSON.stringify(written), /hunter2/);
    await peer.close();
  });

  it("tell of a change, and of nothing else", async () => {
    const { peer, call, changes } = open();
    void call();
    (await peer.next("tools/call")).result({ resultType: "task", ...modernTask("working") });
    await settle();
    const before = changes();
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("working"));
    await settle();
    assert.equal(changes(), before);
    await peer.after(1_000);
    (await peer.next("tasks/get")).result(complete("working", { statusMessage: "half" }));
    await settle();
    assert.equal(changes(), before + 1);
    await peer.close();
  });

  it("of earlier connections are asked about one after the other", async () => {
    const { peer, tasks, written } = open([stored(1), stored(2), stored(3)]);
    assert.deepEqual(
      tasks.entries.map(({ status }) => status),
      ["unknown", "unknown", "unknown"],
    );
    const looked = tasks.look();
    (await peer.next("tasks/get")).result(complete("working", { taskId: "t-1" }));
    (await peer.next("tasks/get")).error(-32_602);
    (await peer.next("tasks/get")).error(-32_603);
    await looked;
    assert.deepEqual(
      tasks.entries.map(({ status }) => status),
      ["working", "gone", "unknown"],
    );
    assert.deepEqual(
      written.at(-1)?.map(({ taskId }) => taskId),
      ["t-1", "t-3"],
    );
    await peer.close();
  });

  it("are at most a hundred; the oldest that is over goes first", async () => {
    const { peer, tasks, call } = open(Array.from({ length: 100 }, (_, id) => stored(id + 2)));
    const looked = tasks.look();
    for (let id = 2; id <= 101; id += 1) {
      const status = id === 50 ? "cancelled" : "working";
      (await peer.next("tasks/get")).result(complete(status, { taskId: `t-${String(id)}` }));
    }
    await looked;
    void call();
    (await peer.next("tools/call")).result({ resultType: "task", ...modernTask("working") });
    await settle();
    const ids = tasks.entries.map(({ taskId }) => taskId);
    assert.equal(ids.length, 100);
    assert.ok(ids.includes("t-1") && ids.includes("t-2") && !ids.includes("t-50"));
    await peer.close();
  });

  it("can be forgotten while they are waited for, and are not there when nobody knows them", async () => {
    const { peer, tasks, call } = open();
    const made = call();
    (await peer.next("tools/call")).result({ resultType: "task", ...modernTask("working") });
    await settle();
    tasks.forget("t-1");
    assert.deepEqual(tasks.entries, []);
    await peer.after(1_000);
    (await peer.next("tasks/get")).error(-32_602);
    await assert.rejects(made, { code: "task-gone" });
    assert.deepEqual(tasks.entries, []);
    await assert.rejects(tasks.cancel("t-1"), { code: "no-such-task" });
    await assert.rejects(tasks.wait("t-1", { callId: "c", input: null }), { code: "no-such-task" });
    await peer.close();
  });
});
