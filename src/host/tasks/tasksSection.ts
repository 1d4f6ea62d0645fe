import type { TaskEntry } from "../../client/tasks/serverTasks.ts";
import type { Translate } from "../../shared/translate.ts";
import { oneLine } from "../serverText.ts";
import { nodeId, type TaskNode, type TooltipLine, type TreeItemModel } from "../views/nodes.ts";
import type { Section } from "../views/sections/section.ts";
import { isActive, taskLine, taskState } from "./taskWords.ts";

/** Calls that became tasks, where a server has any. */
export const tasksSection: Section = {
  id: "tasks",
  heading: ({ tasks }, t) =>
    tasks.length === 0
      ? undefined
      : { label: t("Tasks"), icon: "server-process", count: tasks.length, status: "ready" },
  children: (entry, { tasks }, { t }) => tasks.map((task) => taskNode(entry.id, task, t)),
};

function taskNode(serverId: string, task: TaskEntry, t: Translate): TaskNode {
  const label = oneLine(task.tool);
  const line = taskLine(task, t);
  const tooltip: TooltipLine[] = [
    { style: "title", text: label },
    { style: "text", text: taskState(task, t) },
    ...(task.statusMessage === undefined ? [] : [{ style: "quote", text: task.statusMessage } as const]),
    { style: "fact", name: t("Begun"), text: new Date(task.begunMs).toLocaleString() },
    { style: "fact", name: t("Task"), text: oneLine(task.taskId) },
    ...(task.ttlMs === null
      ? []
      : [
          {
            style: "fact",
            name: t("Kept until"),
            text: new Date(task.begunMs + task.ttlMs).toLocaleString(),
          } as const,
        ]),
  ];
  return {
    kind: "task",
    serverId,
    taskId: task.taskId,
    item: {
      id: nodeId(serverId, "task", task.taskId),
      label,
      description: line,
      icon: iconOf(task),
      contextValue: contextOf(task),
      tooltip,
      accessibleLabel: t("Task of the tool {tool} of server {server}, {state}", {
        tool: label,
        server: serverId,
        state: line,
      }),
      children: "none",
      click: "showTaskResult",
    },
  };
}

/** One that somebody waits for is not forgotten, and one that is over is not cancelled. */
function contextOf({ status, isAwaited }: TaskEntry): string {
  if (!isActive(status)) return "task.over";
  return isAwaited ? "task.awaited" : "task.active";
}

function iconOf({ status }: TaskEntry): TreeItemModel["icon"] {
  switch (status) {
    case "working":
      return { id: "sync" };
    case "input_required":
      return { id: "question" };
    case "completed":
      return { id: "pass", color: "testing.iconPassed" };
    case "failed":
      return { id: "error", color: "problemsErrorIcon.foreground" };
    case "cancelled":
      return { id: "circle-slash" };
    case "gone":
      return { id: "trash" };
    case "unknown":
      return { id: "circle-outline" };
  }
}
