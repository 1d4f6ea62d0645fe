import { randomBytes } from "node:crypto";
import type { Log } from "../base/log.ts";
import { shorten } from "./shorten.ts";

/**
 * The trace that a call belongs to, in the formats of W3C Trace Context and Baggage.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export interface TraceContext {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** Version, trace id, parent span id, flags. Version `ff` and ids of zeros alone are invalid. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})$/;
const TRACESTATE = /^(?=.{1,512}$)[a-z\d][^=,\s]*=[\x21-\x7e][\x20-\x7e]*$/;
const BAGGAGE = /^(?=.{1,8192}$)[^=,;\s]+[ \t]*=[\x20-\x7e]*$/;
/** Recorded: a server that follows its caller's decision would keep nothing otherwise. */
const SAMPLED = "01";

/** The trace of one call: one trace id, and a new span id for each of its requests. */
export class CallTrace {
  readonly #traceId: string;
  readonly #flags: string;
  readonly #passedOn: TraceContext;
  readonly #label: string;
  readonly #log: Log;

  /**
   * @param given the caller's own trace, which the call becomes a part of; what is malformed in it is left out
   * @param what the call, for the log
   */
  constructor(given: TraceContext | undefined, what: string, log: Log) {
    const parent = TRACEPARENT.exec(given?.traceparent ?? "");
    this.#traceId = parent?.[1] ?? newId(16);
    this.#flags = parent?.[2] ?? SAMPLED;
    const { tracestate, baggage } = given ?? {};
    this.#passedOn = {
      // A state belongs to the parent that it came with.
      ...(parent !== null && tracestate !== undefined && TRACESTATE.test(tracestate) && { tracestate }),
      ...(baggage !== undefined && BAGGAGE.test(baggage) && { baggage }),
    };
    this.#label = shorten(what);
    this.#log = log;
  }

  /** The keys of `_meta` for the next request of the call. Written to the log, so that a server's author finds it. */
  next(): TraceContext & { readonly traceparent: string } {
    const traceparent = `00-${this.#traceId}-${newId(8)}-${this.#flags}`;
    this.#log.write("info", `${this.#label}: traceparent ${traceparent}`);
    return { traceparent, ...this.#passedOn };
  }
}

function newId(bytes: number): string {
  for (;;) {
    const id = randomBytes(bytes).toString("hex");
    if (!/^0+$/.test(id)) return id;
  }
}
