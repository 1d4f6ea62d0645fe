import { type Disposable, toDisposable } from "./disposable.ts";

/** Time as the engine sees it. Tests bring their own, so that no test waits for real seconds. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs a function after a delay in milliseconds, unless disposed before. */
  after(delayMs: number, run: () => void): Disposable;
}

/** The real clock. Its timers do not keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(() => {
      handle.dispose();
      run();
    }, delayMs);
    timer.unref();
    const handle = toDisposable(() => {
      clearTimeout(timer);
    });
    return handle;
  },
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
