import { randomUUID } from "node:crypto";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { errorText } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { ClientError } from "../../client/clientError.ts";
import type { CallOrigin } from "../../client/serverPool.ts";
import type { SampledMessage, SamplingRequest } from "../../protocol/model/sampling.ts";
import type { SamplingAsk, SamplingHandler, SamplingOutcome } from "../../protocol/mrtr/clientFeatures.ts";
import type { SamplingStageView, SamplingToHost, SamplingView } from "../../shared/samplingMessages.ts";
import type { Translate } from "../../shared/translate.ts";
import { chooseModel, type ModelFacts, type ModelPreselection } from "./chooseModel.ts";
import { applyAnswerEdits, applyPromptEdits } from "./promptEdits.ts";
import { explainSampling, viewAnswer, viewPrompt } from "./samplingView.ts";

/** Requests that may wait for a person at once; further ones are refused. */
export const MAX_WAITING = 32;

/** Characters of a growing answer that are shown; the whole answer is shown when it is there. */
const SHOWN_PROGRESS = 4_000;

/** A model of the editor. */
export interface DeskModel extends ModelFacts {
  /** Lets the model answer; rejects with an error whose text a person can be shown, or when aborted. */
  run(
    request: SamplingRequest,
    how: { readonly serverId: string; readonly onText: (text: string) => void },
    signal: AbortSignal,
  ): Promise<SampledMessage>;
}

/** What the desk needs from the editor and the pool. */
export interface SamplingDeskPorts {
  readonly t: Translate;
  readonly log: Log;
  readonly models: () => Promise<readonly DeskModel[]>;
  /** The model that a person took for a server last. */
  readonly rememberedModel: (serverId: string) => string | undefined;
  readonly rememberModel: (serverId: string, modelId: string) => void;
  /** Who began a call; undefined when the call is over or unknown. */
  readonly originOf: (callId: string) => CallOrigin | undefined;
  /** The text of an error in the user's language. */
  readonly describe: (error: unknown) => string;
}

type Stage =
  | { readonly kind: "prompt"; readonly problem: string | undefined }
  | { readonly kind: "running"; readonly model: DeskModel; readonly stop: AbortController }
  | { readonly kind: "answer"; readonly model: DeskModel; readonly message: SampledMessage };

interface Task {
  readonly taskId: string;
  readonly ask: SamplingAsk;
  readonly models: readonly DeskModel[];
  selected: ModelPreselection<DeskModel>;
  stage: Stage;
  readonly finish: (outcome: SamplingOutcome) => void;
}

/**
 * Where requests for a model's answer wait for a person, who reads the prompt before it goes to a model and the answer
 * before it goes back. It owns the queue and knows nothing of panels: whoever shows it follows `onDidChange` and hands
 * back what the page says.
 */
export class SamplingDesk implements SamplingHandler, Disposable {
  readonly tools = true;
  readonly #ports: SamplingDeskPorts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #progressed = this.#store.add(new Emitter<{ readonly taskId: string; readonly text: string }>());
  #queue: readonly Task[] = [];

  /** Fires when the queue or the shown request changed. */
  readonly onDidChange = this.#changed.event;
  /** Fires with the end of what the shown request's model has written so far. */
  readonly onDidProgress = this.#progressed.event;

  constructor(ports: SamplingDeskPorts) {
    this.#ports = ports;
  }

  get pendingCount(): number {
    return this.#queue.length;
  }

  /** Whether a request of this call waits here. */
  waitsIn(callId: string): boolean {
    return this.#queue.some(({ ask }) => ask.callId === callId);
  }

  view(): SamplingView {
    const [task] = this.#queue;
    if (task === undefined) return { waiting: 0, current: undefined };
    const { t, originOf } = this.#ports;
    const { ask, selected } = task;
    return {
      waiting: this.#queue.length,
      current: {
        taskId: task.taskId,
        serverId: ask.serverId,
        target: ask.target,
        why: explainSampling(ask, originOf(ask.callId), t),
        round: ask.round,
        maxRounds: ask.maxRounds,
        prompt: viewPrompt(ask.request, t),
        models: task.models.map(({ id, name, vendor }) => ({ id, label: `${name} (${vendor})` })),
        model: selected.model.id,
        modelReason: this.#reasonOf(selected),
        stage: this.#viewStage(task.stage),
      },
    };
  }

  async createMessage(ask: SamplingAsk, signal: AbortSignal): Promise<SamplingOutcome> {
    const { models, rememberedModel, log } = this.#ports;
    const server = ask.serverId;
    const available = await models();
    signal.throwIfAborted();
    const selected = chooseModel(available, ask.request.modelHints, rememberedModel(server));
    if (selected === undefined) throw new ClientError("no-model", { server });
    if (this.#queue.length >= MAX_WAITING || this.#store.isDisposed) {
      log.write(
        "warn",
        `Refused a request of “${server}” for a model: ${String(MAX_WAITING)} are waiting already.`,
      );
      return { kind: "refused" };
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#remove(task);
        reject(signal.reason as Error);
      };
      const task: Task = {
        taskId: randomUUID(),
        ask,
        models: available,
        selected,
        stage: { kind: "prompt", problem: undefined },
        finish: (outcome) => {
          signal.removeEventListener("abort", onAbort);
          this.#remove(task);
          resolve(outcome);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#queue = [...this.#queue, task];
      this.#changed.fire();
    });
  }

  /** Carries out what the page said. What is about another request than the shown one came too late. */
  receive(message: SamplingToHost): void {
    const [task] = this.#queue;
    if (message.type === "ready" || task?.taskId !== message.taskId) return;
    const { stage } = task;
    switch (message.type) {
      case "refuse":
        task.finish({ kind: "refused" });
        return;
      case "send":
        if (stage.kind === "prompt")
          void this.#run(task, message.model, applyPromptEdits(task.ask.request, message.texts));
        return;
      case "stop":
        if (stage.kind === "running") stage.stop.abort(new Error("stopped"));
        return;
      case "sendBack":
        if (stage.kind === "answer") {
          task.finish({ kind: "answered", message: applyAnswerEdits(stage.message, message.texts) });
        }
    }
  }

  /** The person closed the panel: the request that was shown, and only that one, is refused. */
  dismissCurrent(): void {
    this.#queue[0]?.finish({ kind: "refused" });
  }

  /** Refuses everything that waits. */
  dispose(): void {
    for (const task of this.#queue) task.finish({ kind: "refused" });
    this.#store.dispose();
  }

  /** Never rejects: a model that fails leaves the prompt to be sent to another one. */
  async #run(task: Task, modelId: string, request: SamplingRequest): Promise<void> {
    const model = task.models.find(({ id }) => id === modelId);
    if (model === undefined) return;
    const stop = new AbortController();
    const { serverId } = task.ask;
    task.selected = { model, reason: "remembered" };
    this.#ports.rememberModel(serverId, model.id);
    this.#move(task, { kind: "running", model, stop });
    const onText = (text: string): void => {
      if (stop.signal.aborted || this.#queue[0] !== task) return;
      this.#progressed.fire({ taskId: task.taskId, text: text.slice(-SHOWN_PROGRESS) });
    };
    try {
      const message = await model.run(request, { serverId, onText }, stop.signal);
      stop.signal.throwIfAborted();
      this.#move(task, { kind: "answer", model, message });
    } catch (error) {
      if (!stop.signal.aborted) this.#ports.log.write("warn", `A model gave no answer: ${errorText(error)}`);
      const problem = stop.signal.aborted ? undefined : this.#ports.describe(error);
      this.#move(task, { kind: "prompt", problem });
    }
  }

  #move(task: Task, stage: Stage): void {
    if (!this.#queue.includes(task)) return;
    task.stage = stage;
    this.#changed.fire();
  }

  #remove(task: Task): void {
    if (!this.#queue.includes(task)) return;
    this.#queue = this.#queue.filter((one) => one !== task);
    if (task.stage.kind === "running") task.stage.stop.abort(new Error("no longer wanted"));
    this.#changed.fire();
  }

  #viewStage(stage: Stage): SamplingStageView {
    switch (stage.kind) {
      case "prompt":
        return stage;
      case "running":
        return { kind: "running", model: stage.model.name };
      case "answer":
        return { kind: "answer", model: stage.model.name, answer: viewAnswer(stage.message, this.#ports.t) };
    }
  }

  #reasonOf({ reason, hint }: ModelPreselection<DeskModel>): string | undefined {
    const { t } = this.#ports;
    if (reason === "remembered") return t("You used this model for this server before.");
    return reason === "hint" ? t("The server suggests “{hint}”.", { hint: hint ?? "" }) : undefined;
  }
}
