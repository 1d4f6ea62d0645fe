import * as vscode from "vscode";
import { ClientError } from "../../client/clientError.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { TaskEntry } from "../../client/tasks/serverTasks.ts";
import { chooseListed, textOf } from "../commands/chooseListed.ts";
import { serverIdOf } from "../commands/chooseServer.ts";
import type { Handlers } from "../commands/table.ts";
import { withLateProgress } from "../lateProgress.ts";
import { tasksOf } from "../listsOf.ts";
import { openTaskRun } from "../panels/toolRunPanel.ts";
import type { Choice } from "../quickInput/ask.ts";
import { pickLabel } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { translate } from "../wording.ts";
import { isActive, taskLine } from "./taskWords.ts";

interface NamedTask {
  readonly serverId: string;
  readonly taskId: string;
}

type TaskCommand = "signalbox.showTaskResult" | "signalbox.cancelTask" | "signalbox.forgetTask";

/** Show Task Result, Cancel Task and Forget Task. */
export function taskCommands(services: HostServices): Handlers<TaskCommand> {
  const { pool } = services;
  return {
    async "signalbox.showTaskResult"(task, taskId) {
      const title = vscode.l10n.t("Show Task Result");
      const chosen = await chooseTask(services, title, task, taskId, () => true);
      if (chosen === undefined) return undefined;
      const { tool } = knownTask(services, chosen);
      openTaskRun(services, chosen.serverId, tool, chosen.taskId);
      return chosen.taskId;
    },

    async "signalbox.cancelTask"(task, taskId) {
      const title = vscode.l10n.t("Cancel Task");
      const chosen = await chooseTask(services, title, task, taskId, ({ status }) => isActive(status));
      if (chosen === undefined) return undefined;
      const { tool } = knownTask(services, chosen);
      const { serverId: server } = chosen;
      const progress = vscode.l10n.t("Asking {server} to cancel the task of {tool}…", { server, tool });
      await withLateProgress(progress, (signal) => pool.cancelTask(server, chosen.taskId, signal));
      return chosen.taskId;
    },

    async "signalbox.forgetTask"(task, taskId) {
      const title = vscode.l10n.t("Forget Task");
      const chosen = await chooseTask(services, title, task, taskId, ({ isAwaited }) => !isAwaited);
      if (chosen === undefined) return undefined;
      pool.forgetTask(chosen.serverId, chosen.taskId);
      return chosen.taskId;
    },
  };
}

function knownTask({ pool }: HostServices, { serverId, taskId }: NamedTask): TaskEntry {
  const task = tasksOf(pool.get(serverId)).find((one) => one.taskId === taskId);
  if (task === undefined) throw new ClientError("no-such-task", { server: serverId, task: taskId });
  return task;
}

async function chooseTask(
  services: HostServices,
  title: string,
  argument: unknown,
  taskId: unknown,
  fits: (task: TaskEntry) => boolean,
): Promise<NamedTask | undefined> {
  const serverId = serverIdOf(argument);
  const named = textOf(argument, "taskId", taskId);
  if (serverId !== undefined && named !== undefined) return { serverId, taskId: named };
  return chooseListed(services, serverId, {
    title,
    placeholder: vscode.l10n.t("Choose a task"),
    nothing: vscode.l10n.t("The connected servers have no such tasks."),
    items: (entry) =>
      tasksOf(entry)
        .filter(fits)
        .map((task) => taskItem(entry, task)),
  });
}

function taskItem(entry: ServerEntry, task: TaskEntry): Choice<NamedTask> {
  return {
    label: pickLabel(task.tool),
    description: pickLabel(`${taskLine(task, translate)} · ${entry.id}`),
    detail: new Date(task.begunMs).toLocaleString(),
    value: { serverId: entry.id, taskId: task.taskId },
  };
}
