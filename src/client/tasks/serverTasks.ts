import type { Clock } from "../../base/clock.ts";
import { errorText } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import type { CallOptions, Connection } from "../../protocol/connection.ts";
import { EngineError } from "../../protocol/engineError.ts";
import { isFinal, type TaskStatus } from "../../protocol/model/task.ts";
import type { CalledTool } from "../../protocol/model/tool.ts";
import { shorten } from "../../protocol/shorten.ts";
import type { TaskReport } from "../../protocol/tasks/connectionTasks.ts";
import { ClientError } from "../clientError.ts";
import type { StoredTask, TaskStore } from "./taskStore.ts";

/** One task of a server as it was last known. */
export interface TaskEntry extends StoredTask {
  /** `unknown` until the server was asked, `gone` when it no longer has it. */
  readonly status: TaskStatus | "unknown" | "gone";
  /** The server's words: untrusted. */
  readonly statusMessage: string | undefined;
  /** True while a call waits for it. */
  readonly isAwaited: boolean;
  /** True after the server was asked to cancel it. It may finish all the same. */
  readonly isCancelling: boolean;
}

export interface ServerTasksOptions {
  readonly connection: Connection;
  readonly serverId: string;
  /** Undefined forgets tasks with the connection. */
  readonly store: TaskStore | undefined;
  readonly key: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDidChange: () => void;
}

/** Beyond that the oldest is forgotten, a finished one first. */
const MAX_TASKS = 100;
/** Keys of answered questions that are remembered of one task. */
const MAX_ANSWERED = 200;

/** The tasks of one connected server: those of its calls, and those of earlier connections. */
export class ServerTasks {
  readonly #options: ServerTasksOptions;
  readonly #entries = new Map<string, TaskEntry>();
  #saved = "";

  constructor(options: ServerTasksOptions) {
    this.#options = options;
    for (const stored of options.store?.get(options.key) ?? []) {
      this.#entries.set(stored.taskId, {
        ...stored,
        status: "unknown",
        statusMessage: undefined,
        isAwaited: false,
        isCancelling: false,
      });
    }
    this.#saved = stringifyJson(this.#stored());
  }

  /** In the order in which they began. */
  get entries(): readonly TaskEntry[] {
    return [...this.#entries.values()];
  }

  /** Makes a call of a tool and keeps what becomes of it when it turns into a task. */
  async call(
    tool: string,
    options: CallOptions,
    run: (options: CallOptions) => Promise<CalledTool>,
  ): Promise<CalledTool> {
    let taskId: string | undefined;
    const onTask = (report: TaskReport): void => {
      taskId = report.taskId;
      this.#note(tool, report, true);
      options.onTask?.(report);
    };
    try {
      return await run({ ...options, onTask });
    } catch (error) {
      if (taskId !== undefined) this.#givenUp(taskId, error, options.signal?.aborted === true);
      throw error;
    } finally {
      if (taskId !== undefined) this.#change(taskId, { isAwaited: false });
    }
  }

  /**
   * Waits for a task and answers what it asks; giving up leaves it at work.
   * @throws ClientError `no-such-task`; as `Connection.resumeTask` does
   */
  async wait(taskId: string, options: CallOptions): Promise<CalledTool> {
    const entry = this.#entry(taskId);
    const onTask = (report: TaskReport): void => {
      this.#note(entry.tool, report, true);
      options.onTask?.(report);
    };
    try {
      return await this.#options.connection.resumeTask(entry, entry.tool, { ...options, onTask });
    } catch (error) {
      this.#failed(taskId, error);
      throw error;
    } finally {
      this.#change(taskId, { isAwaited: false });
    }
  }

  /**
   * Asks the server to cancel a task.
   * @throws ClientError `no-such-task`; EngineError `task-goes-on`, `task-gone`, `no-tasks`
   */
  async cancel(taskId: string, signal?: AbortSignal): Promise<void> {
    this.#entry(taskId);
    try {
      await this.#options.connection.tasks.cancel(taskId, signal);
    } catch (error) {
      this.#failed(taskId, error);
      throw error;
    }
    this.#change(taskId, { isCancelling: true });
    void this.#look(taskId);
  }

  /** Takes a task off the list. The server is told nothing. */
  forget(taskId: string): void {
    if (!this.#entries.delete(taskId)) return;
    this.#save();
    this.#options.onDidChange();
  }

  /** Asks how the tasks are that nobody waits for, one after the other. Never rejects. */
  async look(): Promise<void> {
    for (const { taskId, status, isAwaited } of this.entries) {
      if (!isAwaited && status !== "gone" && !isOver(status)) await this.#look(taskId);
    }
  }

  async #look(taskId: string): Promise<void> {
    const entry = this.#entries.get(taskId);
    if (entry === undefined) return;
    try {
      const task = await this.#options.connection.tasks.get(taskId);
      // Whoever waits for it knows more.
      if (this.#entries.get(taskId)?.isAwaited === false) this.#note(entry.tool, { ...entry, task }, false);
    } catch (error) {
      this.#failed(taskId, error);
      this.#options.log.write(
        "debug",
        `It is not known how the task ${shorten(taskId)} is: ${errorText(error)}`,
      );
    }
  }

  #entry(taskId: string): TaskEntry {
    const entry = this.#entries.get(taskId);
    if (entry === undefined)
      throw new ClientError("no-such-task", { server: this.#options.serverId, task: shorten(taskId) });
    return entry;
  }

  #note(tool: string, { taskId, begunMs, answered, task }: TaskReport, isAwaited: boolean): void {
    const before = this.#entries.get(taskId);
    const now: TaskEntry = {
      taskId,
      tool,
      begunMs,
      ttlMs: task.ttlMs,
      answered: answered.slice(-MAX_ANSWERED),
      status: task.status,
      statusMessage: task.statusMessage,
      isAwaited,
      isCancelling: before?.isCancelling === true && !isFinal(task.status),
    };
    // A task is asked about often and changes seldom.
    if (before !== undefined && stringifyJson(before) === stringifyJson(now)) return;
    this.#entries.set(taskId, now);
    this.#trim();
    this.#save();
    this.#options.onDidChange();
  }

  /** A call that is given up has its task cancelled; what became of that is seen by looking. */
  #givenUp(taskId: string, error: unknown, isCancelling: boolean): void {
    this.#failed(taskId, error);
    const status = this.#entries.get(taskId)?.status ?? "gone";
    if (this.#options.connection.closed.aborted || status === "gone" || isOver(status)) return;
    this.#change(taskId, { isCancelling, isAwaited: false });
    void this.#look(taskId);
  }

  /** What an error says of the task itself. */
  #failed(taskId: string, error: unknown): void {
    const code = error instanceof EngineError ? error.code : undefined;
    if (code === "task-gone" || code === "task-expired") this.#change(taskId, { status: "gone" });
  }

  #change(taskId: string, change: Partial<TaskEntry>): void {
    const entry = this.#entries.get(taskId);
    if (entry === undefined) return;
    this.#entries.set(taskId, { ...entry, ...change });
    this.#save();
    this.#options.onDidChange();
  }

  #trim(): void {
    while (this.#entries.size > MAX_TASKS) {
      const { entries } = this;
      const oldest = entries.find(({ status }) => status === "gone" || isOver(status)) ?? entries[0];
      if (oldest === undefined) return;
      this.#entries.delete(oldest.taskId);
    }
  }

  /** One that was cancelled or that is gone has nothing to come back for. */
  #stored(): readonly StoredTask[] {
    return this.entries
      .filter(({ status }) => status !== "gone" && status !== "cancelled")
      .map(({ taskId, tool, begunMs, ttlMs, answered }) => ({ taskId, tool, begunMs, ttlMs, answered }));
  }

  #save(): void {
    const stored = this.#stored();
    const text = stringifyJson(stored);
    if (text === this.#saved) return;
    this.#saved = text;
    this.#options.store?.set(this.#options.key, stored);
  }
}

function isOver(status: TaskEntry["status"]): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
