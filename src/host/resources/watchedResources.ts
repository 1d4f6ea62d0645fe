import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter, type Event } from "../../base/emitter.ts";
import type { ServerPool } from "../../client/serverPool.ts";
import { concernsResource } from "../../protocol/model/subscriptions.ts";

/** Watched at a time, over all servers: beyond it a person has lost sight of them. */
const MAX_WATCHED = 100;

type WatchPool = Pick<ServerPool, "watchResource" | "onDidNotice">;

/** One watched resource. */
interface Watch {
  readonly serverId: string;
  readonly uri: string;
  readonly handle: Disposable;
  /** It changed while nothing showed it. */
  isChanged: boolean;
}

/** The resources that a person watches in this window. Each is asked for again whenever its server is connected. */
export class WatchedResources implements Disposable {
  readonly #pool: WatchPool;
  readonly #isOpen: (serverId: string, uri: string) => boolean;
  readonly #watches = new Map<string, Watch>();
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange: Event<void> = this.#changed.event;

  /** `isOpen` says whether a resource is shown somewhere, where it is brought up to date by itself. */
  constructor(pool: WatchPool, isOpen: (serverId: string, uri: string) => boolean) {
    this.#pool = pool;
    this.#isOpen = isOpen;
    this.#store.add(
      pool.onDidNotice(({ serverId, notice }) => {
        if (notice.kind === "resource-updated") this.#mark(serverId, notice.uri);
      }),
    );
  }

  isWatched(serverId: string, uri: string): boolean {
    return this.#watches.has(keyOf(serverId, uri));
  }

  /** True for a watched resource that changed and was not looked at since. */
  isChanged(serverId: string, uri: string): boolean {
    return this.#watches.get(keyOf(serverId, uri))?.isChanged === true;
  }

  /** The person looks at it. */
  markSeen(serverId: string, uri: string): void {
    const watch = this.#watches.get(keyOf(serverId, uri));
    if (watch?.isChanged !== true) return;
    watch.isChanged = false;
    this.#changed.fire();
  }

  /** Rejects when the server does not tell of changes. Watching twice is the same as once. */
  async watch(serverId: string, uri: string, signal: AbortSignal): Promise<void> {
    const handle = await this.#pool.watchResource(serverId, uri, signal);
    const key = keyOf(serverId, uri);
    this.#watches.get(key)?.handle.dispose();
    this.#watches.set(key, { serverId, uri, handle, isChanged: false });
    const oldest = this.#watches.entries().next();
    if (this.#watches.size > MAX_WATCHED && oldest.done !== true) {
      oldest.value[1].handle.dispose();
      this.#watches.delete(oldest.value[0]);
    }
    this.#changed.fire();
  }

  /** False when it was not watched. */
  unwatch(serverId: string, uri: string): boolean {
    const key = keyOf(serverId, uri);
    const watch = this.#watches.get(key);
    if (watch === undefined) return false;
    watch.handle.dispose();
    this.#watches.delete(key);
    this.#changed.fire();
    return true;
  }

  dispose(): void {
    for (const { handle } of this.#watches.values()) handle.dispose();
    this.#watches.clear();
    this.#store.dispose();
  }

  #mark(serverId: string, updated: string): void {
    let hasNew = false;
    for (const watch of this.#watches.values()) {
      const isMeant = watch.serverId === serverId && concernsResource(updated, watch.uri);
      if (!isMeant || watch.isChanged || this.#isOpen(serverId, watch.uri)) continue;
      watch.isChanged = true;
      hasNew = true;
    }
    if (hasNew) this.#changed.fire();
  }
}

function keyOf(serverId: string, uri: string): string {
  return JSON.stringify([serverId, uri]);
}
