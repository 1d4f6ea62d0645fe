import { deferred } from "../../../base/deferred.ts";
import type { Disposable } from "../../../base/disposable.ts";
import { type CallContext, type CallHandler, type CallRequest, HttpCall } from "./httpCall.ts";
import { type AnswerHead, isSuccess, statusError } from "./judgeAnswer.ts";

/** After the status of a success, how long its body may take to end before the connection is closed. */
const TAIL_MS = 1_000;

/**
 * A POST or DELETE whose answer is only its status: any success counts, whatever the body says, because
 * servers acknowledge notifications in many ways. `settled` settles once; `onEnded` is told when nothing of it
 * is left on the network.
 */
export class HttpDelivery implements CallHandler {
  readonly #outcome = deferred();
  readonly settled = this.#outcome.promise;
  onEnded: (() => void) | undefined;
  readonly #context: CallContext;
  readonly #what: string;
  #call: HttpCall | undefined;
  #tail: Disposable | undefined;
  #head: AnswerHead | undefined;
  #isOver = false;

  /** @param what is sent, as error messages name it */
  constructor(context: CallContext, what: string) {
    this.#context = context;
    this.#what = what;
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
    if (!isSuccess(head.status)) return "collect";
    this.#outcome.resolve(undefined);
    // A short body is read to its end, so that the connection can be used again; a stream is not waited for.
    if (head.contentType === "text/event-stream") this.#finish();
    else {
      this.#tail ??= this.#context.clock.after(TAIL_MS, () => {
        this.#finish();
      });
    }
    return "collect";
  }

  onChunk(): void {
    this.#finish();
  }

  onEnd(body: string): void {
    if (this.#head !== undefined && !isSuccess(this.#head.status)) {
      const about = { serverName: this.#context.serverName, method: this.#what };
      this.#outcome.reject(statusError(this.#head, body, about));
    }
    this.#finish();
  }

  onError(error: Error): void {
    this.stop(error);
  }

  #finish(): void {
    this.#isOver = true;
    this.#tail?.dispose();
    this.#call?.dispose();
    this.#call = undefined;
    this.onEnded?.();
    this.onEnded = undefined;
  }
}
