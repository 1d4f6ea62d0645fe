import { deferred, type Deferred } from "../../src/base/deferred.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type {
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
} from "../../src/protocol/jsonrpc/message.ts";
import type {
  ExchangeOptions,
  ExchangeResult,
  Transport,
  TransportListener,
} from "../../src/protocol/transports/transport.ts";

/** A request that waits for the test to answer it. */
export interface FakeRequest {
  readonly message: JsonRpcRequest;
  readonly params: JsonObject;
  readonly signal: AbortSignal;
  readonly result: (result: JsonObject) => void;
  readonly error: (code: number, status?: number) => void;
  /** Ends without an answer. */
  readonly fail: (error: Error) => void;
}

/** A transport whose other end is the test, so that nothing takes time. */
export class FakeTransport implements Transport {
  readonly kind: "stdio" | "http";
  readonly requests: FakeRequest[] = [];
  readonly sent: (JsonRpcNotification | JsonRpcResponse)[] = [];
  /** The headers of each request. */
  readonly headers: Record<string, string>[] = [];
  #listener: TransportListener | undefined;

  constructor(kind: "stdio" | "http") {
    this.kind = kind;
  }

  start(listener: TransportListener): Promise<void> {
    this.#listener = listener;
    return Promise.resolve();
  }

  exchange(message: JsonRpcRequest, { signal, headers }: ExchangeOptions): Promise<ExchangeResult> {
    this.headers.push(headers ?? {});
    const outcome: Deferred<ExchangeResult> = deferred();
    const http = (status: number): object =>
      this.kind === "http" ? { http: { status, sessionId: undefined } } : {};
    signal.addEventListener("abort", () => outcome.reject(signal.reason));
    this.requests.push({
      message,
      params: message.params ?? {},
      signal,
      result: (result) =>
        outcome.resolve({ response: { jsonrpc: "2.0", id: message.id, result }, ...http(200) }),
      error: (code, status = 400) =>
        outcome.resolve({
          response: { jsonrpc: "2.0", id: message.id, error: { code, message: "no" } },
          ...http(status),
        }),
      fail: outcome.reject,
    });
    return outcome.promise;
  }

  send(message: JsonRpcNotification | JsonRpcResponse): Promise<void> {
    this.sent.push(message);
    return Promise.resolve();
  }

  notify(method: string, params: JsonObject): void {
    this.#listener?.onNotification({ jsonrpc: "2.0", method, params }, undefined);
  }

  /** Sends a request of the server. */
  ask(id: RequestId, method: string, params: JsonObject): void {
    this.#listener?.onRequest({ jsonrpc: "2.0", id, method, params }, undefined);
  }

  end(reason: Error): void {
    this.#listener?.onClosed(reason);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  dispose(): void {
    void this.close();
  }
}

/** Lets everything that is due without time passing run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
}
