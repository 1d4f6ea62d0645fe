import type { Clock } from "../../base/clock.ts";
import type { Progress } from "../../protocol/model/tool.ts";

/** A chat keeps each line that it is given, so that there is at most one in this time. Milliseconds. */
const BETWEEN_MS = 2_000;
/** Characters of the server's words that are shown. */
const MAX_LENGTH = 120;

/** Picks what is worth a line in chat from the progress of one call: new words, and not too often. */
export class ProgressLines {
  readonly #clock: Clock;
  #last = "";
  #nextMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The server's words, shortened; undefined when there is nothing to say. */
  next({ message }: Progress): string | undefined {
    const words = message?.replaceAll(/\s+/g, " ").trim() ?? "";
    if (words === "" || words === this.#last || this.#clock.now() < this.#nextMs) return undefined;
    this.#last = words;
    this.#nextMs = this.#clock.now() + BETWEEN_MS;
    return words.length <= MAX_LENGTH ? words : `${words.slice(0, MAX_LENGTH)}…`;
  }
}
