import type { JsonRpcResponse, RequestId } from "../../jsonrpc/message.ts";

interface Pending {
  readonly method: string;
  readonly resolve: (response: JsonRpcResponse) => void;
  readonly reject: (reason: Error) => void;
  readonly unhook: () => void;
}

/** The requests that wait for their answers on one connection, by id. Every one settles exactly once. */
export class PendingExchanges {
  readonly #pending = new Map<RequestId, Pending>();

  get size(): number {
    return this.#pending.size;
  }

  /** Waits for the answer to an id; an abort of the signal forgets the id and rejects with its reason. */
  add(id: RequestId, method: string, signal: AbortSignal): Promise<JsonRpcResponse> {
    if (this.#pending.has(id)) throw new Error(`Request id ${String(id)} is in use`);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#take(id);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const unhook = (): void => {
        signal.removeEventListener("abort", onAbort);
      };
      this.#pending.set(id, { method, resolve, reject, unhook });
    });
  }

  /**
   * The pending id that an id from the wire means: the very same, or the integer whose decimal text it is.
   * All ids of ours are integers, so that a text cannot mean two of them.
   */
  find(id: RequestId): RequestId | undefined {
    if (this.#pending.has(id)) return id;
    if (typeof id !== "string" || !/^(?:0|[1-9]\d{0,15})$/.test(id)) return undefined;
    const asNumber = Number(id);
    return this.#pending.has(asNumber) ? asNumber : undefined;
  }

  /** The method of a pending request. */
  methodOf(id: RequestId): string | undefined {
    return this.#pending.get(id)?.method;
  }

  resolve(id: RequestId, response: JsonRpcResponse): void {
    this.#take(id)?.resolve(response);
  }

  reject(id: RequestId, reason: Error): void {
    this.#take(id)?.reject(reason);
  }

  rejectAll(reason: Error): void {
    for (const id of [...this.#pending.keys()]) this.reject(id, reason);
  }

  #take(id: RequestId): Pending | undefined {
    const pending = this.#pending.get(id);
    pending?.unhook();
    this.#pending.delete(id);
    return pending;
  }
}
