import { type Disposable, trackDisposable, untrackDisposable } from "./disposable.ts";

/** A function that is to run once. Disposing it before keeps it from running. */
export interface Timer extends Disposable {
  /** Counts the whole delay from now again. Means nothing once it has run or was disposed. */
  restart(): void;
}

/** Time as the engine sees it. Tests bring their own, so that no test waits for real seconds. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs a function after a delay in milliseconds, unless disposed before. */
  after(delayMs: number, run: () => void): Timer;
}

class SystemTimer implements Timer {
  readonly #run: () => void;
  #timeout: NodeJS.Timeout | undefined;

  constructor(delayMs: number, run: () => void) {
    this.#run = run;
    this.#timeout = setTimeout(fire, delayMs, this);
    this.#timeout.unref();
    trackDisposable(this);
  }

  restart(): void {
    this.#timeout?.refresh();
  }

  dispose(): void {
    if (this.#timeout === undefined) return;
    clearTimeout(this.#timeout);
    this.#timeout = undefined;
    untrackDisposable(this);
  }

  fire(): void {
    this.dispose();
    this.#run();
  }
}

function fire(timer: SystemTimer): void {
  timer.fire();
}

/** The real clock. Its timers do not keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => new SystemTimer(delayMs, run),
};

/** Waits, or rejects with the signal's reason when it is aborted first. */
export function delay(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => {
      timer.dispose();
      reject(signal.reason as Error);
    };
    const timer = clock.after(delayMs, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
