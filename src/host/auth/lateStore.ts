import type { CredentialStore } from "../../auth/model/credentialStore.ts";
import { StoreListeners } from "../../auth/store/storeListeners.ts";
import type { Disposable } from "../../base/disposable.ts";

/** Where credentials are kept now, and where they may have been kept before. */
export interface DecidedStores {
  readonly store: CredentialStore;
  readonly older?: CredentialStore;
  /** Called when something is kept: whoever keeps nothing need not know where it would be. */
  readonly onKept?: () => void;
}

/**
 * A store that is made when it is first used, because deciding which one it is takes reading. What is not in it and is
 * in the older place, where the decision was another one before, is moved.
 */
export function createLateStore(decide: () => Promise<DecidedStores>): CredentialStore {
  return new LateStore(decide);
}

class LateStore implements CredentialStore {
  readonly #decide: () => Promise<DecidedStores>;
  readonly #listeners = new StoreListeners();
  #decided: Promise<DecidedStores> | undefined;
  #known: CredentialStore | undefined;
  #watching: Disposable | undefined;

  constructor(decide: () => Promise<DecidedStores>) {
    this.#decide = decide;
  }

  /** Before anything was kept it does not matter. */
  get kind(): CredentialStore["kind"] {
    return this.#known?.kind ?? "secret-storage";
  }

  async get(key: string): Promise<string | undefined> {
    const { store, older } = await this.#stores();
    const value = await store.get(key);
    if (value !== undefined || older === undefined) return value;
    const moved = await older.get(key).catch(() => undefined);
    if (moved === undefined) return undefined;
    await store.set(key, moved);
    await older.delete(key);
    return moved;
  }

  async set(key: string, value: string): Promise<void> {
    const { store, onKept } = await this.#stores();
    await store.set(key, value);
    onKept?.();
  }

  async delete(key: string): Promise<void> {
    const { store, older } = await this.#stores();
    await store.delete(key);
    await older?.delete(key);
  }

  onDidChange(listener: (key: string) => void): Disposable {
    const added = this.#listeners.add(listener);
    this.#watch();
    return {
      dispose: () => {
        added.dispose();
        if (!this.#listeners.isEmpty) return;
        this.#watching?.dispose();
        this.#watching = undefined;
      },
    };
  }

  #stores(): Promise<DecidedStores> {
    this.#decided ??= this.#decide().then((found) => {
      this.#known = found.store;
      this.#watch();
      return found;
    });
    return this.#decided;
  }

  #watch(): void {
    if (this.#listeners.isEmpty) return;
    this.#watching ??= this.#known?.onDidChange((key) => {
      this.#listeners.fire(key);
    });
  }
}
