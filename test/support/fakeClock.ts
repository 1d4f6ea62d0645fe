import type { Clock, Timer } from "../../src/base/clock.ts";

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now = 0;
  #timers: { at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  /** Timers that have neither run nor been disposed. */
  get pending(): number {
    return this.#timers.length;
  }

  after(delayMs: number, run: () => void): Timer {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.push(timer);
    return {
      restart: () => {
        timer.at = this.#now + delayMs;
      },
      dispose: () => {
        this.#timers = this.#timers.filter((item) => item !== timer);
      },
    };
  }

  /** Moves time on and runs what is due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = due.at;
      due.run();
    }
    this.#now = end;
  }
}
