import type { Clock } from "../../../base/clock.ts";
import type { Disposable } from "../../../base/disposable.ts";
import type { EventStreamReader } from "./eventStream.ts";
import type { CallRequest } from "./httpCall.ts";

/** Attempts in a row that bring no new event. */
const MAXIMUM_ATTEMPTS = 5;
const DEFAULT_RETRY_MS = 1_000;
/** A server that asks for no delay at all would have the client come back as fast as it can. */
const MINIMUM_RETRY_MS = 50;
/** However long a server asks to wait, the request's own limit decides; this only keeps the timer sane. */
const MAXIMUM_RETRY_MS = 24 * 60 * 60 * 1_000;

/**
 * Takes up a legacy event stream again that ended before its response: a server may close the connection on
 * purpose and have the client come back after the delay that it named, with the last event id it saw.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export class StreamResumption implements Disposable {
  readonly #request: CallRequest;
  readonly #clock: Clock;
  #lastEventId = "";
  #attempts = 0;
  #isResuming = false;
  #timer: Disposable | undefined;

  /** @param request the GET that opens the stream again, without `Last-Event-ID` */
  constructor(request: CallRequest, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
  }

  /** True once the stream was taken up again, or is about to be. */
  get isResuming(): boolean {
    return this.#isResuming;
  }

  /**
   * Runs the next attempt after the delay that the server wants.
   * @returns false when the server gave no event id, or too many attempts brought nothing
   */
  plan(reader: EventStreamReader, run: (request: CallRequest) => void): boolean {
    const { lastEventId, retryMs = DEFAULT_RETRY_MS } = reader;
    if (lastEventId === "" || !/^[\x20-\x7e]+$/.test(lastEventId)) return false;
    if (lastEventId !== this.#lastEventId) this.#attempts = 0;
    this.#lastEventId = lastEventId;
    if (this.#attempts >= MAXIMUM_ATTEMPTS) return false;
    this.#attempts += 1;
    this.#isResuming = true;
    this.#timer?.dispose();
    this.#timer = this.#clock.after(Math.min(Math.max(retryMs, MINIMUM_RETRY_MS), MAXIMUM_RETRY_MS), () => {
      run({ ...this.#request, headers: { ...this.#request.headers, "last-event-id": lastEventId } });
    });
    return true;
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
