import type { Clock } from "../base/clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";

/** How long a burst of “my tools changed” is gathered before the list is read again. */
const FIRST_PAUSE_MS = 200;
/** The longest pause, for a server that never stops announcing changes. */
const LAST_PAUSE_MS = 30_000;
/** A server that was quiet for so long after its last refresh is refreshed quickly again. */
const QUIET_MS = 10_000;

/**
 * Reads a list again when the server says that it changed: once for a burst, one reading at a time, and more and
 * more seldom while the announcements go on, as from a server that announces a change whenever it is asked.
 */
export class ListRefresher implements Disposable {
  readonly #clock: Clock;
  readonly #refresh: () => Promise<void>;
  #planned: Disposable | undefined;
  #isRunning = false;
  #isWanted = false;
  #disposed = false;
  #pauseMs = FIRST_PAUSE_MS;
  #waiting: (() => void)[] = [];
  #endedAt = Number.NEGATIVE_INFINITY;

  /** @param refresh reads the list; must not reject */
  constructor(clock: Clock, refresh: () => Promise<void>) {
    this.#clock = clock;
    this.#refresh = refresh;
    trackDisposable(this);
  }

  /** Plans a refresh, unless one is planned already. */
  request(): void {
    if (this.#disposed || this.#planned !== undefined) return;
    if (this.#isRunning) {
      this.#isWanted = true;
      return;
    }
    const wasQuiet = this.#clock.now() - this.#endedAt > QUIET_MS;
    this.#pauseMs = wasQuiet ? FIRST_PAUSE_MS : Math.min(this.#pauseMs * 2, LAST_PAUSE_MS);
    this.#planned = this.#clock.after(this.#pauseMs, () => {
      this.#planned = undefined;
      void this.#run();
    });
  }

  /** Resolves when no reading is planned or under way any more. */
  settled(): Promise<void> {
    if (this.#planned === undefined && !this.#isRunning) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  dispose(): void {
    untrackDisposable(this);
    this.#disposed = true;
    this.#planned?.dispose();
    this.#planned = undefined;
    this.#settle();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#isWanted = false;
    await this.#refresh();
    this.#isRunning = false;
    this.#endedAt = this.#clock.now();
    this.#requestIfWanted();
    if (this.#planned === undefined) this.#settle();
  }

  /** For a change that came while the list was being read. */
  #requestIfWanted(): void {
    if (this.#isWanted) this.request();
  }

  #settle(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
