import type { Clock } from "../../../base/clock.ts";
import type { Disposable } from "../../../base/disposable.ts";
import { parseAuthChallenges } from "../../../net/authChallenges.ts";
import type { OngoingRequest, OriginPool, ResponseHeaders } from "../../../net/originPool.ts";
import type { RequestAuthorizer } from "../../../net/requestAuthorizer.ts";
import type { Limits } from "../../limits.ts";
import { AuthorizationRenewed, markRefusal } from "../authorizationRefusal.ts";
import { AnswerReader } from "./answerReader.ts";
import { type AnswerHead, statusError } from "./judgeAnswer.ts";

/** What every call to one server shares. */
export interface CallContext {
  readonly serverName: string;
  readonly pool: OriginPool;
  readonly limits: Limits;
  readonly clock: Clock;
  /** Asked for every single request; undefined sends what the settings say and nothing more. */
  readonly authorizer?: RequestAuthorizer | undefined;
}

/** One HTTP request. */
export interface CallRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What is asked for, as error messages name it. */
  readonly what: string;
  /** True when the message has an id, so that it is not sent a second time as it is. */
  readonly hasId?: boolean;
}

/** Where one request of a call went, and what authorized it. */
export interface SentRequest {
  readonly url: URL;
  /** Redirects that led there. */
  readonly hops: number;
  readonly authorization: Readonly<Record<string, string>>;
}

/**
 * When something went wrong: before an answer, within one, or because whoever authorizes requests did not let this one
 * be sent, or says what its refusal means.
 */
export type CallFailure = "before-head" | "after-head" | "refused";

/** Takes the answer of one call. After an error, and after the call was disposed, nothing more comes. */
export interface CallHandler {
  /** Says how to read the body: in one piece, as it comes, or not at all. */
  onHead(head: AnswerHead): "collect" | "stream";
  /** The next piece of a body that is read as it comes. */
  onChunk(chunk: Buffer): void;
  /** The body ended. It is empty when it was read as it came. */
  onEnd(body: string): void;
  onError(error: Error, when: CallFailure): void;
}

const NOTHING: Readonly<Record<string, string>> = {};

/**
 * Performs one HTTP request within the configured origin: has it authorized, follows the redirects that may be
 * followed, refuses the others, and bounds what is collected. Disposing it closes the connection at once.
 */
export class HttpCall implements Disposable {
  readonly context: CallContext;
  readonly request: CallRequest;
  readonly #handler: CallHandler;
  #current: OngoingRequest | undefined;
  #reader: AnswerReader | undefined;
  /** For whoever authorizes; made when there is somebody. */
  #abort: AbortController | undefined;
  #isRepeated = false;
  #disposed = false;

  constructor(context: CallContext, request: CallRequest, handler: CallHandler) {
    this.context = context;
    this.request = request;
    this.#handler = handler;
    this.#send(request.url, 0);
  }

  dispose(): void {
    this.#disposed = true;
    this.#abort?.abort();
    this.#reader?.dispose();
    this.hangUp();
  }

  /** Closes the connection; the call may go on with what came over it. */
  hangUp(): void {
    this.#current?.dispose();
    this.#current = undefined;
  }

  /** The connection under the answer, for slowing it down. */
  get current(): OngoingRequest | undefined {
    return this.#current;
  }

  /** The handler, as long as it may be told something. */
  get handler(): CallHandler | undefined {
    return this.#disposed ? undefined : this.#handler;
  }

  /** Goes to another address of the same origin with the same message. */
  follow(url: URL, hops: number): void {
    if (this.#disposed) return;
    this.hangUp();
    this.#send(url, hops);
  }

  fail(error: Error, when: CallFailure): void {
    const { handler } = this;
    this.dispose();
    handler?.onError(when === "refused" ? markRefusal(error) : error, when);
  }

  /** Asks whoever authorizes what a refusal means. An answer that means nothing to it is an answer like any other. */
  async refused(answer: {
    readonly head: AnswerHead;
    readonly headers: ResponseHeaders;
    readonly sent: SentRequest;
    readonly body: string;
  }): Promise<void> {
    const { head, headers, sent, body } = answer;
    const { authorizer, serverName } = this.context;
    if (authorizer === undefined || this.#disposed) return;
    const { method, what } = this.request;
    let verdict;
    try {
      verdict = await authorizer.refused(
        {
          request: { method, url: sent.url },
          status: head.status === 401 ? 401 : 403,
          challenges: parseAuthChallenges(head.challenge),
          headers,
          sent: sent.authorization,
        },
        this.#signal(),
      );
    } catch (error) {
      this.fail(toError(error), "refused");
      return;
    }
    if (verdict.kind === "refused") {
      this.fail(verdict.error, "refused");
    } else if (verdict.kind === "renewed" && this.request.hasId === true) {
      this.fail(new AuthorizationRenewed(statusError(head, body, { serverName, method: what })), "refused");
    } else if (verdict.kind === "renewed" && !this.#isRepeated) {
      this.#isRepeated = true;
      this.follow(sent.url, sent.hops);
    } else {
      this.handler?.onHead(head);
      this.handler?.onEnd(body);
    }
  }

  #send(url: URL, hops: number): void {
    const { authorizer } = this.context;
    if (authorizer === undefined) {
      this.#dispatch({ url, hops, authorization: NOTHING });
      return;
    }
    let authorization;
    try {
      authorization = authorizer.authorize({ method: this.request.method, url }, this.#signal());
    } catch (error) {
      this.fail(toError(error), "refused");
      return;
    }
    if (!(authorization instanceof Promise)) {
      // There is nothing left to give up, and aborting a signal that nobody hears costs as much as a small call over stdio.
      this.#abort = undefined;
      this.#dispatch({ url, hops, authorization });
      return;
    }
    authorization.then(
      (headers) => {
        if (!this.#disposed) this.#dispatch({ url, hops, authorization: headers });
      },
      (error: unknown) => {
        this.fail(toError(error), "refused");
      },
    );
  }

  #dispatch(sent: SentRequest): void {
    const { method, headers, body } = this.request;
    const { url, authorization } = sent;
    const reader = new AnswerReader(this, sent);
    this.#reader = reader;
    this.#current = this.context.pool.send(
      {
        method,
        path: url.pathname + url.search,
        headers: authorization === NOTHING ? headers : { ...headers, ...authorization },
        ...(body === undefined ? {} : { body }),
      },
      reader,
    );
  }

  #signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
