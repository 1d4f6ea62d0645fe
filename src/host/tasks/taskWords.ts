import type { TaskEntry } from "../../client/tasks/serverTasks.ts";
import type { Translate } from "../../shared/translate.ts";
import { oneLine } from "../serverText.ts";

/** How a task is, in words: what its icon means is always said as well. */
export function taskState({ status, isCancelling }: TaskEntry, t: Translate): string {
  if (isCancelling && isActive(status)) return t("cancelling");
  switch (status) {
    case "working":
      return t("running");
    case "input_required":
      return t("waiting for input");
    case "completed":
      return t("done");
    case "failed":
      return t("failed");
    case "cancelled":
      return t("cancelled");
    case "gone":
      return t("no longer kept by the server");
    case "unknown":
      return t("not asked yet");
  }
}

/** The state with what the server says about it, on one line. */
export function taskLine(task: TaskEntry, t: Translate): string {
  const state = taskState(task, t);
  return task.statusMessage === undefined ? state : `${state} · ${oneLine(task.statusMessage, 120)}`;
}

/** True when something may still come of a task. */
export function isActive(status: TaskEntry["status"]): boolean {
  return status === "working" || status === "input_required" || status === "unknown";
}
