import { rejected } from "../base/abortable.ts";
import type { Clock } from "../base/clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";
import { isJsonObject, type JsonObject, readAmount } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { EngineError } from "./engineError.ts";
import type { JsonRpcNotification, JsonRpcRequest, JsonRpcResponse, RequestId } from "./jsonrpc/message.ts";
import type { Limits } from "./limits.ts";
import type { Progress } from "./model/tool.ts";
import { isLargerThan } from "./mrtr/inputSize.ts";
import { shorten } from "./shorten.ts";
import { SlotQueue } from "./slotQueue.ts";
import { AuthorizationRenewed } from "./transports/authorizationRefusal.ts";
import type { ExchangeResult, Transport } from "./transports/transport.ts";

/** What an era session hears from its channel. */
export interface ChannelListener {
  onNotification(message: JsonRpcNotification, relatedTo: RequestId | undefined): void;
  onRequest(message: JsonRpcRequest, relatedTo: RequestId | undefined): void;
}

/** One request on its way through a channel. */
export interface ChannelCall {
  readonly method: string;
  /** Makes parameters and headers once the id is known; the id doubles as the progress token. */
  readonly build: (id: number) => {
    readonly params: JsonObject | undefined;
    readonly headers?: Record<string, string> | undefined;
  };
  readonly signal: AbortSignal;
  /** True for a request that stays open, such as a subscription: it takes no place from ordinary ones. */
  readonly isLasting?: boolean;
  /** True when a stream that breaks before the response may be taken up again; the modern era forbids it. */
  readonly isResumable?: boolean;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Progress is heard until then, also after the answer; undefined ends it with the answer. */
  readonly progressUntil?: AbortSignal | undefined;
  /** The era's way to tell the server that nobody waits any more; undefined when closing the stream says it. */
  readonly cancelMessage?: ((id: number) => JsonRpcNotification | undefined) | undefined;
}

/** Who hears of a request's progress, and how far it was; it may not go back. */
interface ProgressWatch {
  /** Undefined when nobody hears it any more: outgrown tables of a `Map` hold on to their entries for a while. */
  tell: ((progress: Progress) => void) | undefined;
  last: number;
}

/** Messages that are kept for the session while the era is not known yet. */
const MAX_EARLY = 64;
/** A larger one is dropped: nothing that has to be said so early takes as much. */
const MAX_EARLY_SIZE = 65_536;
/** The time limit of a message that nobody waits for: a cancellation, an answer to a server. */
const SEND_LIMIT_MS = 10_000;

/**
 * A transport with the bookkeeping that both eras share: ids, progress, the number of requests under way,
 * and the end of the connection. It knows nothing of versions, sessions and capabilities.
 */
export class Channel implements Disposable {
  readonly transport: Transport;
  readonly #options: {
    readonly serverName: string;
    readonly limits: Limits;
    readonly clock: Clock;
    readonly log: Log;
  };
  readonly #progress = new Map<RequestId, ProgressWatch>();
  readonly #slots: SlotQueue;
  readonly #closed = new AbortController();
  #listener: ChannelListener | undefined;
  /** What came before there was a session to hear it, in order: the answer to `initialize` may bring more with it. */
  #early: ((listener: ChannelListener) => void)[] = [];
  #nextId = 1;

  constructor(
    transport: Transport,
    options: {
      readonly serverName: string;
      readonly limits: Limits;
      readonly clock: Clock;
      readonly log: Log;
    },
  ) {
    this.transport = transport;
    this.#options = options;
    this.#slots = new SlotQueue(options.limits.concurrentRequests);
    trackDisposable(this);
  }

  /** Aborted when the connection has ended, with the reason. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  get log(): Log {
    return this.#options.log;
  }

  get serverName(): string {
    return this.#options.serverName;
  }

  /** Starts the transport. Rejects when the command cannot be started. */
  async start(): Promise<void> {
    await this.transport.start({
      onNotification: (message, relatedTo) => {
        if (message.method === "notifications/progress") this.#deliverProgress(message);
        else {
          this.#tell(message, (listener) => {
            listener.onNotification(message, relatedTo);
          });
        }
      },
      onRequest: (message, relatedTo) => {
        this.#tell(message, (listener) => {
          listener.onRequest(message, relatedTo);
        });
      },
      onClosed: (reason) => {
        this.#closed.abort(reason);
      },
    });
  }

  /** Sets who hears notifications and requests: the session of the era once it is known. */
  attach(listener: ChannelListener): void {
    this.#listener = listener;
    for (const tell of this.#early.splice(0)) tell(listener);
  }

  /**
   * Sends a request and waits for its response, whatever the response says. One that was refused while its credential
   * was renewed is made once more: `build` is called again, with another id.
   * Rejects with the signal's reason, with the reason of the connection's end, or with the transport's error.
   */
  exchange(call: ChannelCall): Promise<ExchangeResult> {
    const closed = this.#closed.signal;
    if (closed.aborted) return Promise.reject(closed.reason as Error);
    if (call.signal.aborted) return Promise.reject(call.signal.reason as Error);
    if (call.isLasting === true || this.#slots.tryTake()) return this.#exchange(call);
    return this.#slots.wait(call.signal).then(() => this.#exchange(call));
  }

  /** Sends a message that has no answer, within ten seconds. */
  async send(
    message: JsonRpcNotification | JsonRpcResponse,
    headers?: Record<string, string>,
  ): Promise<void> {
    const limit = new AbortController();
    const timer = this.clock.after(SEND_LIMIT_MS, () => {
      limit.abort(
        new EngineError("timeout", {
          server: this.serverName,
          method: "method" in message ? message.method : "a response",
          seconds: SEND_LIMIT_MS / 1000,
        }),
      );
    });
    try {
      await this.transport.send(message, { signal: limit.signal, ...(headers && { headers }) });
    } finally {
      timer.dispose();
    }
  }

  /** Ends the connection and waits for the transport to be gone. */
  async close(): Promise<void> {
    this.#end();
    await this.transport.close();
  }

  dispose(): void {
    this.#end();
    this.transport.dispose();
  }

  /** Sends a request that has its place. Every call comes through here, so there is no promise more than is needed. */
  #exchange(call: ChannelCall, isRepeated = false): Promise<ExchangeResult> {
    const id = this.#nextId++;
    if (call.onProgress !== undefined)
      this.#progress.set(id, { tell: call.onProgress, last: Number.NEGATIVE_INFINITY });
    let headers: Record<string, string> | undefined;
    let answer: Promise<ExchangeResult>;
    try {
      const built = call.build(id);
      headers = built.headers;
      answer = this.transport.exchange(requestOf(id, call.method, built.params), {
        signal: call.signal,
        headers,
        resumable: call.isResumable === true,
      });
    } catch (error) {
      answer = rejected(error as Error);
    }
    return answer.then(
      (result) => {
        this.#leave(id, call);
        return result;
      },
      (error: unknown) => {
        const isOver = call.signal.aborted || this.#closed.signal.aborted;
        if (error instanceof AuthorizationRenewed && !isRepeated && !isOver) {
          // It was refused before anybody looked at it. It keeps its place; nothing belongs to its first id any more.
          this.#endProgress(id, undefined);
          return this.#exchange(call, true);
        }
        if (call.signal.aborted) this.#sendCancel(call, id, headers);
        this.#leave(id, call);
        if (!(error instanceof AuthorizationRenewed)) throw error;
        throw call.signal.aborted ? call.signal.reason : error.refusal;
      },
    );
  }

  /** Frees the place of a request that has its answer or was given up. */
  #leave(id: number, call: ChannelCall): void {
    this.#endProgress(id, call.progressUntil);
    if (call.isLasting !== true) this.#slots.release();
  }

  #end(): void {
    untrackDisposable(this);
    if (!this.#closed.signal.aborted) {
      this.#closed.abort(new EngineError("closed", { server: this.serverName }));
    }
    this.#listener = undefined;
    this.#early = [];
  }

  #tell(message: JsonRpcNotification | JsonRpcRequest, tell: (listener: ChannelListener) => void): void {
    if (this.#listener !== undefined) tell(this.#listener);
    else if (!this.#closed.signal.aborted && this.#early.length < MAX_EARLY) {
      if (isLargerThan(message.params, MAX_EARLY_SIZE))
        this.log.write(
          "warn",
          `Dropped ${shorten(message.method)}, which came before the handshake and is too large.`,
        );
      else this.#early.push(tell);
    }
  }

  #sendCancel(call: ChannelCall, id: number, headers: Record<string, string> | undefined): void {
    const message = call.cancelMessage?.(id);
    if (message === undefined || this.#closed.signal.aborted) return;
    // Nobody waits for this: the call has ended for its caller already.
    this.send(message, headers).catch((error: unknown) => {
      this.log.write("debug", `Could not send the cancellation of ${call.method}: ${String(error)}`);
    });
  }

  #endProgress(id: number, until: AbortSignal | undefined): void {
    const watch = this.#progress.get(id);
    if (watch === undefined) return;
    const end = (): void => {
      watch.tell = undefined;
      this.#progress.delete(id);
    };
    if (until === undefined || until.aborted) end();
    else until.addEventListener("abort", end, { once: true });
  }

  #deliverProgress(message: JsonRpcNotification): void {
    const params = message.params;
    const token = params?.["progressToken"];
    const progress = readAmount(params?.["progress"]);
    if ((typeof token !== "string" && typeof token !== "number") || progress === undefined) {
      this.log.write("debug", "Dropped a progress notification without a token or a number.");
      return;
    }
    const watch = this.#progress.get(token);
    // A token that is unknown belongs to a request that has ended, or to none.
    if (watch === undefined) return;
    if (progress < watch.last) {
      this.log.write("debug", `Dropped progress that went back from ${String(watch.last)}.`);
      return;
    }
    watch.last = progress;
    const total = readAmount(params?.["total"]);
    const text = params?.["message"];
    const told: { progress: number; total?: number; message?: string } = { progress };
    if (total !== undefined) told.total = total;
    if (typeof text === "string") told.message = text;
    watch.tell?.(told);
  }
}

function requestOf(id: number, method: string, params: JsonObject | undefined): JsonRpcRequest {
  return params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params };
}

/** The `_meta` object of some parameters, or an empty one. */
export function metaOf(value: JsonObject | undefined): JsonObject {
  const meta = value?.["_meta"];
  return isJsonObject(meta) ? meta : {};
}
