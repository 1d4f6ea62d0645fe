import type { Disposable } from "../../../base/disposable.ts";
import { errorText } from "../../../base/errors.ts";
import { toNetError } from "../../../net/toNetError.ts";
import { canDecode, ContentDecoder, isCutOff } from "../../../net/contentDecoder.ts";
import { NetError } from "../../../net/netError.ts";
import type {
  OngoingRequest,
  OriginPool,
  ResponseHandler,
  ResponseHeaders,
} from "../../../net/originPool.ts";
import { EngineError } from "../../engineError.ts";
import type { Limits } from "../../limits.ts";
import { ByteList } from "../byteList.ts";
import { type AnswerHead, judgeRedirect, readHead } from "./judgeAnswer.ts";

/** What every call to one server shares. */
export interface CallContext {
  readonly serverName: string;
  readonly pool: OriginPool;
  readonly limits: Limits;
}

/** One HTTP request. */
export interface CallRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What is asked for, as error messages name it. */
  readonly what: string;
}

/** Takes the answer of one call. After an error, and after the call was disposed, nothing more comes. */
export interface CallHandler {
  /** Says how to read the body: in one piece, as it comes, or not at all. */
  onHead(head: AnswerHead): "collect" | "stream";
  /** The next piece of a body that is read as it comes. */
  onChunk(chunk: Buffer): void;
  /** The body ended. It is empty when it was read as it came. */
  onEnd(body: string): void;
  onError(error: Error, when: "before-head" | "after-head"): void;
}

const decoder = new TextDecoder();

/**
 * Performs one HTTP request within the configured origin: follows the redirects that may be followed, refuses
 * the others, and bounds what is collected. Disposing it closes the connection at once.
 */
export class HttpCall implements Disposable {
  readonly #context: CallContext;
  readonly #request: CallRequest;
  readonly #handler: CallHandler;
  #current: OngoingRequest | undefined;
  #reader: AnswerReader | undefined;
  #disposed = false;

  constructor(context: CallContext, request: CallRequest, handler: CallHandler) {
    this.#context = context;
    this.#request = request;
    this.#handler = handler;
    this.#send(request.url, 0);
  }

  dispose(): void {
    this.#disposed = true;
    this.#reader?.dispose();
    this.#current?.dispose();
    this.#current = undefined;
  }

  /** The connection under the answer, for slowing it down. */
  get current(): OngoingRequest | undefined {
    return this.#current;
  }

  #send(url: URL, hops: number): void {
    const { method, headers, body } = this.#request;
    const reader = new AnswerReader(this, this.#context, this.#request, url, hops);
    this.#reader = reader;
    this.#current = this.#context.pool.send(
      { method, path: url.pathname + url.search, headers, ...(body === undefined ? {} : { body }) },
      reader,
    );
  }

  /** Goes to another address of the same origin with the same message. */
  follow(url: URL, hops: number): void {
    if (this.#disposed) return;
    this.#current?.dispose();
    this.#send(url, hops);
  }

  /** The handler, as long as it may be told something. */
  get handler(): CallHandler | undefined {
    return this.#disposed ? undefined : this.#handler;
  }

  fail(error: Error, when: "before-head" | "after-head"): void {
    const { handler } = this;
    this.dispose();
    handler?.onError(error, when);
  }
}

class AnswerReader implements ResponseHandler, Disposable {
  readonly #call: HttpCall;
  readonly #context: CallContext;
  readonly #request: CallRequest;
  readonly #url: URL;
  readonly #hops: number;
  readonly #body = new ByteList();
  #mode: "collect" | "stream" | undefined;
  #decoder: ContentDecoder | undefined;
  /** Why the connection broke, while what came before is still being decoded. */
  #broken: Error | undefined;

  constructor(call: HttpCall, context: CallContext, request: CallRequest, url: URL, hops: number) {
    this.#call = call;
    this.#context = context;
    this.#request = request;
    this.#url = url;
    this.#hops = hops;
  }

  onHead(status: number, headers: ResponseHeaders): void {
    const { handler } = this.#call;
    if (handler === undefined) return;
    const head = readHead(status, headers);
    const { serverName, limits } = this.#context;
    const about = { serverName, method: this.#request.what };
    const redirect = judgeRedirect(head, this.#url, this.#hops, about);
    if (redirect.kind === "refuse") {
      this.#call.fail(redirect.error, "after-head");
    } else if (redirect.kind === "follow") {
      this.#call.follow(redirect.url, this.#hops + 1);
    } else if (!isReadable(head.contentEncoding)) {
      const reason = `a body in the encoding “${head.contentEncoding}”, which was not asked for`;
      const args = { server: serverName, method: this.#request.what, reason };
      this.#call.fail(new EngineError("not-json-rpc", args, { httpStatus: status }), "after-head");
    } else {
      this.#mode = handler.onHead(head);
      if (canDecode(head.contentEncoding)) this.#decoder = this.#decode(head.contentEncoding);
      if (this.#mode === "collect" && (head.contentLength ?? 0) > limits.messageBytes) this.#tooLarge();
    }
  }

  onData(chunk: Buffer): void {
    if (this.#decoder === undefined) this.#take(chunk);
    else this.#decoder.push(chunk);
  }

  onEnd(): void {
    if (this.#decoder === undefined) this.#end();
    else this.#decoder.end();
  }

  onError(error: Error): void {
    if (this.#decoder === undefined) {
      this.#fail(error);
      return;
    }
    this.#broken = error;
    this.#decoder.end();
  }

  dispose(): void {
    this.#decoder?.dispose();
  }

  #take(chunk: Buffer): void {
    if (this.#mode === "stream") {
      this.#call.handler?.onChunk(chunk);
      return;
    }
    this.#body.add(chunk);
    if (this.#body.bytes > this.#context.limits.messageBytes) this.#tooLarge();
  }

  #end(): void {
    this.#call.handler?.onEnd(decoder.decode(this.#body.take()));
  }

  #fail(error: Error): void {
    const { serverName } = this.#context;
    const when = this.#mode === undefined ? "before-head" : "after-head";
    this.#call.fail(toNetError(error, this.#url.href, serverName), when);
  }

  /** Everything below works on what comes out of the decoder: it is that which is bounded. */
  #decode(encoding: string): ContentDecoder {
    return new ContentDecoder(encoding, {
      onData: (chunk) => {
        this.#take(chunk);
      },
      onEnd: () => {
        if (this.#broken === undefined) this.#end();
        else this.#fail(this.#broken);
      },
      onError: (error) => {
        // A stream may end anywhere: what it brought counts.
        if (this.#broken === undefined && this.#mode === "stream" && isCutOff(error)) {
          this.#end();
          return;
        }
        const args = { server: this.#context.serverName, host: this.#url.host, encoding };
        const reason = errorText(error);
        this.#fail(this.#broken ?? new NetError("bad-encoding", { ...args, reason }, { cause: error }));
      },
      pause: () => {
        this.#call.current?.pause();
      },
      resume: () => {
        this.#call.current?.resume();
      },
    });
  }

  #tooLarge(): void {
    this.#body.clear();
    const { serverName, limits } = this.#context;
    const args = { server: serverName, limit: limits.messageBytes };
    this.#call.fail(new EngineError("message-too-large", args), "after-head");
  }
}

function isReadable(contentEncoding: string): boolean {
  return contentEncoding === "" || contentEncoding === "identity" || canDecode(contentEncoding);
}
