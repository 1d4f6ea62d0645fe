import type { CallScope } from "../../base/callScope.ts";
import { EngineError } from "../engineError.ts";
import type { InputHandler, InputRequest, InputResponse } from "./inputRequired.ts";

/** What an asker needs to know about its call. */
export interface InputAskerOptions {
  readonly handler: InputHandler;
  readonly scope: CallScope;
  readonly callId: string;
  readonly serverName: string;
  readonly method: string;
  readonly target: string | undefined;
  readonly maxRounds: number;
}

/**
 * Asks the person on behalf of one call and counts the rounds. Time does not run while a person is asked.
 * It is the same in both eras, so that limits and questions are too.
 */
export class InputAsker {
  readonly #options: InputAskerOptions;
  #rounds = 0;

  constructor(options: InputAskerOptions) {
    this.#options = options;
  }

  get modes(): InputHandler["modes"] {
    return this.#options.handler.modes;
  }

  /** Rounds begun so far. */
  get rounds(): number {
    return this.#rounds;
  }

  /**
   * Counts a round, with or without questions.
   * @throws EngineError `too-many-rounds`
   */
  beginRound(): number {
    const { maxRounds, serverName, method } = this.#options;
    if (this.#rounds >= maxRounds) {
      throw new EngineError("too-many-rounds", { server: serverName, rounds: maxRounds, method });
    }
    this.#rounds += 1;
    return this.#rounds;
  }

  /**
   * Checks that nothing undeclared is asked, then asks. `withdrawn` ends the question but not the call.
   * @throws EngineError `undeclared-input`, `too-many-rounds`; the signal's reason when aborted
   */
  async ask(
    requests: readonly InputRequest[],
    withdrawn?: AbortSignal,
  ): Promise<ReadonlyMap<string, InputResponse>> {
    const { handler, scope, serverName, method } = this.#options;
    const signal = withdrawn === undefined ? scope.signal : AbortSignal.any([scope.signal, withdrawn]);
    for (const request of requests) {
      if (!handler.modes[request.kind]) {
        throw new EngineError("undeclared-input", { server: serverName, kind: request.kind, method });
      }
    }
    const round = this.beginRound();
    const pause = scope.pause();
    try {
      const answers = await handler.handle(
        {
          callId: this.#options.callId,
          serverId: serverName,
          method,
          target: this.#options.target,
          round,
          maxRounds: this.#options.maxRounds,
          requests,
        },
        signal,
      );
      signal.throwIfAborted();
      return answers;
    } finally {
      pause.dispose();
    }
  }
}
