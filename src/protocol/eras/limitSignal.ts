import { CallScope } from "../../base/callScope.ts";
import type { Channel } from "../channel.ts";
import { EngineError } from "../engineError.ts";

/** One signal for one request of the negotiation: the caller's, the connection's and a time limit. */
export function limitSignal(
  channel: Channel,
  method: string,
  limitMs: number,
  signal: AbortSignal,
): CallScope {
  return new CallScope({
    clock: channel.clock,
    signals: [signal],
    lasting: channel.closed,
    maximumMs: limitMs,
    timeoutError: (ms) =>
      new EngineError("timeout", { server: channel.serverName, method, seconds: ms / 1000 }),
  });
}
