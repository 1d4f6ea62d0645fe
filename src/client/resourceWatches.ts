import { type Disposable, toDisposable } from "../base/disposable.ts";
import type { Listening } from "../protocol/listening.ts";

/**
 * The resources of one server that somebody wants to be told about, each as long as anybody does. They outlive the
 * connection: each new one is asked for all of them again.
 */
export class ResourceWatches {
  readonly #counts = new Map<string, number>();
  #listening: Listening | undefined;

  /** Uses this connection from now on. `onFailure` hears of a resource that it is not told about. */
  attach(listening: Listening, onFailure: (error: unknown) => void): void {
    this.#listening = listening;
    for (const uri of this.#counts.keys()) listening.watchResource(uri).catch(onFailure);
  }

  detach(): void {
    this.#listening = undefined;
  }

  /** Rejects when the server does not tell of the resource; nothing is left of the wish then. */
  async watch(uri: string, signal: AbortSignal | undefined): Promise<Disposable> {
    this.#counts.set(uri, (this.#counts.get(uri) ?? 0) + 1);
    const handle = toDisposable(() => {
      this.#release(uri);
    });
    try {
      await this.#listening?.watchResource(uri, signal);
    } catch (error) {
      handle.dispose();
      throw error;
    }
    return handle;
  }

  #release(uri: string): void {
    const left = (this.#counts.get(uri) ?? 0) - 1;
    if (left > 0) {
      this.#counts.set(uri, left);
    } else {
      this.#counts.delete(uri);
      this.#listening?.unwatchResource(uri);
    }
  }
}
