import type { Dispatcher } from "undici";

import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";
import { Connector, type ConnectorOptions } from "./connector.ts";
import { Pool } from "./undici.ts";
import type { Zone } from "./zones.ts";

/** Bounds of the connections to one origin, and how they are made. */
export interface OriginPoolOptions extends ConnectorOptions {
  /** Connections at once; further requests wait for one. An open event stream holds a connection. */
  readonly connections: number;
  /** The zone that `admit` checks new connections for. */
  readonly zone?: (() => Zone | undefined) | undefined;
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
  readonly #options: OriginPoolOptions;
  readonly #connector: Connector;
  #zone: Zone | undefined;
  #pool: Pool;
  /** Those whose connections were checked for another zone, while something is still under way on them. */
  readonly #outdated = new Set<Pool>();
  #destroyed: Promise<void> | undefined;

  constructor(options: OriginPoolOptions) {
    this.origin = options.origin.origin;
    this.#options = options;
    this.#connector = new Connector(options);
    this.#zone = options.zone?.();
    this.#pool = this.#newPool();
    trackDisposable(this);
  }

  /**
   * Sends a request. Disposing the answer aborts it: its connection is closed at once, also while the
   * headers are pending, and the handler hears nothing more. Invalid headers are reported as an error.
   */
  send(request: OriginRequest, handler: ResponseHandler): OngoingRequest {
    const call = new PoolCall(handler);
    if (this.#options.zone !== undefined) this.#follow(this.#options.zone());
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
    this.#destroyed ??= this.#destroyPools();
    return this.#destroyed;
  }

  dispose(): void {
    void this.destroy();
  }

  async #destroyPools(): Promise<void> {
    await Promise.all([this.#pool, ...this.#outdated].map((pool) => pool.destroy()));
  }

  /** Leaves the connections behind that were checked for another zone, or for none. */
  #follow(zone: Zone | undefined): void {
    if (zone === this.#zone || this.#destroyed !== undefined) return;
    this.#zone = zone;
    const outdated = this.#pool;
    this.#pool = this.#newPool();
    this.#outdated.add(outdated);
    // It ends by itself as soon as nothing is under way on it, or with everything else.
    const forget = (): boolean => this.#outdated.delete(outdated);
    outdated.close().then(forget, forget);
  }

  #newPool(): Pool {
    return new Pool(this.origin, {
      connections: this.#options.connections,
      // One request at a time for each connection, with HTTP/2 as well: undici has a POST wait until nothing else
      // runs on its connection, and behind an open event stream that would be for ever.
      pipelining: 1,
      allowH2: this.#options.http2,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: this.#connector.connect,
    });
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
