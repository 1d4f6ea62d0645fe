import type { Clock } from "../../../base/clock.ts";
import { deferred } from "../../../base/deferred.ts";
import type { Disposable } from "../../../base/disposable.ts";
import type { Log } from "../../../base/log.ts";
import { NetError } from "../../../net/netError.ts";
import { EngineError } from "../../engineError.ts";
import type { JsonRpcRequest, JsonRpcResponse } from "../../jsonrpc/message.ts";
import type { ExchangeResult, TransportListener } from "../transport.ts";
import { EventStreamReader } from "./eventStream.ts";
import { type CallContext, type CallHandler, type CallRequest, HttpCall } from "./httpCall.ts";
import { type AnswerHead, isSuccess, judgeBody } from "./judgeAnswer.ts";
import { deliverEvent } from "./streamMessages.ts";
import type { StreamResumption } from "./streamResumption.ts";

/** After the response, how long the server may take to end its stream before the connection is closed. */
const TAIL_MS = 1_000;

/** What an exchange needs of its transport. */
export interface ExchangeContext extends CallContext {
  readonly listener: TransportListener;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * One request and its answer: a POST whose body comes back as JSON or as an event stream.
 * `settled` settles once; `ended` resolves when nothing of it is left on the network.
 */
export class HttpExchange implements CallHandler {
  readonly #outcome = deferred<ExchangeResult>();
  readonly #end = deferred();
  readonly settled = this.#outcome.promise;
  readonly ended = this.#end.promise;
  readonly #context: ExchangeContext;
  readonly #message: JsonRpcRequest;
  readonly #reader: EventStreamReader;
  #call: HttpCall | undefined;
  #resumption: StreamResumption | undefined;
  #tail: Disposable | undefined;
  #head: AnswerHead | undefined;
  #isStream = false;
  #isAnswered = false;
  #isOver = false;

  constructor(context: ExchangeContext, message: JsonRpcRequest) {
    this.#context = context;
    this.#message = message;
    this.#reader = new EventStreamReader(context.limits.messageBytes, (event) => {
      if (this.#isOver) return;
      deliverEvent(event, {
        listener: context.listener,
        log: context.log,
        requestId: message.id,
        onResponse: (response) => {
          this.#succeed(response);
        },
        onInvalidAnswer: (reason) => {
          this.stop(this.#error("not-json-rpc", { reason }));
        },
      });
    });
  }

  /** Sends the request. A `resumption` takes up its stream again when it ends too early. */
  begin(request: CallRequest, resumption?: StreamResumption): void {
    this.#resumption ??= resumption;
    const call = new HttpCall(this.#context, request, this);
    this.#call = call;
    if (this.#isOver) call.dispose();
  }

  /** Ends the exchange now: rejects unless it has settled, closes the connection, delivers nothing more. */
  stop(reason: Error): void {
    this.#outcome.reject(reason);
    this.#finish();
  }

  onHead(head: AnswerHead): "collect" | "stream" {
    if (this.#resumption?.isResuming !== true) this.#head = head;
    this.#isStream = isSuccess(head.status) && head.contentType === "text/event-stream";
    return this.#isStream ? "stream" : "collect";
  }

  onChunk(chunk: Buffer): void {
    if (this.#reader.push(chunk) === "too-large") {
      this.stop(this.#error("message-too-large", { limit: this.#context.limits.messageBytes }));
    }
  }

  onEnd(body: string): void {
    const head = this.#head;
    if (head === undefined || this.#isStream || this.#resumption?.isResuming === true) {
      this.#streamEnded(undefined);
      return;
    }
    this.#context.log.write("trace", `← HTTP ${String(head.status)}`, () => body);
    const { serverName } = this.#context;
    const answer = judgeBody(head, body, this.#message.id, { serverName, method: this.#message.method });
    if (answer instanceof EngineError) this.stop(answer);
    else this.#succeed(answer);
    this.#finish();
  }

  onError(error: Error, when: "before-head" | "after-head"): void {
    // Once an answer has begun, the network's words matter less than that the outcome is unknown.
    const hasBegun = when === "after-head" || this.#resumption?.isResuming === true;
    const isOfNetwork = !(error instanceof EngineError || isBadEncoding(error));
    if (hasBegun && isOfNetwork) this.#streamEnded(error);
    else this.stop(error);
  }

  /** The answer broke off: what it brought may be enough, or the rest may be had again, or the outcome is unknown. */
  #streamEnded(cause: Error | undefined): void {
    if (this.#isStream) this.#reader.end();
    const isWaiting = !this.#isAnswered && !this.#isOver;
    if (isWaiting && this.#resumption?.plan(this.#reader, (request) => this.begin(request)) === true) {
      this.#context.log.write("debug", `Taking up the stream of ${this.#message.method} again`);
      this.#reader.reset();
      this.#isStream = false;
      return;
    }
    this.stop(this.#error("stream-ended", {}, cause));
  }

  #succeed(response: JsonRpcResponse): void {
    const { status = 200, sessionId } = this.#head ?? {};
    this.#outcome.resolve({ response, http: { status, sessionId } });
    this.#isAnswered = true;
    if (this.#isOver) return;
    // The stream normally ends now, and the connection can be used again.
    this.#tail ??= this.#context.clock.after(TAIL_MS, () => {
      this.#finish();
    });
  }

  #finish(): void {
    this.#isOver = true;
    this.#tail?.dispose();
    this.#tail = undefined;
    this.#resumption?.dispose();
    this.#call?.dispose();
    this.#call = undefined;
    this.#end.resolve(undefined);
  }

  #error(
    code: "not-json-rpc" | "message-too-large" | "stream-ended",
    args: Readonly<Record<string, string | number>>,
    cause?: unknown,
  ): EngineError {
    const { serverName } = this.#context;
    const all = { server: serverName, method: this.#message.method, ...args };
    return new EngineError(code, all, { cause, httpStatus: this.#head?.status });
  }
}

function isBadEncoding(error: Error): boolean {
  return error instanceof NetError && error.code === "bad-encoding";
}
