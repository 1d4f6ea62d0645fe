import { LARGE_TEXT, type ParsedMessage, parseLargeMessage, parseMessage } from "./parseMessage.ts";

/** Where the texts come from: it is stopped while a large one is read, so that nothing piles up behind it. */
export interface InboxSource {
  pause(): void;
  resume(): void;
}

/**
 * Reads texts into messages and hands them on in their order: at once, but for large ones, which are read in slices
 * while what comes after them waits.
 */
export class MessageInbox {
  readonly #onMessage: (parsed: ParsedMessage, text: string) => void;
  readonly #source: InboxSource;
  /** What waits behind a large text; undefined when none is being read. */
  #waiting: (string | (() => void))[] | undefined;

  constructor(source: InboxSource, onMessage: (parsed: ParsedMessage, text: string) => void) {
    this.#source = source;
    this.#onMessage = onMessage;
  }

  put(text: string): void {
    if (this.#waiting !== undefined) this.#waiting.push(text);
    else if (text.length < LARGE_TEXT) this.#onMessage(parseMessage(text), text);
    else void this.#readLarge(text);
  }

  /** Runs something behind everything that was put in before: at once when nothing waits. */
  whenRead(run: () => void): void {
    if (this.#waiting === undefined) run();
    else this.#waiting.push(run);
  }

  async #readLarge(text: string): Promise<void> {
    const waiting: (string | (() => void))[] = [];
    this.#waiting = waiting;
    this.#source.pause();
    const parsed = await parseLargeMessage(text);
    this.#waiting = undefined;
    this.#onMessage(parsed, text);
    // One of them may be large, too; what is behind it then waits for it in turn.
    for (const item of waiting) {
      if (typeof item === "string") this.put(item);
      else this.whenRead(item);
    }
    if (!this.#isReading()) this.#source.resume();
  }

  /** Asked anew: putting a text in may have begun the next large one. */
  #isReading(): boolean {
    return this.#waiting !== undefined;
  }
}
