import { abortable } from "../../base/abortable.ts";
import { CallScope } from "../../base/callScope.ts";
import type { Clock } from "../../base/clock.ts";
import { errorText } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import type { EraSession } from "../eras/eraSession.ts";
import { EngineError } from "../engineError.ts";
import type { Limits, Timeouts } from "../limits.ts";
import type { ServerNotice } from "../model/notice.ts";
import type { Task } from "../model/task.ts";
import type { Tool } from "../model/tool.ts";
import type { InputAsker } from "../mrtr/inputAsker.ts";
import type { EraTasks, TaskCall } from "./eraTasks.ts";
import { shorten } from "../shorten.ts";
import { explainTaskError } from "./taskFailure.ts";
import { TaskFollower } from "./taskFollower.ts";
import { TaskLeft } from "./taskLeft.ts";
import { TaskMailbox } from "./taskMailbox.ts";

/** How long a call that was given up waits until the server has heard that its task is to be cancelled. */
const CANCEL_MS = 2_000;

export interface ConnectionTasksOptions {
  readonly session: EraSession;
  readonly serverName: string;
  readonly limits: Limits;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is remembered of a task from before this connection, or from an earlier wait. */
export interface RememberedTask {
  readonly taskId: string;
  /** When it began, on our own clock. */
  readonly begunMs: number;
  /** Keys of questions that were answered. */
  readonly answered: readonly string[];
}

/** What is told to whoever wants to know how a task is. */
export interface TaskReport extends RememberedTask {
  readonly task: Task;
}

/** How one task is waited for. */
export interface FollowHow {
  /** Ends with whoever waits and with the connection. */
  readonly scope: CallScope;
  readonly asker: InputAsker | undefined;
  readonly onTask?: ((report: TaskReport) => void) | undefined;
}

/** A task that is being waited for. */
interface Followed {
  readonly mailbox: TaskMailbox;
  readonly result: Promise<JsonObject>;
  readonly listeners: Set<(report: TaskReport) => void>;
  last: TaskReport | undefined;
}

/** The tasks of one connection, the same for both eras. */
export class ConnectionTasks {
  readonly #options: ConnectionTasksOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #heard = new Set<string>();

  constructor(options: ConnectionTasksOptions) {
    this.#options = options;
  }

  /** Whether calls may become tasks where that is the client's choice. */
  set isOn(isOn: boolean) {
    const { tasks } = this.#options.session;
    if (tasks !== undefined) tasks.isOn = isOn;
  }

  /** What the parameters of a call get so that it becomes a task. */
  augment(tool: Tool | undefined): JsonObject {
    const { session, timeouts } = this.#options;
    return session.tasks?.augment(tool, timeouts.maximumMs) ?? {};
  }

  /** Waits for the task whose handle came in place of a result. Whoever gives the call up cancels the task. */
  async follow(handle: JsonObject, how: FollowHow): Promise<JsonObject> {
    const tasks = this.#tasks("");
    const task = tasks.readHandle(handle);
    const { taskId } = task;
    const followed = this.#followed.get(taskId);
    if (followed !== undefined) return this.#join(followed, how);
    const remembered = { taskId, begunMs: this.#options.clock.now(), answered: [] };
    return this.#wait(task, remembered, how, async (isStuck) => {
      if (this.#isGivenUp(how.scope, isStuck)) await this.#tryToCancel(tasks, taskId);
    });
  }

  /** Waits for a task that is there already. Whoever no longer waits leaves it alone. */
  async resume(remembered: RememberedTask, how: FollowHow): Promise<JsonObject> {
    const { taskId } = remembered;
    const followed = this.#followed.get(taskId);
    if (followed !== undefined) return this.#join(followed, how);
    const task = await this.get(taskId, how.scope.signal, how.asker);
    return this.#wait(task, remembered, how, () => Promise.resolve());
  }

  /**
   * Asks once how a task is.
   * @throws EngineError `no-tasks`, `task-gone`
   */
  async get(taskId: string, signal?: AbortSignal, asker?: InputAsker): Promise<Task> {
    const tasks = this.#tasks(taskId);
    return this.#limited("tasks/get", taskId, signal, (call) => tasks.get(taskId, { ...call, asker }));
  }

  /**
   * Asks the server to cancel a task; it may finish all the same.
   * @throws EngineError `no-tasks`, `task-gone`, `task-goes-on`
   */
  async cancel(taskId: string, signal?: AbortSignal): Promise<void> {
    const tasks = this.#tasks(taskId);
    await this.#limited("tasks/cancel", taskId, signal, (call) => tasks.cancel(taskId, call));
  }

  /** Takes what the server says of tasks on its own; one that nobody waits for is left alone. */
  heed(notice: ServerNotice): void {
    if (notice.kind !== "task") return;
    const { taskId } = notice.task;
    const followed = typeof taskId === "string" ? this.#followed.get(taskId) : undefined;
    const task = followed && this.#options.session.tasks?.readNotice(notice.task);
    followed?.mailbox.put(task === undefined ? { kind: "poked" } : { kind: "told", task });
  }

  #tasks(task: string): EraTasks {
    const { session, serverName: server } = this.#options;
    if (session.tasks === undefined) throw new EngineError("no-tasks", { server, task });
    return session.tasks;
  }

  async #wait(
    task: Task,
    remembered: RememberedTask,
    how: FollowHow,
    onFailure: (isStuck: boolean) => Promise<void>,
  ): Promise<JsonObject> {
    const { taskId, begunMs } = remembered;
    const mailbox = new TaskMailbox();
    const answered = new Set(remembered.answered);
    const { session, timeouts: _, ...common } = this.#options;
    const follower = new TaskFollower(task, begunMs, {
      ...common,
      ...how,
      tasks: this.#tasks(taskId),
      taskId,
      method: "tools/call",
      mailbox,
      answered,
      makeScope: (method, signal) => this.#requestScope(method, signal),
      toldIn: () => {
        const { honoured } = session.subscriptions;
        return honoured.tasks.includes(taskId) ? honoured : undefined;
      },
      listen: () => {
        this.#listen(taskId);
      },
      onTask: (latest) => {
        followed.last = { taskId, begunMs, answered: [...answered], task: latest };
        for (const listener of followed.listeners) listener(followed.last);
      },
    });
    const started = Promise.resolve().then(() => follower.run());
    const followed: Followed = { mailbox, result: started, listeners: new Set(), last: undefined };
    if (how.onTask !== undefined) followed.listeners.add(how.onTask);
    this.#followed.set(taskId, followed);
    try {
      return await started;
    } catch (error) {
      await onFailure(follower.isStuck);
      throw error;
    } finally {
      this.#followed.delete(taskId);
      if (this.#heard.delete(taskId)) session.watchTasks([...this.#heard]);
    }
  }

  /** A task is followed once, however many wait for it: its questions are asked once too. */
  async #join(followed: Followed, { scope, onTask }: FollowHow): Promise<JsonObject> {
    if (onTask !== undefined) {
      followed.listeners.add(onTask);
      if (followed.last !== undefined) onTask(followed.last);
    }
    const pause = scope.pause();
    try {
      return await abortable(followed.result, scope.signal);
    } finally {
      pause.dispose();
      if (onTask !== undefined) followed.listeners.delete(onTask);
    }
  }

  #listen(taskId: string): void {
    const { session } = this.#options;
    if (session.tasks?.canBeHeard !== true) return;
    this.#heard.add(taskId);
    session.watchTasks([...this.#heard]);
  }

  /** True when nobody will wait for the task any more although it may be at work, and the server can still hear it. */
  #isGivenUp({ signal }: CallScope, isStuck: boolean): boolean {
    if (this.#options.session.closed.aborted || signal.reason instanceof TaskLeft) return false;
    return signal.aborted || isStuck;
  }

  async #tryToCancel(tasks: EraTasks, taskId: string): Promise<void> {
    const limit = this.#requestScope("tasks/cancel", undefined, CANCEL_MS);
    try {
      await tasks.cancel(taskId, { signal: limit.signal });
    } catch (error) {
      this.#options.log.write(
        "info",
        `The task ${shorten(taskId)} could not be cancelled: ${errorText(error)}`,
      );
    } finally {
      limit.dispose();
    }
  }

  async #limited<T>(
    method: string,
    taskId: string,
    signal: AbortSignal | undefined,
    send: (call: TaskCall) => Promise<T>,
  ): Promise<T> {
    const limit = this.#requestScope(method, signal);
    try {
      return await send({ signal: limit.signal });
    } catch (error) {
      throw explainTaskError(error, this.#options.serverName, taskId);
    } finally {
      limit.dispose();
    }
  }

  #requestScope(method: string, signal: AbortSignal | undefined, limitMs?: number): CallScope {
    const { clock, timeouts, serverName: server, session } = this.#options;
    return new CallScope({
      clock,
      signals: [signal],
      lasting: session.closed,
      maximumMs: limitMs ?? timeouts.requestMs,
      timeoutError: (ms) => new EngineError("timeout", { server, method, seconds: ms / 1000 }),
    });
  }
}
