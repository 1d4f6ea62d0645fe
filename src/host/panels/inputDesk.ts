import { randomUUID } from "node:crypto";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { Log } from "../../base/log.ts";
import { ClientError } from "../../client/clientError.ts";
import type { CallOrigin } from "../../client/serverPool.ts";
import type { InputHandler, InputResponse, InputRound } from "../../protocol/mrtr/inputRequired.ts";
import type { InputAnswer, InputProblem, InputToHost, InputView } from "../../shared/inputMessages.ts";
import type { Translate } from "../../shared/translate.ts";
import { answerAll, judgeAnswers, toHistory } from "./inputAnswers.ts";
import {
  currentRound,
  EMPTY_QUEUE,
  enqueue,
  forgetEndedCalls,
  type InputQueue,
  MAX_WAITING,
  settle,
  withdraw,
} from "./inputQueue.ts";
import { viewInput } from "./inputView.ts";

/** What the desk needs from the editor and the pool. */
export interface InputDeskPorts {
  readonly t: Translate;
  readonly log: Log;
  /** Opens the system's browser; false when it did not open. */
  readonly openExternal: (url: string) => Promise<boolean>;
  /** Who began a call; undefined when the call is over or unknown. */
  readonly originOf: (callId: string) => CallOrigin | undefined;
}

/** The key of the only question while something is done in the browser. */
const GO_ON = "go-on";

interface Waiter {
  readonly round: InputRound;
  readonly finish: (responses: ReadonlyMap<string, InputResponse>) => void;
  /** True from the moment an answer is being carried out, so that a second one cannot be. */
  settling: boolean;
}

/**
 * Where rounds of input wait for a person. It owns the queue and the answers, and knows nothing of panels:
 * whoever shows it follows `onDidChange` and hands back what the page says.
 */
export class InputDesk implements InputHandler, Disposable {
  readonly modes = { form: true, url: true } as const;
  readonly #ports: InputDeskPorts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #problems = this.#store.add(new Emitter<{ roundId: string; problems: readonly InputProblem[] }>());
  readonly #waiters = new Map<string, Waiter>();
  #queue: InputQueue = EMPTY_QUEUE;
  #answeredCall: string | undefined;

  /** Fires when the queue, the shown round or `expectsMore` changed. */
  readonly onDidChange = this.#changed.event;
  /** Fires when an answer was refused. */
  readonly onProblems = this.#problems.event;

  constructor(ports: InputDeskPorts) {
    this.#ports = ports;
  }

  get pendingCount(): number {
    return this.#queue.waiting.length;
  }

  /** True while the call that was answered last goes on, so that it may ask again at once. */
  get expectsMore(): boolean {
    return this.#answeredCall !== undefined;
  }

  view(): InputView {
    return viewInput(this.#queue, this.#ports.originOf, this.#ports.t);
  }

  handle(round: InputRound, signal: AbortSignal): Promise<ReadonlyMap<string, InputResponse>> {
    return this.#wait(round, signal, false);
  }

  /** Asks whether to go on while something is done in the browser; what the round says was agreed to already. */
  async waitElsewhere(round: InputRound, signal: AbortSignal): Promise<boolean> {
    const form = { fields: [], schema: {} };
    const requests = [
      { kind: "form", key: GO_ON, message: this.#ports.t("Finish in the browser"), form },
    ] as const;
    const responses = await this.#wait({ ...round, requests }, signal, true);
    return responses.get(GO_ON)?.action === "accept";
  }

  #wait(
    round: InputRound,
    signal: AbortSignal,
    isElsewhere: boolean,
  ): Promise<ReadonlyMap<string, InputResponse>> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const roundId = `${round.callId}:${String(round.round)}:${randomUUID()}`;
      const next = enqueue(this.#queue, { roundId, round, isElsewhere });
      if (next === undefined || this.#store.isDisposed) {
        const error = new ClientError("too-many-inputs", { limit: MAX_WAITING, server: round.serverId });
        this.#ports.log.write("warn", error.message);
        resolve(answerAll(round, "cancel"));
        return;
      }
      const onAbort = (): void => {
        this.#drop(roundId);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const finish = (responses: ReadonlyMap<string, InputResponse>): void => {
        signal.removeEventListener("abort", onAbort);
        resolve(responses);
      };
      this.#waiters.set(roundId, { round, finish, settling: false });
      this.#queue = next;
      this.#changed.fire();
    });
  }

  /** Carries out what the page said. Answers to a round that is not the shown one are ignored: they came too late. */
  async receive(message: InputToHost): Promise<void> {
    if (message.type === "ready" || message.type === "copy") return;
    const entry = currentRound(this.#queue);
    const waiter = this.#waiters.get(message.roundId);
    if (entry?.roundId !== message.roundId || waiter === undefined || waiter.settling) return;
    if (message.type === "answer") {
      await this.#answer(message.roundId, waiter, message.answers);
    } else {
      this.#settle(message.roundId, answerAll(waiter.round, message.type));
    }
  }

  /** The person closed the panel: that dismisses the round that was shown, and only that one. */
  dismissCurrent(): void {
    const entry = currentRound(this.#queue);
    this.#answeredCall = undefined;
    if (entry === undefined || this.#waiters.get(entry.roundId)?.settling === true) return;
    this.#settle(entry.roundId, answerAll(entry.round, "cancel"));
  }

  /** Takes note of the calls that are under way, so that what belongs to ended ones is forgotten. */
  callsChanged(liveCallIds: ReadonlySet<string>): void {
    this.#queue = forgetEndedCalls(this.#queue, liveCallIds);
    if (this.#answeredCall === undefined || liveCallIds.has(this.#answeredCall)) return;
    this.#answeredCall = undefined;
    this.#changed.fire();
  }

  /** Cancels everything that waits. */
  dispose(): void {
    for (const { roundId, round } of this.#queue.waiting) this.#settle(roundId, answerAll(round, "cancel"));
    this.#queue = EMPTY_QUEUE;
    this.#store.dispose();
  }

  async #answer(roundId: string, waiter: Waiter, answers: readonly InputAnswer[]): Promise<void> {
    const verdict = judgeAnswers(waiter.round, answers, this.#ports.t);
    if (verdict.kind === "problems") {
      this.#problems.fire({ roundId, problems: verdict.problems });
      return;
    }
    waiter.settling = true;
    const responses = new Map(verdict.responses);
    for (const [key, url] of verdict.opens) {
      if (!(await this.#open(url))) responses.set(key, { action: "cancel" });
    }
    this.#settle(roundId, responses);
  }

  async #open(url: string): Promise<boolean> {
    try {
      return await this.#ports.openExternal(url);
    } catch {
      // The reason may quote the address, which is the server's and may hold a code: it is not logged.
      this.#ports.log.write("warn", "The browser could not be opened.");
      return false;
    }
  }

  #settle(roundId: string, responses: ReadonlyMap<string, InputResponse>): void {
    const waiter = this.#waiters.get(roundId);
    if (waiter === undefined) return;
    this.#waiters.delete(roundId);
    const { round } = waiter;
    const isElsewhere = this.#queue.waiting.some((entry) => entry.roundId === roundId && entry.isElsewhere);
    const history = isElsewhere ? [] : toHistory(round, responses, this.#ports.t);
    this.#queue = settle(this.#queue, roundId, history);
    const accepted = [...responses.values()].some((response) => response.action === "accept");
    this.#answeredCall = accepted ? round.callId : undefined;
    waiter.finish(responses);
    this.#changed.fire();
  }

  #drop(roundId: string): void {
    const waiter = this.#waiters.get(roundId);
    if (waiter === undefined) return;
    this.#waiters.delete(roundId);
    this.#queue = withdraw(this.#queue, roundId);
    if (this.#answeredCall === waiter.round.callId) this.#answeredCall = undefined;
    this.#changed.fire();
  }
}
