import assert from "node:assert/strict";
import type { StoredTask, TaskStore } from "../../../src/client/tasks/taskStore.ts";
import type { TaskEntry } from "../../../src/client/tasks/serverTasks.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { startTaskServer, type TaskServer } from "../../support/taskServer.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

/** A store that outlives pools, as the state of a workspace outlives windows. */
function memory(): TaskStore & { readonly kept: Map<string, readonly StoredTask[]> } {
  const kept = new Map<string, readonly StoredTask[]>();
  return { kept, get: (key) => kept.get(key) ?? [], set: (key, tasks) => void kept.set(key, tasks) };
}

function tasksOf(test: TestPool): readonly TaskEntry[] {
  const state = test.state();
  return state.kind === "connected" ? state.tasks : [];
}

/** Waits until the first task has a state. */
async function until(test: TestPool, status: TaskEntry["status"]): Promise<TaskEntry> {
  for (;;) {
    const [task] = tasksOf(test);
    if (task?.status === status) return task;
    await test.changed();
  }
}

const accept = () => ({ action: "accept", content: { name: "Ada" } }) as const;

for (const era of ["modern", "legacy"] as const) {
  for (const transport of ["stdio", "http"] as const) {
    describe(`tasks of a ${era} server over ${transport}`, function () {
      this.timeout(10_000);
      let server: TaskServer;

      beforeEach(async () => {
        server = await startTaskServer(era, transport);
      });

      afterEach(async () => {
        await server.close();
      });

      const open = (more: object = {}, store?: TaskStore): TestPool =>
        new TestPool(
          { s: { ...server.entry, tasks: true, ...more } },
          accept,
          store === undefined ? {} : { tasks: store },
        );

      // Duty: 17.7.1
      it("give their result to the call, and are listed as done", async () => {
        await using test = open();
        await test.connect();
        const states: string[] = [];
        const { result, rounds } = await test.pool.callTool(
          "s",
          "dig",
          {},
          {
            origin: "panel",
            onTask: ({ task: { status, statusMessage = "" } }) => states.push(`${status}: ${statusMessage}`),
          },
        );
        assert.deepEqual([firstText(result), rounds], ["dig for nobody", 0]);
        assert.deepEqual(states, [
          "working: looked at 0 times",
          "working: looked at 1 times",
          "completed: looked at 2 times",
        ]);
        const [task] = tasksOf(test);
        assert.deepEqual([task?.tool, task?.status, task?.isAwaited], ["dig", "completed", false]);
      });

      // Duty: 17.4.1, 17.9.4
      it("get their questions answered by the person who made the call", async () => {
        await using test = open();
        await test.connect();
        const { result, rounds } = await test.pool.callTool("s", "ask", {}, { origin: "panel" });
        assert.deepEqual([firstText(result), rounds], ["ask for Ada", 1]);
        assert.deepEqual(
          test.rounds.map(({ target, serverId }) => [target, serverId]),
          [["ask", "s"]],
        );
      });

      it("fail with the error of the server", async () => {
        await using test = open();
        await test.connect();
        await assert.rejects(test.pool.callTool("s", "fail", {}, { origin: "panel" }), {
          name: "RpcError",
          message: "The shovel broke",
        });
        assert.equal(tasksOf(test)[0]?.status, "failed");
      });

      // Duty: 14.2.4, 17.5.1
      it("are cancelled with their call, and the list says so", async () => {
        await using test = open();
        await test.connect();
        const controller = new AbortController();
        const looked = deferred();
        const call = test.pool.callTool(
          "s",
          "stay",
          {},
          { origin: "panel", signal: controller.signal, onTask: () => looked.resolve(undefined) },
        );
        await looked.promise;
        controller.abort(new Error("stop"));
        await assert.rejects(call, { message: "stop" });
        await until(test, "cancelled");
      });

      it("end as they would when somebody took them off the list before", async () => {
        await using test = open();
        await test.connect();
        const controller = new AbortController();
        const looked = deferred();
        const onTask = (): void => {
          looked.resolve(undefined);
        };
        const how = { origin: "panel", signal: controller.signal, onTask } as const;
        const call = test.pool.callTool("s", "stay", {}, how);
        await looked.promise;
        test.pool.forgetTask("s", tasksOf(test)[0]?.taskId ?? "");
        controller.abort(new Error("stop"));
        await assert.rejects(call, { message: "stop" });
      });

      it("are not made where they are off and the tool can do without", async () => {
        await using test = open({ tasks: false });
        await test.connect();
        const { result } = await test.pool.callTool("s", "dig", {}, { origin: "panel" });
        assert.equal(firstText(result), "dig for nobody");
        assert.deepEqual(tasksOf(test), []);
      });

      // Duty: 17.3.1
      it("are found again on the next connection, where the server still has them", async () => {
        const store = memory();
        {
          await using first = open({}, store);
          await first.connect();
          const looked = deferred();
          const call = first.pool.callTool(
            "s",
            "ask",
            {},
            { origin: "panel", onTask: () => looked.resolve(undefined) },
          );
          call.catch(() => undefined);
          await looked.promise;
        }
        assert.deepEqual(
          [...store.kept.values()].map((tasks) => tasks.map(({ tool }) => tool)),
          [["ask"]],
        );
        await using second = open({}, store);
        await second.connect();
        if (transport === "stdio") {
          // The new process has never heard of it.
          await until(second, "gone");
          assert.deepEqual([...store.kept.values()], [[]]);
          return;
        }
        const { taskId, status } = await untilKnown(second);
        assert.equal(status, "working");
        const { result } = await second.pool.awaitTask("s", taskId, { origin: "panel" });
        assert.equal(firstText(result), "ask for Ada");
        second.pool.forgetTask("s", taskId);
        assert.deepEqual([tasksOf(second), [...store.kept.values()]], [[], [[]]]);
      });

      it("of another definition are not asked about", async () => {
        const store = memory();
        const definition = transport === "http" ? { headers: { "X-Who": "a" } } : { env: { WHO: "a" } };
        {
          await using first = open(definition, store);
          await first.connect();
          await first.pool.callTool("s", "dig", {}, { origin: "panel" });
        }
        const changed = transport === "http" ? { headers: { "X-Who": "b" } } : { env: { WHO: "b" } };
        await using second = open(changed, store);
        await second.connect();
        assert.deepEqual(tasksOf(second), []);
        await assert.rejects(second.pool.awaitTask("s", "task 1", { origin: "panel" }), {
          code: "no-such-task",
        });
      });
    });
  }
}

async function untilKnown(test: TestPool): Promise<TaskEntry> {
  for (;;) {
    const [task] = tasksOf(test);
    if (task !== undefined && task.status !== "unknown") return task;
    await test.changed();
  }
}

describe("a modern server that needs tasks where they are off", () => {
  it("is explained, with what to do about it", async () => {
    const server = await startTaskServer("modern", "http");
    {
      await using test = new TestPool({ s: { ...server.entry } }, accept);
      await test.connect();
      await assert.rejects(test.pool.callTool("s", "ask", {}, { origin: "panel" }), {
        code: "tasks-off",
        remedy: /“tasks” to true/,
      });
    }
    await server.close();
  });

  // Duty: 17.3.4, 17.1.4
  it("gets the id in the headers and the declaration in every request about a task", async () => {
    const server = await startTaskServer("modern", "http");
    {
      await using test = new TestPool({ s: { ...server.entry, tasks: true } }, accept);
      await test.connect();
      await test.pool.callTool("s", "ask", {}, { origin: "panel" });
    }
    const sent = (server.http?.requests ?? []).filter(({ headers }) =>
      String(headers["mcp-method"]).startsWith("tasks/"),
    );
    assert.deepEqual(
      new Set(sent.map(({ headers }) => `${String(headers["mcp-method"])} ${String(headers["mcp-name"])}`)),
      new Set(["tasks/get task 1", "tasks/update task 1"]),
    );
    await server.close();
  });
});
