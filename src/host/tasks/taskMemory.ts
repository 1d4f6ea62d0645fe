import type * as vscode from "vscode";
import * as z from "zod";
import { isJsonObject } from "../../base/json.ts";
import type { StoredTask, TaskStore } from "../../client/tasks/taskStore.ts";

const KEY = "signalbox.tasks";
/** Definitions of servers whose tasks are kept. Beyond that those that were not used for longest are forgotten. */
const MAX_SERVERS = 100;

const storedTask: z.ZodType<StoredTask> = z.object({
  taskId: z.string(),
  tool: z.string(),
  begunMs: z.number(),
  ttlMs: z.number().nullable(),
  answered: z.array(z.string()),
});

/** Keeps the tasks of servers in the editor's state for this workspace, so that they outlive the window. */
export function createTaskMemory(state: vscode.Memento): TaskStore {
  // A copy in memory, because writes to the state take effect at once here but later in the state.
  const kept = new Map<string, readonly StoredTask[]>();
  const stored: unknown = state.get(KEY);
  for (const [key, tasks] of Object.entries(isJsonObject(stored) ? stored : {})) {
    const read = z.array(storedTask).safeParse(tasks);
    if (read.success) kept.set(key, read.data);
  }
  return {
    get: (key) => kept.get(key) ?? [],
    set(key, tasks) {
      kept.delete(key);
      if (tasks.length > 0) kept.set(key, tasks);
      const oldest = kept.keys().next();
      if (kept.size > MAX_SERVERS && oldest.done !== true) kept.delete(oldest.value);
      // Not awaited: one that is lost is found on the server alone.
      void state.update(KEY, Object.fromEntries(kept));
    },
  };
}
