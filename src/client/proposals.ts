import type { Clock } from "../base/clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";
import { NO_COMPLETION } from "../protocol/completion/complete.ts";
import type { Completion } from "../protocol/model/completion.ts";

export interface ProposalsOptions {
  readonly clock: Clock;
  /** Asks the server what it proposes for a typed text. A failure proposes nothing. */
  readonly propose: (value: string, signal: AbortSignal) => Promise<Completion>;
  /** Hears the proposals for the text that was typed last, and undefined while the server is asked for them. */
  readonly onChange: (value: string, completion: Completion | undefined) => void;
}

/** A pause in typing after which the server is asked, in milliseconds: it is asked no more often than that either. */
const PAUSE_MS = 150;
/** Answers that are remembered while one field is filled in. */
const MAX_ANSWERS = 50;

/**
 * Follows a field that is being typed into. The server is asked after a pause, for the newest text alone: an older
 * question is cancelled, an older answer is not shown, and a text that was asked before is not asked again.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#implementation-considerations
 */
export class Proposals implements Disposable {
  readonly #options: ProposalsOptions;
  readonly #answers = new Map<string, Completion>();
  #pause: Disposable | undefined;
  #asking: AbortController | undefined;
  #disposed = false;

  constructor(options: ProposalsOptions) {
    this.#options = options;
    trackDisposable(this);
  }

  /** Takes what the field holds now. */
  type(value: string): void {
    if (this.#disposed) return;
    this.#stop();
    const known = this.#answers.get(value);
    this.#options.onChange(value, known);
    if (known === undefined) this.#pause = this.#options.clock.after(PAUSE_MS, () => void this.#ask(value));
  }

  dispose(): void {
    untrackDisposable(this);
    this.#disposed = true;
    this.#stop();
  }

  async #ask(value: string): Promise<void> {
    const controller = new AbortController();
    this.#asking = controller;
    try {
      const completion = await this.#options.propose(value, controller.signal);
      if (controller.signal.aborted) return;
      if (this.#answers.size < MAX_ANSWERS) this.#answers.set(value, completion);
      this.#options.onChange(value, completion);
    } catch {
      // Proposals are a help: without them the person types.
      if (!controller.signal.aborted) this.#options.onChange(value, NO_COMPLETION);
    }
  }

  #stop(): void {
    this.#pause?.dispose();
    this.#asking?.abort();
    this.#pause = this.#asking = undefined;
  }
}
