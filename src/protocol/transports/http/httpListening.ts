import { deferred } from "../../../base/deferred.ts";
import type { Disposable } from "../../../base/disposable.ts";
import { EngineError } from "../../engineError.ts";
import { EventStreamReader } from "./eventStream.ts";
import { type CallFailure, type CallHandler, type CallRequest, HttpCall } from "./httpCall.ts";
import type { ExchangeContext } from "./httpExchange.ts";
import { type AnswerHead, isSuccess, statusError } from "./judgeAnswer.ts";
import { deliverEvent } from "./streamMessages.ts";

/** Statuses by which a server says that it has no such stream, beside the 4xx that are not about sign-in. */
const NOT_IMPLEMENTED = 501;
/** After such a status, how long its body may take to end before the connection is closed. */
const TAIL_MS = 1_000;

/**
 * The legacy GET stream for messages that belong to no request.
 * `settled` resolves false when there is none, true when an opened one has ended.
 */
export class HttpListening implements CallHandler {
  readonly #outcome = deferred<boolean>();
  readonly settled = this.#outcome.promise;
  onEnded: (() => void) | undefined;
  readonly #context: ExchangeContext;
  readonly #reader: EventStreamReader;
  readonly #onOpen: () => void;
  #call: HttpCall | undefined;
  #head: AnswerHead | undefined;
  #tail: Disposable | undefined;
  #isOver = false;

  /** @param onOpen called when an event stream has begun */
  constructor(context: ExchangeContext, onOpen: () => void) {
    this.#context = context;
    this.#onOpen = onOpen;
    this.#reader = new EventStreamReader(context.limits.messageBytes, (event) => {
      if (this.#isOver) return;
      deliverEvent(event, {
        listener: context.listener,
        log: context.log,
        requestId: undefined,
        onResponse: () => undefined,
        onInvalidAnswer: () => undefined,
      });
    });
  }

  /** The id of the last event that had one; empty when none had. */
  get lastEventId(): string {
    return this.#reader.lastEventId;
  }

  /** How long the server wants a client to wait before it comes back, in milliseconds. */
  get retryMs(): number | undefined {
    return this.#reader.retryMs;
  }

  begin(request: CallRequest): void {
    const call = new HttpCall(this.#context, request, this);
    this.#call = call;
    if (this.#isOver) call.dispose();
  }

  stop(reason: Error): void {
    this.#outcome.reject(reason);
    this.#finish();
  }

  onHead(head: AnswerHead): "collect" | "stream" {
    this.#head = head;
    if (isRefusal(head.status)) this.#refused(head.status);
    if (!isSuccess(head.status)) return "collect";
    if (head.contentType === "text/event-stream") {
      this.#onOpen();
      return "stream";
    }
    this.#context.log.write("debug", `The GET stream was answered with “${head.contentType}”: there is none`);
    this.#outcome.resolve(false);
    this.#finish();
    return "collect";
  }

  onChunk(chunk: Buffer): void {
    if (this.#reader.push(chunk) === "ok") return;
    const { serverName, limits } = this.#context;
    this.stop(new EngineError("message-too-large", { server: serverName, limit: limits.messageBytes }));
  }

  onEnd(body: string): void {
    const head = this.#head ?? { status: 200, retryAfter: undefined };
    const { status } = head;
    if (isSuccess(status)) {
      this.#outcome.resolve(true);
    } else if (!isRefusal(status)) {
      this.#outcome.reject(statusError(head, body, { serverName: this.#context.serverName, method: "GET" }));
    }
    this.#finish();
  }

  onError(error: Error, when: CallFailure): void {
    // A background stream that drops is nothing to report: it has ended.
    if (when === "after-head" && !(error instanceof EngineError)) {
      this.#outcome.resolve(true);
      this.#finish();
    } else {
      this.stop(error);
    }
  }

  /** The status says it. A short body is read to its end, so that the connection can be used again; no other is. */
  #refused(status: number): void {
    this.#context.log.write("debug", `The server offers no GET stream (HTTP ${String(status)})`);
    this.#outcome.resolve(false);
    this.#tail ??= this.#context.clock.after(TAIL_MS, () => {
      this.#finish();
    });
  }

  #finish(): void {
    this.#isOver = true;
    this.#tail?.dispose();
    this.#tail = undefined;
    this.#call?.dispose();
    this.#call = undefined;
    this.onEnded?.();
    this.onEnded = undefined;
  }
}

function isRefusal(status: number): boolean {
  return status === NOT_IMPLEMENTED || (status >= 400 && status < 500 && status !== 401 && status !== 403);
}
