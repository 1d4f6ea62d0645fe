import type { CallScope } from "../../base/callScope.ts";
import { type Clock, delay } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Fetched } from "../cache/requestCached.ts";
import { metaOf } from "../channel.ts";
import type { EraCall, EraSession } from "../eras/eraSession.ts";
import { EngineError } from "../engineError.ts";
import type { Limits } from "../limits.ts";
import type { InputAsker } from "./inputAsker.ts";
import type { CallTrace } from "../traceContext.ts";
import { nextRound } from "./nextRound.ts";

/** Everything one call with possible rounds needs. */
export interface RoundTripOptions {
  readonly session: EraSession;
  readonly call: Omit<EraCall, "signal" | "asker">;
  readonly scope: CallScope;
  readonly asker: InputAsker | undefined;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly serverName: string;
  /** Set when the server is told which trace the call belongs to. */
  readonly trace?: CallTrace | undefined;
  /** Waits for the result of a task whose handle came in its place. */
  readonly followTask: (handle: JsonObject) => Promise<JsonObject>;
}

/**
 * Makes one call and answers what the server asks for, round by round, until the result is complete.
 * Each round is a request of its own with the original parameters and the answers of that round only.
 */
export async function callWithRounds(options: RoundTripOptions): Promise<Fetched> {
  const { session, call, scope, asker, clock, limits, serverName } = options;
  /** What the next round adds to the original parameters. */
  let extra: JsonObject | undefined;
  let emptyRounds = 0;
  for (;;) {
    const outcome = await session.request({
      method: call.method,
      params: traced(extra === undefined ? call.params : { ...call.params, ...extra }, options.trace),
      signal: scope.signal,
      onProgress: call.onProgress,
      progressUntil: call.progressUntil,
      asker,
      refreshTools: call.refreshTools,
    });
    if (outcome.kind === "complete") {
      // What came of answers or of a state depends on more than the parameters, so it may not be kept.
      return extra === undefined ? outcome : { result: outcome.result };
    }
    // Nothing may be asked for this way any more once there is a task: it has a way of its own.
    if (outcome.kind === "task") return { result: await options.followTask(outcome.result) };
    const next = nextRound(outcome.result, {
      serverName,
      method: call.method,
      limits,
      emptyRounds,
      asker,
    });
    switch (next.kind) {
      case "fail":
        throw next.error;
      case "again":
        if (emptyRounds >= limits.inputRounds) throw tooManyRounds(options);
        emptyRounds += 1;
        await delay(clock, next.delayMs, scope.signal);
        extra = { requestState: next.requestState };
        break;
      case "ask": {
        emptyRounds = 0;
        // `nextRound` has refused a question that nobody here can be asked.
        const answers = await (asker?.ask(next.requests) ?? new Map<string, JsonObject>());
        extra = {
          inputResponses: Object.fromEntries(answers),
          ...(next.requestState !== undefined && { requestState: next.requestState }),
        };
        break;
      }
    }
    scope.extend();
  }
}

function traced(params: JsonObject | undefined, trace: CallTrace | undefined): JsonObject | undefined {
  return trace === undefined ? params : { ...params, _meta: { ...metaOf(params), ...trace.next() } };
}

function tooManyRounds(options: RoundTripOptions): EngineError {
  return new EngineError("too-many-rounds", {
    server: options.serverName,
    rounds: options.limits.inputRounds,
    method: options.call.method,
  });
}
