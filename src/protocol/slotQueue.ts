import type { Disposable } from "../base/disposable.ts";

/** Lets a limited number of holders in at once; the others wait in the order they came. */
export class SlotQueue {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  /** Waits for a free slot; disposing the answer frees it. Rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          this.#waiting.splice(this.#waiting.indexOf(enter), 1);
          reject(signal.reason as Error);
        };
        const enter = (): void => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        };
        signal.addEventListener("abort", onAbort, { once: true });
        this.#waiting.push(enter);
      });
    }
    let held = true;
    return {
      dispose: () => {
        if (!held) return;
        held = false;
        const next = this.#waiting.shift();
        if (next === undefined) this.#free += 1;
        else next();
      },
    };
  }
}
