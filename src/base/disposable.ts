/** Something that holds a resource until `dispose` is called. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

let watcher: LeakWatcher | undefined;

/** Sees every tracked disposable come and go; the test suites use it to fail on leaks. */
export interface LeakWatcher {
  created(disposable: Disposable, stack: string): void;
  disposed(disposable: Disposable): void;
}

/** Installs the leak watcher for a test suite, or removes it. */
export function watchLeaks(next: LeakWatcher | undefined): void {
  watcher = next;
}

/** Reports a disposable to the leak watcher of the running suite. */
export function trackDisposable(disposable: Disposable): void {
  watcher?.created(disposable, new Error().stack ?? "");
}

/** Reports that a tracked disposable was disposed. */
export function untrackDisposable(disposable: Disposable): void {
  watcher?.disposed(disposable);
}

/** A disposable that runs a function once. */
export function toDisposable(run: () => void): Disposable {
  let done = false;
  const self: Disposable = {
    dispose() {
      if (done) return;
      done = true;
      untrackDisposable(self);
      run();
    },
  };
  trackDisposable(self);
  return self;
}

/**
 * Owns disposables and disposes them together, last first.
 * What is added after the end is disposed at once, so that a late arrival cannot leak.
 */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  constructor() {
    trackDisposable(this);
  }

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  /** Takes an item back without disposing it. */
  release(item: Disposable): void {
    this.#items.delete(item);
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    untrackDisposable(this);
    const items = [...this.#items].reverse();
    this.#items.clear();
    for (const item of items) item.dispose();
  }
}
