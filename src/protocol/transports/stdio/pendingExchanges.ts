import type { JsonRpcResponse, RequestId } from "../../jsonrpc/message.ts";
import type { ExchangeResult } from "../transport.ts";

interface Exchange {
  readonly method: string;
  readonly signal: AbortSignal;
  readonly resolve: (answer: ExchangeResult) => void;
  readonly reject: (reason: Error) => void;
  readonly onAbort: () => void;
}

/**
 * An entry of the map. It lets go of its exchange when it is taken out: the tables that a `Map` has outgrown keep
 * their entries reachable until a full collection, and with each exchange everything that its call has touched.
 */
interface Pending {
  exchange: Exchange | undefined;
}

/** The requests that wait for their answers on one connection, by id. Every one settles exactly once. */
export class PendingExchanges {
  readonly #pending = new Map<RequestId, Pending>();

  get size(): number {
    return this.#pending.size;
  }

  /** Waits for the answer to an id; an abort of the signal forgets the id and rejects with its reason. */
  add(id: RequestId, method: string, signal: AbortSignal): Promise<ExchangeResult> {
    if (this.#pending.has(id)) throw new Error(`Request id ${String(id)} is in use`);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#take(id);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, { exchange: { method, signal, resolve, reject, onAbort } });
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
    return this.#pending.get(id)?.exchange?.method;
  }

  resolve(id: RequestId, response: JsonRpcResponse): void {
    this.#take(id)?.resolve({ response });
  }

  reject(id: RequestId, reason: Error): void {
    this.#take(id)?.reject(reason);
  }

  rejectAll(reason: Error): void {
    for (const id of [...this.#pending.keys()]) this.reject(id, reason);
  }

  #take(id: RequestId): Exchange | undefined {
    const pending = this.#pending.get(id);
    const exchange = pending?.exchange;
    if (pending === undefined || exchange === undefined) return undefined;
    exchange.signal.removeEventListener("abort", exchange.onAbort);
    this.#pending.delete(id);
    pending.exchange = undefined;
    return exchange;
  }
}
