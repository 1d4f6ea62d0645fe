import type { Clock, Timer } from "./clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "./disposable.ts";

/** What a scope listens to, and how long it may live. */
export interface CallScopeOptions {
  readonly clock: Clock;
  /** Signals of the caller; the first to abort ends the scope with its reason. */
  readonly signals?: readonly (AbortSignal | undefined)[];
  /** The signal of something that outlives many scopes, such as the connection; it ends them as `signals` do. */
  readonly lasting?: AbortSignal | undefined;
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
  readonly #startedMs: number;
  #unhook: (() => void)[] | undefined;
  #follower: Follower | undefined;
  #idle: Timer | undefined;
  #maximum: Timer | undefined;
  #pauses = 0;

  constructor(options: CallScopeOptions) {
    this.#options = options;
    this.#startedMs = options.clock.now();
    trackDisposable(this);
    for (const signal of options.signals ?? []) this.#follow(signal);
    this.#followLasting(options.lasting);
    const { idleMs, maximumMs } = options;
    // The maximum cannot come before an idle limit that was never extended: most calls need one timer.
    if (idleMs === undefined || (maximumMs !== undefined && maximumMs <= idleMs)) this.#armMaximum();
    else this.#armIdle();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the idle limit anew, because the peer showed that it is still working. */
  extend(): void {
    if (this.#pauses > 0) return;
    this.#armMaximum();
    if (this.#idle === undefined) this.#armIdle();
    else this.#idle.restart();
  }

  /** Stops the idle limit while a person is being asked; the answer starts it again. */
  pause(): Disposable {
    this.#pauses += 1;
    this.#armMaximum();
    this.#idle?.dispose();
    this.#idle = undefined;
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
  }

  #follow(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.signal.aborted) return;
    const onAbort = (): void => {
      this.abort(signal.reason);
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    this.#unhook ??= [];
    this.#unhook.push(() => {
      signal.removeEventListener("abort", onAbort);
    });
  }

  #followLasting(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.signal.aborted) return;
    if (signal.aborted) {
      this.abort(signal.reason);
      return;
    }
    this.#follower = followersOf(signal).add(this);
  }

  #armIdle(): void {
    const { idleMs, clock } = this.#options;
    if (idleMs === undefined || this.signal.aborted) return;
    this.#idle = clock.after(idleMs, () => {
      this.abort(this.#options.timeoutError(idleMs));
    });
  }

  #armMaximum(): void {
    const { idleMs = 0, maximumMs, clock } = this.#options;
    if (maximumMs === undefined || this.#maximum !== undefined || this.signal.aborted) return;
    // The clock may have been set meanwhile; more than the idle limit has not passed.
    const passedMs = Math.min(Math.max(clock.now() - this.#startedMs, 0), idleMs);
    this.#maximum = clock.after(maximumMs - passedMs, () => {
      this.abort(this.#options.timeoutError(maximumMs));
    });
  }

  #release(): void {
    // A closed scope must not come to life through a late `extend`.
    this.#pauses = Number.POSITIVE_INFINITY;
    this.#idle?.dispose();
    this.#maximum?.dispose();
    this.#follower?.remove();
    for (const unhook of this.#unhook ?? []) unhook();
    this.#unhook = undefined;
  }
}

/**
 * One of the scopes that end with a signal, in a ring around the list itself. A removed one holds on to nothing: a
 * `Set`, or the listeners of the signal, would keep scopes reachable from memory that is not collected for long, and
 * with each scope everything that its call has touched.
 */
class Follower {
  #scope: CallScope | undefined;
  #previous: Follower = this;
  #next: Follower = this;

  constructor(scope?: CallScope) {
    this.#scope = scope;
  }

  add(scope: CallScope): Follower {
    const follower = new Follower(scope);
    follower.#previous = this.#previous;
    follower.#next = this;
    this.#previous.#next = follower;
    this.#previous = follower;
    return follower;
  }

  remove(): void {
    this.#previous.#next = this.#next;
    this.#next.#previous = this.#previous;
    this.#previous = this;
    this.#next = this;
    this.#scope = undefined;
  }

  /** Ends all of them, the oldest first. Each one removes itself. */
  abortAll(reason: unknown): void {
    while (this.#next !== this) this.#next.#scope?.abort(reason);
  }
}

const followersBySignal = new WeakMap<AbortSignal, Follower>();

/** The scopes that end with a signal, behind one listener. */
function followersOf(signal: AbortSignal): Follower {
  const known = followersBySignal.get(signal);
  if (known !== undefined) return known;
  const followers = new Follower();
  followersBySignal.set(signal, followers);
  const onAbort = (): void => {
    followers.abortAll(signal.reason);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  return followers;
}
