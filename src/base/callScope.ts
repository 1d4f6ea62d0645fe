import type { Clock } from "./clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "./disposable.ts";

/** What a scope listens to, and how long it may live. */
export interface CallScopeOptions {
  readonly clock: Clock;
  /** Signals of the caller and of the connection; the first to abort ends the scope with its reason. */
  readonly signals?: readonly (AbortSignal | undefined)[];
  /** Ends the scope when nothing has extended it for this many milliseconds. */
  readonly idleMs?: number;
  /** Ends the scope after this many milliseconds, however often it was extended. */
  readonly maximumMs?: number;
  /** Makes the reason of a time-out; `limitMs` is the limit that was reached. */
  readonly timeoutError: (limitMs: number) => Error;
}

/**
 * The one signal of one call, fed by the caller, the deadline and the connection.
 * The owner must close the scope on every path; closing removes every listener and timer.
 */
export class CallScope implements Disposable {
  readonly #controller = new AbortController();
  readonly #options: CallScopeOptions;
  readonly #unhook: (() => void)[] = [];
  #idle: Disposable | undefined;
  #maximum: Disposable | undefined;
  #pauses = 0;

  constructor(options: CallScopeOptions) {
    this.#options = options;
    trackDisposable(this);
    for (const signal of options.signals ?? []) {
      if (signal === undefined) continue;
      if (signal.aborted) {
        this.abort(signal.reason);
        break;
      }
      const onAbort = (): void => {
        this.abort(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#unhook.push(() => {
        signal.removeEventListener("abort", onAbort);
      });
    }
    const { maximumMs } = options;
    if (maximumMs !== undefined && !this.signal.aborted) {
      this.#maximum = options.clock.after(maximumMs, () => {
        this.abort(options.timeoutError(maximumMs));
      });
    }
    this.extend();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the idle limit anew, because the peer showed that it is still working. */
  extend(): void {
    const { idleMs, clock, timeoutError } = this.#options;
    this.#idle?.dispose();
    this.#idle = undefined;
    if (idleMs === undefined || this.signal.aborted || this.#pauses > 0) return;
    this.#idle = clock.after(idleMs, () => {
      this.abort(timeoutError(idleMs));
    });
  }

  /** Stops the idle limit while a person is being asked; the answer starts it again. */
  pause(): Disposable {
    this.#pauses += 1;
    this.extend();
    let resumed = false;
    return {
      dispose: () => {
        if (resumed) return;
        resumed = true;
        this.#pauses -= 1;
        this.extend();
      },
    };
  }

  /** Ends the call with this reason. Later reasons are ignored. */
  abort(reason: unknown): void {
    if (!this.signal.aborted) this.#controller.abort(reason);
    this.#release();
  }

  dispose(): void {
    untrackDisposable(this);
    this.#release();
    // A closed scope must not come to life through a late `extend`.
    this.#pauses = Number.POSITIVE_INFINITY;
  }

  #release(): void {
    this.#idle?.dispose();
    this.#maximum?.dispose();
    for (const unhook of this.#unhook.splice(0)) unhook();
  }
}
