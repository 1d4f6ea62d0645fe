import { type Dispatcher, Pool } from "undici";

import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";
import { Connector, type ConnectorOptions } from "./connector.ts";

/** Bounds of the connections to one origin, and how they are made. */
export interface OriginPoolOptions extends ConnectorOptions {
  /** Connections at once; further requests wait for one. An open event stream holds a connection. */
  readonly connections: number;
}

/** One request to the origin of a pool. */
export interface OriginRequest {
  readonly method: "POST" | "GET" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What becomes of a request. Exactly one of `onEnd` and `onError` is the last call, unless it was aborted. */
export interface ResponseHandler {
  /** Status and headers; names are lower case. Interim (1xx) responses are left out. */
  onHead(status: number, headers: ResponseHeaders): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** The connection failed, as undici or the socket reported it. */
  onError(error: Error): void;
}

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request under way. Disposing it aborts it. */
export interface OngoingRequest extends Disposable {
  /** Stops reading the answer, until `resume`: what the other side sends then waits there. */
  pause(): void;
  resume(): void;
}

/**
 * The connections to one origin, kept alive between requests. Whoever creates it destroys it.
 *
 * It sets no time limit on answers: how long a request may take is decided per request, and a quiet
 * event stream is healthy. It follows no redirects and decodes nothing.
 */
export class OriginPool implements Disposable {
  /** As in `https://example.org:8443`. */
  readonly origin: string;
  readonly #connector: Connector;
  readonly #pool: Pool;
  #destroyed: Promise<void> | undefined;

  constructor(options: OriginPoolOptions) {
    this.origin = options.origin.origin;
    this.#connector = new Connector(options);
    this.#pool = new Pool(this.origin, {
      connections: options.connections,
      // One request at a time for each connection, with HTTP/2 as well: undici has a POST wait until nothing else
      // runs on its connection, and behind an open event stream that would be for ever.
      pipelining: 1,
      allowH2: options.http2,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: this.#connector.connect,
    });
    trackDisposable(this);
  }

  /**
   * Sends a request. Disposing the answer aborts it: its connection is closed at once, also while the
   * headers are pending, and the handler hears nothing more. Invalid headers are reported as an error.
   */
  send(request: OriginRequest, handler: ResponseHandler): OngoingRequest {
    const call = new PoolCall(handler);
    this.#pool.dispatch(
      {
        origin: this.origin,
        path: request.path,
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
      },
      call,
    );
    return call;
  }

  /** Closes every connection at once; what is under way fails. Resolves when that is done. */
  destroy(): Promise<void> {
    untrackDisposable(this);
    this.#connector.dispose();
    this.#destroyed ??= this.#pool.destroy();
    return this.#destroyed;
  }

  dispose(): void {
    void this.destroy();
  }
}

/** Stands between undici and a handler, so that nothing comes after the end or an abort. */
class PoolCall implements Dispatcher.DispatchHandler, OngoingRequest {
  #handler: ResponseHandler | undefined;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(handler: ResponseHandler) {
    this.#handler = handler;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It was aborted while it waited for a connection.
    if (this.#handler === undefined) controller.abort(new Error("aborted"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    if (status >= 200) this.#handler?.onHead(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler?.onData(chunk);
  }

  onResponseEnd(): void {
    const handler = this.#handler;
    this.#handler = undefined;
    this.#controller = undefined;
    handler?.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const handler = this.#handler;
    this.#handler = undefined;
    this.#controller = undefined;
    handler?.onError(error);
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  dispose(): void {
    this.#handler = undefined;
    const controller = this.#controller;
    this.#controller = undefined;
    if (controller !== undefined && !controller.aborted) controller.abort(new Error("aborted"));
  }
}
