import { deferred } from "../../../base/deferred.ts";
import type { Disposable } from "../../../base/disposable.ts";
import type { Log } from "../../../base/log.ts";
import { NetError } from "../../../net/netError.ts";
import { EngineError } from "../../engineError.ts";
import type { JsonRpcRequest, JsonRpcResponse } from "../../jsonrpc/message.ts";
import { LARGE_TEXT, type ParsedMessage, parseLargeMessage, parseMessage } from "../parseMessage.ts";
import type { ExchangeResult, TransportListener } from "../transport.ts";
import { MessageInbox } from "../messageInbox.ts";
import { EventStreamReader } from "./eventStream.ts";
import {
  type CallContext,
  type CallFailure,
  type CallHandler,
  type CallRequest,
  HttpCall,
} from "./httpCall.ts";
import { type AnswerHead, isSuccess, judgeBody } from "./judgeAnswer.ts";
import { deliverMessage, messageText, type StreamTarget } from "./streamMessages.ts";
import type { StreamResumption } from "./streamResumption.ts";

/** After the response, how long the server may take to end its stream before the connection is closed. */
const TAIL_MS = 1_000;

/** What an exchange needs of its transport. */
export interface ExchangeContext extends CallContext {
  readonly listener: TransportListener;
  readonly log: Log;
}

/**
 * One request and its answer: a POST whose body comes back as JSON or as an event stream.
 * `settled` settles once; `onEnded` is told when nothing of it is left on the network.
 */
export class HttpExchange implements CallHandler {
  readonly #outcome = deferred<ExchangeResult>();
  readonly settled = this.#outcome.promise;
  onEnded: (() => void) | undefined;
  readonly #context: ExchangeContext;
  readonly #message: JsonRpcRequest;
  /** Made when a stream begins: most answers are none. */
  #reader: EventStreamReader | undefined;
  #inbox: MessageInbox | undefined;
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
    if (!this.#isStream) return "collect";
    this.#reader ??= this.#makeReader();
    return "stream";
  }

  onChunk(chunk: Buffer): void {
    if (this.#reader?.push(chunk) === "too-large") {
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
    if (body.length < LARGE_TEXT) this.#judge(head, body, parseMessage(body));
    else void parseLargeMessage(body).then((parsed) => this.#judge(head, body, parsed));
  }

  #judge(head: AnswerHead, body: string, parsed: ParsedMessage): void {
    const { serverName } = this.#context;
    const { id, method } = this.#message;
    const answer = judgeBody(head, body, id, { serverName, method }, parsed);
    if (answer instanceof EngineError) this.stop(answer);
    else this.#settle(answer);
    this.#finish();
  }

  onError(error: Error, when: CallFailure): void {
    if (when === "refused") {
      // Refused is only the rest of its stream, when the request itself was taken before: it may have been carried out.
      const isTaken = this.#resumption?.isResuming === true;
      this.stop(isTaken ? this.#error("stream-ended", {}, error) : error);
      return;
    }
    // Once an answer has begun, the network's words matter less than that the outcome is unknown.
    const hasBegun = when === "after-head" || this.#resumption?.isResuming === true;
    const isOfNetwork = !(error instanceof EngineError || isBadEncoding(error));
    if (hasBegun && isOfNetwork) this.#streamEnded(error);
    else this.stop(error);
  }

  #streamEnded(cause: Error | undefined): void {
    if (this.#isStream) this.#reader?.end();
    if (this.#inbox === undefined) this.#brokeOff(cause);
    else {
      this.#inbox.whenRead(() => {
        this.#brokeOff(cause);
      });
    }
  }

  /** The answer broke off: what it brought may be enough, or the rest may be had again, or the outcome is unknown. */
  #brokeOff(cause: Error | undefined): void {
    const reader = this.#reader;
    const isWaiting = reader !== undefined && !this.#isAnswered && !this.#isOver;
    if (isWaiting && this.#resumption?.plan(reader, (request) => this.begin(request)) === true) {
      this.#context.log.write("debug", `Taking up the stream of ${this.#message.method} again`);
      reader.reset();
      this.#isStream = false;
      return;
    }
    // Most streams end behind their answer: making an error that nobody hears takes longer than all the rest.
    if (this.#isAnswered) this.#finish();
    else this.stop(this.#error("stream-ended", {}, cause));
  }

  #settle(response: JsonRpcResponse): void {
    const { status = 200, sessionId } = this.#head ?? {};
    this.#outcome.resolve({ response, http: { status, sessionId } });
    this.#isAnswered = true;
  }

  #makeReader(): EventStreamReader {
    const { listener, log, limits } = this.#context;
    const target: StreamTarget = {
      listener,
      log,
      requestId: this.#message.id,
      onResponse: (response) => {
        this.#settle(response);
        this.#awaitEnd();
      },
      onInvalidAnswer: (reason) => {
        this.stop(this.#error("not-json-rpc", { reason }));
      },
    };
    const source = {
      pause: () => this.#call?.current?.pause(),
      resume: () => this.#call?.current?.resume(),
    };
    const inbox = new MessageInbox(source, (parsed, text) => {
      if (!this.#isOver) deliverMessage(parsed, text, target);
    });
    this.#inbox = inbox;
    return new EventStreamReader(limits.messageBytes, (event) => {
      const text = this.#isOver ? undefined : messageText(event, log);
      if (text !== undefined) inbox.put(text);
    });
  }

  #awaitEnd(): void {
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
    this.onEnded?.();
    this.onEnded = undefined;
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
