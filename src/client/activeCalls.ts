import type { Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import type { ActiveCall } from "./serverPool.ts";

/** The calls under way of all servers. */
export class ActiveCalls implements Disposable {
  readonly #calls = new Map<string, ActiveCall>();
  readonly #changed = new Emitter<void>();
  /** Fires when a call starts or ends. */
  readonly onDidChange = this.#changed.event;

  list(): readonly ActiveCall[] {
    return [...this.#calls.values()];
  }

  /** Counts a call until the work is done. */
  async during<T>(call: ActiveCall, work: () => Promise<T>): Promise<T> {
    this.#calls.set(call.callId, call);
    this.#changed.fire();
    try {
      return await work();
    } finally {
      this.#calls.delete(call.callId);
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
