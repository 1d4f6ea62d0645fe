import type { Clock } from "../base/clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";

/** After the word that a resource changed, how long further words about the same are gathered. */
const PAUSE_MS = 1_000;
/** What the names of resources may take that were told of in the last second; words about further ones are dropped. */
const MAX_CHARACTERS = 1024 * 1024;
const COST_OF_ONE = 100;

/**
 * Hands on that resources changed: the first word about each at once, what follows no more than once a second.
 * Otherwise a server that announces a change whenever its resource is read would be read without end.
 */
export class UpdatePacer implements Disposable {
  readonly #clock: Clock;
  readonly #tell: (uri: string) => void;
  readonly #paused = new Map<string, { readonly timer: Disposable; isWanted: boolean }>();
  #characters = 0;

  constructor(clock: Clock, tell: (uri: string) => void) {
    this.#clock = clock;
    this.#tell = tell;
    trackDisposable(this);
  }

  /** Takes the word of the server. */
  put(uri: string): void {
    const paused = this.#paused.get(uri);
    if (paused !== undefined) {
      paused.isWanted = true;
      return;
    }
    const cost = uri.length + COST_OF_ONE;
    if (this.#characters + cost > MAX_CHARACTERS) return;
    this.#characters += cost;
    const timer = this.#clock.after(PAUSE_MS, () => {
      const isWanted = this.#paused.get(uri)?.isWanted === true;
      this.#paused.delete(uri);
      this.#characters -= cost;
      if (isWanted) this.put(uri);
    });
    this.#paused.set(uri, { timer, isWanted: false });
    this.#tell(uri);
  }

  dispose(): void {
    untrackDisposable(this);
    for (const { timer } of this.#paused.values()) timer.dispose();
    this.#paused.clear();
  }
}
