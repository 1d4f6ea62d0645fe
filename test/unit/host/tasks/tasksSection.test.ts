import assert from "node:assert/strict";
import { fillTemplate } from "../../../../src/base/errors.ts";
import type { TaskEntry } from "../../../../src/client/tasks/serverTasks.ts";
import { tasksSection } from "../../../../src/host/tasks/tasksSection.ts";
import type { TaskNode, TreeContext } from "../../../../src/host/views/nodes.ts";
import { connected, fakeEntry } from "../fakePool.ts";

const t = (text: string, args = {}): string => fillTemplate(text, args);
const context: TreeContext = {
  t,
  describe: ({ message }) => ({ message }),
  maySample: () => false,
  isWatched: () => false,
  isChanged: () => false,
};

function draw(...tasks: readonly Partial<TaskEntry>[]): readonly TaskNode[] {
  const state = {
    ...connected([]),
    tasks: tasks.map((task) => ({
      taskId: "t-1",
      tool: "dig",
      begunMs: 0,
      ttlMs: null,
      answered: [],
      status: "working" as const,
      statusMessage: undefined,
      isAwaited: false,
      isCancelling: false,
      ...task,
    })),
  };
  return tasksSection.children(fakeEntry("db", state), state, context) as readonly TaskNode[];
}

describe("the tasks of a server in the tree", () => {
  it("have a heading with their number, and none where there are none", () => {
    const state = connected([]);
    assert.equal(tasksSection.heading(state, t), undefined);
    const [task] = draw({});
    assert.ok(task !== undefined);
    const heading = tasksSection.heading(
      {
        ...state,
        tasks: [
          {
            taskId: "a",
            tool: "t",
            begunMs: 0,
            ttlMs: null,
            answered: [],
            status: "working",
            statusMessage: undefined,
            isAwaited: false,
            isCancelling: false,
          },
        ],
      },
      t,
    );
    assert.deepEqual([heading?.label, heading?.count], ["Tasks", 1]);
  });

  const cases: readonly (readonly [Partial<TaskEntry>, string, string, string])[] = [
    [{ status: "working", statusMessage: "half" }, "running · half", "sync", "task.active"],
    [{ status: "working", isAwaited: true }, "running", "sync", "task.awaited"],
    [{ status: "input_required" }, "waiting for input", "question", "task.active"],
    [{ status: "working", isCancelling: true }, "cancelling", "sync", "task.active"],
    [{ status: "completed" }, "done", "pass", "task.over"],
    [{ status: "failed", statusMessage: "no\nroom" }, "failed · no room", "error", "task.over"],
    [{ status: "cancelled" }, "cancelled", "circle-slash", "task.over"],
    [{ status: "gone" }, "no longer kept by the server", "trash", "task.over"],
    [{ status: "unknown" }, "not asked yet", "circle-outline", "task.active"],
  ];
  for (const [task, description, icon, contextValue] of cases) {
    it(`say that one is ${description}, in words and not in colour alone`, () => {
      const [node] = draw(task);
      assert.deepEqual(
        [node?.item.description, node?.item.icon.id, node?.item.contextValue],
        [description, icon, contextValue],
      );
      assert.equal(node?.item.accessibleLabel, `Task of the tool dig of server db, ${description}`);
      assert.equal(node?.item.click, "showTaskResult");
    });
  }
});
