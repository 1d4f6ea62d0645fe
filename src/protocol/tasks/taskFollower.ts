import type { CallScope } from "../../base/callScope.ts";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import { EngineError } from "../engineError.ts";
import type { Limits } from "../limits.ts";
import { isFinal, type Task } from "../model/task.ts";
import type { InputAsker } from "../mrtr/inputAsker.ts";
import { RpcError } from "../rpcError.ts";
import { shorten } from "../shorten.ts";
import type { EraTasks, TaskCall } from "./eraTasks.ts";
import { nextPoll } from "./nextPoll.ts";
import { TaskQuestions } from "./taskQuestions.ts";
import { explainTaskError, isPassing } from "./taskFailure.ts";
import type { TaskMailbox } from "./taskMailbox.ts";

/** Failures in a row after which a task is no longer asked about. */
const MAX_FAILURES = 5;
/** A change of the subscription that is in force is a gap, in which something may have been missed. */
type Honoured = object | undefined;

export interface FollowerOptions {
  readonly tasks: EraTasks;
  readonly taskId: string;
  /** The method that the task came of: what went wrong in the task is said of it. */
  readonly method: string;
  readonly serverName: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** Ends with whoever waits, with the connection, and at the limit for the whole call. */
  readonly scope: CallScope;
  readonly asker: InputAsker | undefined;
  readonly mailbox: TaskMailbox;
  /** Keys of questions that were answered before. It is added to. */
  readonly answered: Set<string>;
  /** Makes the time limit of one request. */
  readonly makeScope: (method: string, signal: AbortSignal) => CallScope;
  /** What names the subscription in which the server tells of the task; undefined while it does not. */
  readonly toldIn: () => Honoured;
  /** Asks the server to tell of the task. */
  readonly listen: () => void;
  /** Hears of the task each time something is known of it. */
  readonly onTask: (task: Task) => void;
}

/** Waits for one task: asks how it is, deals with its questions, and gives its result. A thin driver of `nextPoll`. */
export class TaskFollower {
  readonly #options: FollowerOptions;
  readonly #ended = new AbortController();
  readonly #questions: TaskQuestions;
  /** Set while a request waits for the result, through which questions come. */
  #isCollecting = false;
  #task: Task;
  readonly #begunMs: number;
  #heardMs: number;
  #heardIn: Honoured;
  #polls = 0;
  #failures = 0;
  #isPoked = false;
  #hasChanged = true;
  #isStuck = false;

  /** @param begunMs when the task began, on our own clock */
  constructor(first: Task, begunMs: number, options: FollowerOptions) {
    this.#task = first;
    this.#options = options;
    this.#begunMs = begunMs;
    this.#heardMs = options.clock.now();
    const { scope, asker, tasks, taskId, serverName, method, limits, answered } = options;
    this.#questions = new TaskQuestions({
      serverName,
      method,
      limits,
      asker,
      answered,
      send: (answers) => this.#limited("tasks/update", (call) => tasks.update?.(taskId, answers, call)),
      onFailure: (error, isStuck) => {
        options.mailbox.put({ kind: "failed", error, isStuck });
      },
      signal: AbortSignal.any([scope.signal, this.#ended.signal]),
    });
  }

  /** True once the task waits for an answer that nobody can give. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** Gives the result of the request that the task came of. Rejects as that request would have done. */
  async run(): Promise<JsonObject> {
    const { tasks, taskId, asker, scope, onTask } = this.#options;
    const attendance: Disposable | undefined = tasks.attend?.(taskId, asker);
    // The time limit of a request is none of a task: each question about it has one of its own.
    const pause = scope.pause();
    try {
      for (;;) {
        onTask(this.#task);
        if (isFinal(this.#task.status)) return await this.#finish();
        this.#heed();
        const result = await this.#next();
        if (result !== undefined) return result;
      }
    } finally {
      this.#ended.abort(new EngineError("cancelled", this.#args()));
      pause.dispose();
      attendance?.dispose();
    }
  }

  /** Deals with what the task wants to know. */
  #heed(): void {
    const { tasks } = this.#options;
    const isAsking = this.#task.status === "input_required";
    this.#questions.heed(isAsking ? this.#task.inputRequests : undefined);
    if (isAsking && tasks.result !== undefined && !this.#isCollecting)
      void this.#collect(tasks.result.bind(tasks));
  }

  /** Waits for the result while the task has questions: they come on that request, or beside it. */
  async #collect(result: NonNullable<EraTasks["result"]>): Promise<void> {
    const { taskId, asker, scope, mailbox, log } = this.#options;
    this.#isCollecting = true;
    const signal = AbortSignal.any([scope.signal, this.#ended.signal]);
    try {
      mailbox.put({ kind: "result", result: await result(taskId, { signal, asker }) });
    } catch (error) {
      if (signal.aborted) return;
      if (isPassing(error)) log.write("debug", `tasks/result was given up for now: ${String(error)}`);
      else mailbox.put({ kind: "failed", error, isStuck: false });
    } finally {
      this.#isCollecting = false;
    }
  }

  /** Waits until more is known of the task; gives its result when that came on its own. */
  async #next(): Promise<JsonObject | undefined> {
    const { clock, mailbox, scope } = this.#options;
    for (;;) {
      scope.signal.throwIfAborted();
      const news = mailbox.take();
      switch (news?.kind) {
        case "failed":
          this.#isStuck = news.isStuck;
          throw explainTaskError(news.error, this.#options.serverName, this.#options.taskId);
        case "result":
          return news.result;
        case "told":
          this.#adopt(news.task);
          return undefined;
        case "poked":
          this.#isPoked = true;
          continue;
        case undefined:
      }
      const verdict = nextPoll(this.#facts());
      if (verdict.kind === "expired") throw new EngineError("task-expired", this.#args());
      if (verdict.kind === "wait") await mailbox.wait(clock, verdict.ms, scope.signal);
      else if (await this.#poll()) return undefined;
    }
  }

  #facts(): Parameters<typeof nextPoll>[0] {
    const toldIn = this.#options.toldIn();
    return {
      task: this.#task,
      nowMs: this.#options.clock.now(),
      begunMs: this.#begunMs,
      heardMs: this.#heardMs,
      polls: this.#polls,
      failures: this.#failures,
      isTold: toldIn !== undefined && toldIn === this.#heardIn,
      isPoked: this.#isPoked,
      hasChanged: this.#hasChanged,
    };
  }

  /** Asks about the task once; false when it is to be asked again. */
  async #poll(): Promise<boolean> {
    const { tasks, taskId, log, serverName, listen } = this.#options;
    this.#polls += 1;
    this.#isPoked = false;
    const toldIn = this.#options.toldIn();
    try {
      this.#adopt(await this.#limited("tasks/get", (call) => tasks.get(taskId, call)));
      this.#heardIn = toldIn;
    } catch (error) {
      this.#options.scope.signal.throwIfAborted();
      this.#failures += 1;
      this.#heardMs = this.#options.clock.now();
      if (!isPassing(error) || this.#failures >= MAX_FAILURES)
        throw explainTaskError(error, serverName, taskId);
      log.write("debug", `tasks/get failed and is tried again: ${String(error)}`);
      return false;
    }
    // A task that is over at the first question needs no subscription.
    if (!isFinal(this.#task.status) && this.#polls === 1) listen();
    return true;
  }

  #adopt(task: Task): void {
    const before = this.#task;
    this.#hasChanged =
      before.status !== task.status ||
      before.updatedAt !== task.updatedAt ||
      before.statusMessage !== task.statusMessage;
    this.#task = task;
    this.#failures = 0;
    this.#heardMs = this.#options.clock.now();
  }

  async #finish(): Promise<JsonObject> {
    const { tasks, taskId, mailbox, method, serverName } = this.#options;
    const { status, statusMessage, outcome } = this.#task;
    if (status === "cancelled")
      throw new EngineError("task-cancelled", { ...this.#args(), reason: statusMessage ?? "" });
    if (tasks.result !== undefined) {
      const news = mailbox.take();
      if (news?.kind === "result") return news.result;
      try {
        return await this.#limited("tasks/result", (call) => tasks.result?.(taskId, call));
      } catch (error) {
        throw explainTaskError(error, serverName, taskId);
      }
    }
    if (outcome?.kind === "result") return outcome.result;
    if (outcome?.kind === "error") throw new RpcError(method, outcome.error);
    const reason = `the task is ${status} and has no ${status === "failed" ? "error" : "result"}`;
    throw new EngineError("invalid-result", { server: serverName, method: "tasks/get", reason });
  }

  async #limited<T>(method: string, send: (call: TaskCall) => Promise<T> | undefined): Promise<T> {
    const { makeScope, scope, asker } = this.#options;
    const limit = makeScope(method, scope.signal);
    try {
      const sent = send({ signal: limit.signal, asker });
      if (sent === undefined)
        throw new EngineError("no-tasks", { server: this.#options.serverName, task: this.#options.taskId });
      return await sent;
    } finally {
      limit.dispose();
    }
  }

  #args(): { server: string; task: string; method: string } {
    const { serverName: server, taskId, method } = this.#options;
    return { server, task: shorten(taskId), method };
  }
}
