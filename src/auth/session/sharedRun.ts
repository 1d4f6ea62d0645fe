import { abortable } from "../../base/abortable.ts";

/** Work that is done once at a time, for everybody who wants it then. */
export class SharedRun<T> {
  readonly #whenLeft: "abort" | "finish";
  #flight: Flight<T> | undefined;

  /** `whenLeft`: whether the work is given up or goes on when nobody waits for it any more. */
  constructor(whenLeft: "abort" | "finish") {
    this.#whenLeft = whenLeft;
  }

  /** Joins the work under way, or begins it. Rejects as the work does, or with the reason of the caller's own signal. */
  async join(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const flight = this.#flight ?? this.#begin(work);
    flight.waiting += 1;
    try {
      return await abortable(flight.promise, signal);
    } finally {
      flight.waiting -= 1;
      const isLeft = flight.waiting === 0 && this.#flight === flight;
      if (isLeft && this.#whenLeft === "abort") flight.controller.abort(signal.reason);
    }
  }

  /** Gives up the work under way, for this reason, and begins this one as soon as that has ended. */
  replace(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal, reason: unknown): Promise<T> {
    const before = this.#flight;
    if (before !== undefined && !signal.aborted) {
      before.controller.abort(reason);
      this.#begin((flight) =>
        before.promise.then(ignore, ignore).then(() => {
          flight.throwIfAborted();
          return work(flight);
        }),
      );
    }
    return this.join(work, signal);
  }

  /** Gives up the work under way. */
  abort(reason: unknown): void {
    this.#flight?.controller.abort(reason);
  }

  #begin(work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const promise = work(controller.signal).finally(() => {
      if (this.#flight === flight) this.#flight = undefined;
    });
    // Who waits is told; when nobody does any more, it is nobody's failure.
    promise.catch(() => undefined);
    const flight: Flight<T> = { controller, promise, waiting: 0 };
    this.#flight = flight;
    return flight;
  }
}

const ignore = (): void => undefined;

interface Flight<T> {
  readonly controller: AbortController;
  readonly promise: Promise<T>;
  waiting: number;
}
