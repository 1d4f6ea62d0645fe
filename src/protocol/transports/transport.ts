import type { Disposable } from "../../base/disposable.ts";
import type { JsonRpcNotification, JsonRpcRequest, JsonRpcResponse, RequestId } from "../jsonrpc/message.ts";

/** What a transport tells its owner, synchronously and in wire order. */
export interface TransportListener {
  /**
   * A notification from the server. `relatedTo` is the id of the exchange on whose stream it came;
   * undefined on stdio and on the legacy GET stream, where nothing on the wire says so.
   */
  onNotification(message: JsonRpcNotification, relatedTo: RequestId | undefined): void;
  /** A request from the server. Only the legacy era has any; the modern era drops and logs them. */
  onRequest(message: JsonRpcRequest, relatedTo: RequestId | undefined): void;
  /** The connection ended without being asked to: the process exited. HTTP never fires it. Fires at most once. */
  onClosed(reason: Error): void;
}

/** One request's own wishes. */
export interface ExchangeOptions {
  /**
   * Ends the exchange: the promise rejects with the signal's reason at once, HTTP closes the response stream,
   * stdio forgets the id (a late answer is logged and dropped). Telling the server is the era's business.
   */
  readonly signal: AbortSignal;
  /** Headers of the era, HTTP only; stdio ignores them. Values are already encoded. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Legacy HTTP only: when the event stream of the answer ends before the response and its events had ids, fetch
   * the rest with GET and `Last-Event-ID`, after the delay that the server named, with the same `headers`.
   */
  readonly resumable?: boolean;
}

/** How the background stream is opened. */
export interface ListenOptions extends ExchangeOptions {
  /** Called when the stream is open; true when it goes on from the last event of the one before. */
  readonly onOpen?: (isContinued: boolean) => void;
}

/** What only HTTP knows about an answer. */
export interface HttpFacts {
  /** The status code of the response. */
  readonly status: number;
  /** The `Mcp-Session-Id` header of the response: a secret. */
  readonly sessionId: string | undefined;
}

/** One answered request. */
export interface ExchangeResult {
  readonly response: JsonRpcResponse;
  readonly http?: HttpFacts;
}

/**
 * Carries JSON-RPC messages to one server and back. It knows bytes, ids and limits, and nothing of eras.
 *
 * Contract for every transport:
 * - `exchange` settles exactly once: with the response to that id, or with an error that is never an era verdict.
 * - Notifications are handed on synchronously and in wire order, those before a response before the response.
 * - After `close` nothing is delivered and nothing is left running.
 */
export interface Transport extends Disposable {
  readonly kind: "stdio" | "http";
  /** Spawns the process, or does nothing on HTTP. Rejects when the command cannot be started. */
  start(listener: TransportListener): Promise<void>;
  /**
   * Sends a request and waits for its response.
   *
   * On HTTP a JSON-RPC error body counts as the response at any status but 401, also when its id is null or missing.
   * An answer with another status or body rejects with an EngineError (`http-status`, `not-json-rpc`, …). A refusal for
   * which there is a new credential by now rejects with AuthorizationRenewed: the call may be made once more, as a new
   * request.
   */
  exchange(request: JsonRpcRequest, options: ExchangeOptions): Promise<ExchangeResult>;
  /** Sends a notification or, in the legacy era, a response. Any 2xx counts as accepted. */
  send(message: JsonRpcNotification | JsonRpcResponse, options: ExchangeOptions): Promise<void>;
  /**
   * Ends the connection in an orderly way and waits until it has ended, within its own limits.
   * stdio: close stdin, wait, TERM, KILL of the process group. HTTP: abort what is open, close the pool.
   */
  close(): Promise<void>;
  /** `close` without waiting. */
  dispose(): void;
}

/** The parts of HTTP that only the legacy era uses. */
export interface HttpTransport extends Transport {
  readonly kind: "http";
  /**
   * Opens the optional GET stream for unsolicited messages. Resolves `false` when the server offers none
   * (405, 501, any other 4xx but 401 and 403, or an answer that is no event stream), `true` when an opened
   * stream has ended. Never reconnects on its own; when it is called again for the same session, the new stream
   * goes on from the last event id of the one before.
   */
  listen(options: ListenOptions): Promise<boolean>;
  /** How long the server wants a client to wait before it listens again, in milliseconds, as its last stream said. */
  readonly listenAgainMs: number | undefined;
  /** Sends DELETE to end a session. 405 and every network error are ignored; bounded to five seconds. */
  endSession(headers: Readonly<Record<string, string>>): Promise<void>;
}

/** The parts of stdio that the era negotiation and the error reports use. */
export interface StdioTransport extends Transport {
  readonly kind: "stdio";
  /** The last bytes of stderr as text, bounded, with what was on stdout and is no message. */
  stderrTail(): string;
}
