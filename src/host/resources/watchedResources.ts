import type { Disposable } from "../../base/disposable.ts";
import { Emitter, type Event } from "../../base/emitter.ts";
import type { ServerPool } from "../../client/serverPool.ts";

/** Watched at a time, over all servers: beyond it a person has lost sight of them. */
const MAX_WATCHED = 100;

/** The resources that a person watches in this window. Each is asked for again whenever its server is connected. */
export class WatchedResources implements Disposable {
  readonly #pool: Pick<ServerPool, "watchResource">;
  readonly #handles = new Map<string, Disposable>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(pool: Pick<ServerPool, "watchResource">) {
    this.#pool = pool;
  }

  isWatched(serverId: string, uri: string): boolean {
    return this.#handles.has(keyOf(serverId, uri));
  }

  /** Rejects when the server does not tell of changes. Watching twice is the same as once. */
  async watch(serverId: string, uri: string, signal: AbortSignal): Promise<void> {
    const handle = await this.#pool.watchResource(serverId, uri, signal);
    const key = keyOf(serverId, uri);
    this.#handles.get(key)?.dispose();
    this.#handles.set(key, handle);
    const oldest = this.#handles.entries().next();
    if (this.#handles.size > MAX_WATCHED && oldest.done !== true) {
      oldest.value[1].dispose();
      this.#handles.delete(oldest.value[0]);
    }
    this.#changed.fire();
  }

  /** False when it was not watched. */
  unwatch(serverId: string, uri: string): boolean {
    const key = keyOf(serverId, uri);
    const handle = this.#handles.get(key);
    if (handle === undefined) return false;
    handle.dispose();
    this.#handles.delete(key);
    this.#changed.fire();
    return true;
  }

  dispose(): void {
    for (const handle of this.#handles.values()) handle.dispose();
    this.#handles.clear();
    this.#changed.dispose();
  }
}

function keyOf(serverId: string, uri: string): string {
  return JSON.stringify([serverId, uri]);
}
