import { type Disposable, toDisposable, trackDisposable, untrackDisposable } from "./disposable.ts";

/** Subscribes a listener; the answer unsubscribes it. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Fires values to listeners, in the order they subscribed. A listener that throws does not stop the others. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void = rethrowLater) {
    this.#onListenerError = onListenerError;
    trackDisposable(this);
  }

  readonly event: Event<T> = (listener) => {
    // Each subscription is its own, even when the same function subscribes twice.
    const own = (value: T): void => {
      listener(value);
    };
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  dispose(): void {
    untrackDisposable(this);
    this.#listeners.clear();
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
