import type { JsonObject } from "../../../base/json.ts";
import { EngineError } from "../../engineError.ts";
import type { Task } from "../../model/task.ts";
import type { EraTasks, TaskCall } from "../../tasks/eraTasks.ts";
import { parseTask, type TaskReading } from "../../tasks/parseTask.ts";
import type { EraCall, EraResult } from "../eraSession.ts";

/** The name of the extension in the capabilities of both sides. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

export interface ModernTasksOptions {
  readonly serverName: string;
  readonly send: (call: EraCall) => Promise<EraResult>;
  /** True when the server announces the extension. */
  readonly isAnnounced: boolean;
}

/**
 * Tasks as the extension has them: the server alone decides what becomes one, for clients that declare it.
 *
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export class ModernTasks implements EraTasks {
  isOn = false;
  readonly #options: ModernTasksOptions;

  constructor(options: ModernTasksOptions) {
    this.#options = options;
  }

  get canBeHeard(): boolean {
    return this.#options.isAnnounced;
  }

  /** True when a request declares the extension: a call that may become a task, and all about tasks that are there. */
  isDeclaredIn(method: string): boolean {
    return isAboutTask(method) || (this.isOn && method === "tools/call");
  }

  augment(): JsonObject {
    return {};
  }

  readHandle(result: JsonObject): Task {
    return parseTask(result, this.#reading("tools/call"));
  }

  readNotice(params: JsonObject): Task | undefined {
    try {
      return parseTask(params, this.#reading("notifications/tasks"));
    } catch (error) {
      if (error instanceof EngineError) return undefined;
      throw error;
    }
  }

  async get(taskId: string, call: TaskCall): Promise<Task> {
    const task = parseTask(await this.#send("tasks/get", { taskId }, call), this.#reading("tasks/get"));
    if (task.taskId === taskId) return task;
    const reason = "it is about another task";
    throw new EngineError("invalid-result", {
      server: this.#options.serverName,
      method: "tasks/get",
      reason,
    });
  }

  async update(taskId: string, inputResponses: JsonObject, call: TaskCall): Promise<void> {
    await this.#send("tasks/update", { taskId, inputResponses }, call);
  }

  async cancel(taskId: string, call: TaskCall): Promise<void> {
    await this.#send("tasks/cancel", { taskId }, call);
  }

  async #send(method: string, params: JsonObject, call: TaskCall): Promise<JsonObject> {
    return (await this.#options.send({ method, params, ...call })).result;
  }

  #reading(method: string): TaskReading {
    return { server: this.#options.serverName, method, ttlKey: "ttlMs", pollKey: "pollIntervalMs" };
  }
}

/** True for the methods that get, answer and cancel a task. */
export function isAboutTask(method: string): boolean {
  return method.startsWith("tasks/");
}
