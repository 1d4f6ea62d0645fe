import type { Clock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { JsonObject } from "../../base/json.ts";
import type { CallOptions, CallOutcome, ServerEntry, ServerPool } from "../../client/serverPool.ts";
import { DEFAULT_LIMITS } from "../../protocol/limits.ts";
import type { Progress, Tool, ToolResult } from "../../protocol/model/tool.ts";
import type { InputHandler } from "../../protocol/mrtr/inputRequired.ts";
import { prepareSchema } from "../../protocol/schema/prepareSchema.ts";
import { TaskLeft } from "../../protocol/tasks/taskLeft.ts";
import type {
  ArgumentProblem,
  CureView,
  ProblemView,
  ToolRunStatus,
  ToolRunView,
  WaitingPanel,
} from "../../shared/toolRunMessages.ts";
import type { Translate } from "../../shared/translate.ts";
import type { ModelRequestPanel } from "../services.ts";
import { toResultView } from "./toResultView.ts";
import { viewToolRun } from "./toolRunView.ts";

type Running = Extract<ToolRunStatus, { readonly kind: "running" }>;

/** A page is not redrawn more often than this for progress. */
const PROGRESS_MS = 100;

/** What a session needs from its surroundings. */
export interface ToolRunPorts {
  readonly pool: ServerPool;
  readonly inputHandler: InputHandler;
  /** Where the call may wait for a person to read what a model is sent or answers. */
  readonly modelRequests: Pick<ModelRequestPanel, "waitsIn" | "onDidChangePending">;
  readonly clock: Clock;
  readonly t: Translate;
  readonly describe: (problem: unknown) => ProblemView;
  /** What can be done about a problem from the page. */
  readonly cures: (problem: unknown) => readonly CureView[];
}

/** Which tool of which server a session runs, and what to start with. */
export interface ToolRunTarget {
  readonly serverId: string;
  readonly toolName: string;
  readonly initialArguments: JsonObject;
}

/** One tool being run by hand: its state, without any panel. */
export class ToolRunSession implements Disposable {
  readonly #ports: ToolRunPorts;
  readonly #target: ToolRunTarget;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  #initial: JsonObject;
  #last: JsonObject;
  #tool: Tool | undefined;
  #run: ToolRunStatus = { kind: "idle" };
  #controller: AbortController | undefined;
  #redraw: Disposable | undefined;

  /** Fires when `view()` has something new. */
  readonly onDidChange = this.#changed.event;

  constructor(target: ToolRunTarget, ports: ToolRunPorts) {
    this.#ports = ports;
    this.#target = target;
    this.#initial = target.initialArguments;
    this.#last = target.initialArguments;
    this.#store.add(
      ports.pool.onDidChange((serverId) => {
        if (serverId === undefined || serverId === target.serverId) this.#changed.fire();
      }),
    );
    this.#store.add(
      ports.modelRequests.onDidChangePending(() => {
        if (this.#run.kind === "running") this.#changed.fire();
      }),
    );
  }

  /** The arguments of the last run, or those it began with. */
  get lastArguments(): JsonObject {
    return this.#last;
  }

  view(): ToolRunView {
    const { t, describe, cures } = this.#ports;
    const entry = this.#readEntry();
    return viewToolRun(
      { target: this.#target, entry, tool: this.#tool, arguments: this.#initial, run: this.#viewRun() },
      { t, describe, cures },
    );
  }

  /** Starts anew with other arguments, in place of whatever is being typed. */
  setArguments(next: JsonObject): void {
    this.#initial = next;
    this.#last = next;
    this.#changed.fire();
  }

  /**
   * Runs the tool. With `checked`, arguments that do not fit the schema are answered with the problems and nothing is
   * sent. A second run while one is under way does nothing.
   */
  async start(args: JsonObject, checked: boolean): Promise<readonly ArgumentProblem[]> {
    const { pool } = this.#ports;
    const { serverId, toolName } = this.#target;
    let problems: readonly ArgumentProblem[] = [];
    await this.#alone(async (signal) => {
      this.#last = args;
      problems = checked ? this.#check(args) : [];
      if (problems.length > 0) return;
      await this.#call(signal, {}, (how) => pool.callTool(serverId, toolName, args, how));
    });
    return problems;
  }

  /** Waits for a task of an earlier run, whose arguments are not known. While something runs here this does nothing. */
  async resume(taskId: string): Promise<void> {
    const { pool } = this.#ports;
    const { serverId } = this.#target;
    await this.#alone((signal) =>
      this.#call(signal, { task: {} }, async (how) => {
        try {
          return await pool.awaitTask(serverId, taskId, how);
        } catch (error) {
          // Whoever presses Cancel means the task, wherever it was begun. The tree shows what comes of it.
          if (signal.aborted && !(signal.reason instanceof TaskLeft))
            pool.cancelTask(serverId, taskId).catch(() => undefined);
          throw error;
        }
      }),
    );
  }

  /** Whether the page offers to start a command now. */
  offersCure(command: string): boolean {
    const { run, noticeCures = [] } = this.view();
    const offered = [...noticeCures, ...(run.kind === "failed" ? (run.cures ?? []) : [])];
    return offered.some((cure) => cure.command === command);
  }

  /** Cancels the run that is under way. */
  cancel(): void {
    this.#controller?.abort(new DOMException("The run was cancelled.", "AbortError"));
  }

  /** Cancels what runs, because nobody would see its result; that of a task can be seen later. */
  dispose(): void {
    if (this.#run.kind === "running" && this.#run.task !== undefined) this.#controller?.abort(new TaskLeft());
    else this.cancel();
    this.#redraw?.dispose();
    this.#store.dispose();
  }

  /** A model request belongs to the call without passing through here, so it is asked for when it is shown. */
  #viewRun(): ToolRunStatus {
    const run = this.#run;
    if (run.kind !== "running" || run.waitingFor !== undefined) return run;
    const { pool, modelRequests } = this.#ports;
    const { serverId, toolName } = this.#target;
    // Only one call of a tool is made from panels at a time, and it is made here.
    const isWaiting = pool
      .calls()
      .some(
        ({ callId, ...call }) =>
          call.origin === "panel" &&
          call.method === "tools/call" &&
          call.serverId === serverId &&
          call.target === toolName &&
          modelRequests.waitsIn(callId),
      );
    return isWaiting ? { ...run, waitingFor: "model" } : run;
  }

  /** The server as it is now; the tool is remembered as it was last listed. */
  #readEntry(): ServerEntry | undefined {
    const entry = this.#ports.pool.get(this.#target.serverId);
    if (entry?.state.kind === "connected") {
      this.#tool =
        entry.state.catalog.tools.find((tool) => tool.name === this.#target.toolName) ?? this.#tool;
    }
    return entry;
  }

  /** Does one thing at a time. */
  async #alone(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#controller !== undefined || this.#store.isDisposed) return;
    const controller = new AbortController();
    this.#controller = controller;
    try {
      await act(controller.signal);
    } finally {
      this.#controller = undefined;
      this.#redraw?.dispose();
      this.#redraw = undefined;
      this.#changed.fire();
    }
  }

  #check(args: JsonObject): readonly ArgumentProblem[] {
    const entry = this.#readEntry();
    // A tool that is not known any more is the pool's to refuse.
    if (this.#tool === undefined) return [];
    const prepared = prepareSchema(this.#tool.inputSchema, entry?.config?.limits ?? DEFAULT_LIMITS);
    if (prepared.kind === "unusable") return [];
    const verdict = prepared.check(args);
    if (verdict.kind !== "invalid") return [];
    const { t } = this.#ports;
    return verdict.problems.map(({ path, template, args: values }) => ({
      path,
      message: t(template, values),
    }));
  }

  async #call(
    signal: AbortSignal,
    begun: Pick<Running, "task">,
    send: (how: CallOptions) => Promise<CallOutcome<ToolResult>>,
  ): Promise<void> {
    const { clock, t, describe, cures } = this.#ports;
    const startedAtMs = clock.now();
    this.#setRun({ kind: "running", startedAtMs, ...begun });
    try {
      const outcome = await send({
        origin: "panel",
        signal,
        input: this.#watchedInput(),
        onProgress: (progress) => {
          this.#noteProgress(progress);
        },
        onTask: ({ task: { statusMessage } }) => {
          this.#note({ task: statusMessage === undefined ? {} : { message: statusMessage } });
        },
      });
      this.#setRun({ kind: "done", result: toResultView(outcome, t) });
    } catch (error) {
      const durationMs = clock.now() - startedAtMs;
      this.#setRun(
        signal.aborted
          ? { kind: "cancelled", durationMs }
          : { kind: "failed", problem: describe(error), cures: cures(error), durationMs },
      );
    }
  }

  /** The window's handler, with the page told while a person is being asked. */
  #watchedInput(): InputHandler {
    const { inputHandler } = this.#ports;
    return {
      modes: inputHandler.modes,
      handle: async (round, signal) => {
        this.#setWaiting("input");
        try {
          return await inputHandler.handle(round, signal);
        } finally {
          this.#setWaiting(undefined);
        }
      },
    };
  }

  #setWaiting(waitingFor: WaitingPanel | undefined): void {
    if (this.#run.kind !== "running") return;
    const { waitingFor: _before, ...run } = this.#run;
    this.#setRun(waitingFor === undefined ? run : { ...run, waitingFor });
  }

  #noteProgress({ progress, total, message }: Progress): void {
    this.#note({
      progress: {
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      },
    });
  }

  /** Keeps what came of a run that is under way, and has it drawn before long. */
  #note(change: Partial<Running>): void {
    if (this.#run.kind !== "running") return;
    this.#run = { ...this.#run, ...change };
    this.#redraw ??= this.#ports.clock.after(PROGRESS_MS, () => {
      this.#redraw = undefined;
      this.#changed.fire();
    });
  }

  #setRun(run: ToolRunStatus): void {
    this.#run = run;
    this.#changed.fire();
  }
}
