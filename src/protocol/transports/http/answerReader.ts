import type { Disposable } from "../../../base/disposable.ts";
import { errorText } from "../../../base/errors.ts";
import { canDecode, ContentDecoder, isCutOff } from "../../../net/contentDecoder.ts";
import { NetError } from "../../../net/netError.ts";
import type { ResponseHandler, ResponseHeaders } from "../../../net/originPool.ts";
import { toNetError } from "../../../net/toNetError.ts";
import { EngineError } from "../../engineError.ts";
import { ByteList } from "../byteList.ts";
import type { HttpCall, SentRequest } from "./httpCall.ts";
import { type AnswerHead, judgeRedirect, readHead } from "./judgeAnswer.ts";
import { maskSent } from "./maskSent.ts";

/** How much of the body of a refusal is read: it is evidence, and nothing waits for its end. */
const REFUSAL_BYTES = 64 * 1024;
/** And how long it is waited for. */
const REFUSAL_MS = 1_000;

const decoder = new TextDecoder();

/** Reads the answer to one HTTP request: judges its head, decodes its body and bounds it. */
export class AnswerReader implements ResponseHandler, Disposable {
  readonly #call: HttpCall;
  readonly #sent: SentRequest;
  readonly #body = new ByteList();
  #mode: "collect" | "stream" | undefined;
  /** Set for an answer that is shown to whoever authorizes before anybody else. */
  #refusal: { readonly head: AnswerHead; readonly headers: ResponseHeaders } | undefined;
  /** Runs out for the body of such an answer. */
  #patience: Disposable | undefined;
  #isFailure = false;
  #decoder: ContentDecoder | undefined;
  /** Why the connection broke, while what came before is still being decoded. */
  #broken: Error | undefined;

  constructor(call: HttpCall, sent: SentRequest) {
    this.#call = call;
    this.#sent = sent;
  }

  onHead(status: number, headers: ResponseHeaders): void {
    const { handler, context } = this.#call;
    if (handler === undefined) return;
    const head = this.#readHead(status, headers);
    const { authorizer } = context;
    if (authorizer !== undefined) {
      if (isRefusal(status)) {
        this.#collectRefusal(head, headers);
        return;
      }
      authorizer.answered({ method: this.#call.request.method, url: this.#sent.url }, headers);
    }
    const { serverName, limits } = context;
    const about = { serverName, method: this.#call.request.what };
    const redirect = judgeRedirect(head, this.#sent.url, this.#sent.hops, about);
    if (redirect.kind === "refuse") {
      this.#call.fail(redirect.error, "after-head");
    } else if (redirect.kind === "follow") {
      this.#call.follow(redirect.url, this.#sent.hops + 1);
    } else if (!isReadable(head.contentEncoding)) {
      const reason = `a body in the encoding “${head.contentEncoding}”, which was not asked for`;
      const args = { server: serverName, method: about.method, reason };
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
    this.#patience?.dispose();
    this.#patience = undefined;
    this.#decoder?.dispose();
    this.#decoder = undefined;
  }

  #collectRefusal(head: AnswerHead, headers: ResponseHeaders): void {
    this.#refusal = { head, headers };
    this.#mode = "collect";
    if (canDecode(head.contentEncoding)) this.#decoder = this.#decode(head.contentEncoding);
    this.#patience = this.#call.context.clock.after(REFUSAL_MS, () => {
      this.#call.hangUp();
      this.#end();
    });
  }

  #take(chunk: Buffer): void {
    if (this.#mode === "stream") {
      this.#call.handler?.onChunk(chunk);
      return;
    }
    this.#body.add(chunk);
    const limit = this.#refusal === undefined ? this.#call.context.limits.messageBytes : REFUSAL_BYTES;
    if (this.#body.bytes > limit) this.#tooLarge();
  }

  #end(): void {
    const body = this.#mask(decoder.decode(this.#body.take()));
    const refusal = this.#refusal;
    if (refusal === undefined) {
      this.#call.handler?.onEnd(body);
      return;
    }
    this.#refusal = undefined;
    this.dispose();
    const text = isReadable(refusal.head.contentEncoding) ? body : "";
    void this.#call.refused({ ...refusal, sent: this.#sent, body: text });
  }

  #readHead(status: number, headers: ResponseHeaders): AnswerHead {
    const head = readHead(status, headers);
    this.#isFailure = status >= 400;
    return this.#isFailure ? { ...head, challenge: this.#mask(head.challenge) } : head;
  }

  /** What a failure says, without the credentials that were sent. A result is nobody's to change. */
  #mask(text: string): string {
    return this.#isFailure ? maskSent(text, this.#call.request.headers, this.#sent.authorization) : text;
  }

  #fail(error: Error): void {
    // What a refusal says is in its head: a body that breaks off takes nothing from it.
    if (this.#refusal !== undefined) {
      this.#end();
      return;
    }
    const { serverName, authorizer } = this.#call.context;
    const when = this.#mode === undefined ? "before-head" : "after-head";
    const failure = toNetError(error, this.#sent.url.href, serverName);
    authorizer?.failed?.({ method: this.#call.request.method, url: this.#sent.url }, failure);
    this.#call.fail(failure, when);
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
        const args = { server: this.#call.context.serverName, host: this.#sent.url.host, encoding };
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
    if (this.#refusal !== undefined) {
      this.#call.hangUp();
      this.#end();
      return;
    }
    this.#body.clear();
    const { serverName, limits } = this.#call.context;
    const args = { server: serverName, limit: limits.messageBytes };
    this.#call.fail(new EngineError("message-too-large", args), "after-head");
  }
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

function isReadable(contentEncoding: string): boolean {
  return contentEncoding === "" || contentEncoding === "identity" || canDecode(contentEncoding);
}
