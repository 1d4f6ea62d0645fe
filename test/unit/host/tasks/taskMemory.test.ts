import assert from "node:assert/strict";
import type { StoredTask } from "../../../../src/client/tasks/taskStore.ts";
import { createTaskMemory } from "../../../../src/host/tasks/taskMemory.ts";

/** The editor's state of a workspace, which outlives the window. */
function memento(): Parameters<typeof createTaskMemory>[0] {
  const values = new Map<string, string>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, otherwise?: T) => {
      const text = values.get(key);
      return (text === undefined ? otherwise : JSON.parse(text)) as T;
    },
    update: (key, value) => {
      values.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}

const task: StoredTask = { taskId: "a", tool: "t", begunMs: 5, ttlMs: null, answered: ["k"] };

// Duty: 17.3.1
describe("the memory of tasks", () => {
  it("has them again after the window was reloaded", () => {
    const state = memento();
    createTaskMemory(state).set("server 1", [task]);
    const after = createTaskMemory(state);
    assert.deepEqual(after.get("server 1"), [task]);
    assert.deepEqual(after.get("server 2"), []);
    after.set("server 1", []);
    assert.deepEqual(createTaskMemory(state).get("server 1"), []);
  });

  it("makes nothing of what it did not write", () => {
    const state = memento();
    void state.update("signalbox.tasks", { a: [{ taskId: 7 }], b: "x", c: [task] });
    const memory = createTaskMemory(state);
    assert.deepEqual([memory.get("a"), memory.get("b"), memory.get("c")], [[], [], [task]]);
  });

  it("keeps the tasks of a hundred servers, those used last", () => {
    const state = memento();
    const memory = createTaskMemory(state);
    for (let server = 0; server <= 100; server += 1) memory.set(`s${String(server)}`, [task]);
    assert.deepEqual([memory.get("s0"), memory.get("s1")], [[], [task]]);
  });
});
