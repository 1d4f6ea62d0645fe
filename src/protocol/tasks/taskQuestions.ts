import type { JsonObject } from "../../base/json.ts";
import { EngineError } from "../engineError.ts";
import type { Limits } from "../limits.ts";
import type { InputAsker } from "../mrtr/inputAsker.ts";
import { isLargerThan } from "../mrtr/inputSize.ts";
import { readInputRequests } from "../mrtr/readInputRequests.ts";
import { newQuestions } from "./newQuestions.ts";

/** Characters of a key. Those that were answered are remembered beyond the connection. */
const MAX_KEY = 1_024;

export interface TaskQuestionsOptions {
  readonly serverName: string;
  readonly method: string;
  readonly limits: Limits;
  readonly asker: InputAsker | undefined;
  /** Keys that were answered, also before this connection. */
  readonly answered: Set<string>;
  /** Hands answers over to the server. */
  readonly send: (answers: JsonObject) => Promise<void>;
  /** `isStuck` when there is no answer; otherwise it could not be handed over. */
  readonly onFailure: (error: unknown, isStuck: boolean) => void;
  /** Ends all questions. */
  readonly signal: AbortSignal;
}

/** Questions that are asked together and answered together. */
interface Round {
  readonly keys: readonly string[];
  readonly withdrawn: AbortController;
}

/**
 * Deals with the questions that a task holds: each is asked once and answered once, however often the task shows it,
 * through the same ports and with the same limits as any other question of the server. One that the task no longer
 * shows is taken back.
 *
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export class TaskQuestions {
  readonly #options: TaskQuestionsOptions;
  readonly #open = new Set<Round>();

  constructor(options: TaskQuestionsOptions) {
    this.#options = options;
  }

  /** Takes what the task asks now; undefined when it asks nothing. */
  heed(asked: JsonObject | undefined): void {
    for (const round of [...this.#open]) {
      if (!round.keys.some((key) => asked?.[key] !== undefined)) this.#withdraw(round);
    }
    const known = new Set([...this.#options.answered, ...[...this.#open].flatMap(({ keys }) => keys)]);
    const fresh = newQuestions(asked, known);
    if (fresh === undefined) return;
    const round: Round = { keys: Object.keys(fresh), withdrawn: new AbortController() };
    this.#open.add(round);
    void this.#answer(fresh, round);
  }

  /** What was not answered may be asked again, should the task show it once more. */
  #withdraw(round: Round): void {
    const { serverName: server, method } = this.#options;
    this.#open.delete(round);
    round.withdrawn.abort(new EngineError("cancelled", { server, method }));
  }

  async #answer(fresh: JsonObject, round: Round): Promise<void> {
    const { asker, send, answered, onFailure, signal } = this.#options;
    const { withdrawn } = round;
    let isStuck = true;
    try {
      const requests = this.#read(fresh);
      const answers = await asker?.ask(requests, AbortSignal.any([withdrawn.signal, signal]));
      if (answers === undefined || withdrawn.signal.aborted) return;
      // From here on the outcome may be unknown, and an answer is never given twice.
      for (const key of round.keys) answered.add(key);
      isStuck = false;
      await send(Object.fromEntries(answers));
    } catch (error) {
      if (!withdrawn.signal.aborted && !signal.aborted) onFailure(error, isStuck);
    } finally {
      this.#open.delete(round);
    }
  }

  #read(fresh: JsonObject): ReturnType<typeof readInputRequests> {
    const { serverName, method, limits, asker } = this.#options;
    const tooLarge = (limit: number, what: string): EngineError =>
      new EngineError("input-too-large", { server: serverName, limit, what });
    if (isLargerThan(fresh, limits.inputBytes)) throw tooLarge(limits.inputBytes, "input requests");
    if (Object.keys(fresh).some((key) => key.length > MAX_KEY))
      throw tooLarge(MAX_KEY, "the key of a question");
    return readInputRequests(fresh, { serverName, method, asker });
  }
}
