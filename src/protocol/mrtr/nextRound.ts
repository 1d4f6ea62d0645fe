import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { EngineError } from "../engineError.ts";
import { shorten } from "../shorten.ts";
import type { Limits } from "../limits.ts";
import type { InputAsker } from "./inputAsker.ts";
import type { InputRequest } from "./inputRequired.ts";
import { isLargerThan } from "./inputSize.ts";
import { readInputRequests } from "./readInputRequests.ts";

/** What to do about an `input_required` result. */
export type NextRound =
  | {
      readonly kind: "ask";
      readonly requests: readonly InputRequest[];
      readonly requestState: string | undefined;
    }
  /** Nothing is asked: the server only wants the call again, with this state, after a pause. */
  | { readonly kind: "again"; readonly requestState: string; readonly delayMs: number }
  | { readonly kind: "fail"; readonly error: EngineError };

/** Facts about the call that decide what may happen next. */
export interface RoundFacts {
  readonly serverName: string;
  readonly method: string;
  readonly limits: Limits;
  /** Rounds of this call that asked for nothing, in a row. */
  readonly emptyRounds: number;
  /** Who can answer in this call; undefined when nothing was declared for it. */
  readonly asker: Pick<InputAsker, "modes" | "notOffered"> | undefined;
}

/** The only requests in which a server may ask for input. */
export const MAY_ASK: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);
const FIRST_DELAY_MS = 250;
const LAST_DELAY_MS = 5_000;

/**
 * Decides the next round of a multi round-trip request. `requestState` is passed on byte for byte and never read;
 * a state of an earlier round is not kept.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export function nextRound(result: JsonObject, facts: RoundFacts): NextRound {
  const { serverName: server, method, limits } = facts;
  if (!MAY_ASK.has(method)) return invalid(facts, "this method may not ask for input");
  const state = result["requestState"];
  if (state !== undefined && typeof state !== "string") return invalid(facts, "requestState is not a text");
  if (state !== undefined && Buffer.byteLength(state) > limits.requestStateBytes) {
    return {
      kind: "fail",
      error: new EngineError("input-too-large", {
        server,
        limit: limits.requestStateBytes,
        what: "requestState",
      }),
    };
  }
  const requests = result["inputRequests"];
  if (requests !== undefined && !isJsonObject(requests))
    return invalid(facts, "inputRequests is not an object");
  const keys = Object.keys(requests ?? {});
  if (requests === undefined || keys.length === 0) {
    if (state === undefined) return invalid(facts, "neither inputRequests nor requestState is there");
    return {
      kind: "again",
      requestState: state,
      delayMs: Math.min(FIRST_DELAY_MS * 2 ** facts.emptyRounds, LAST_DELAY_MS),
    };
  }
  if (isLargerThan(requests, limits.inputBytes)) {
    return {
      kind: "fail",
      error: new EngineError("input-too-large", { server, limit: limits.inputBytes, what: "input requests" }),
    };
  }
  try {
    return { kind: "ask", requests: readInputRequests(requests, facts), requestState: state };
  } catch (error) {
    if (error instanceof EngineError) return { kind: "fail", error };
    throw error;
  }
}

function invalid(facts: RoundFacts, fullReason: string): NextRound {
  const { serverName: server, method } = facts;
  const reason = shorten(fullReason);
  return { kind: "fail", error: new EngineError("invalid-result", { server, method, reason }) };
}
