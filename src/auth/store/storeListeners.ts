import { type Disposable, toDisposable } from "../../base/disposable.ts";

/** Who wants to know of changes. It holds nothing that would need an end of its own. */
export class StoreListeners {
  readonly #listeners = new Set<(key: string) => void>();

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: (key: string) => void): Disposable {
    const own = (key: string): void => {
      listener(key);
    };
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  }

  fire(key: string): void {
    for (const listener of [...this.#listeners]) listener(key);
  }
}
