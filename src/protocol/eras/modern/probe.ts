import type { Channel } from "../../channel.ts";
import { EngineError } from "../../engineError.ts";
import { isErrorResponse } from "../../jsonrpc/message.ts";
import type { Implementation } from "../../model/server.ts";
import type { ProbeOutcome } from "../classifyProbe.ts";
import { limitSignal } from "../limitSignal.ts";
import { envelope, modernHeaders } from "./envelope.ts";

const METHOD = "server/discover";

/** Asks `server/discover` once and says what came of it. Never rejects. */
export async function probe(
  channel: Channel,
  options: {
    readonly clientInfo: Implementation;
    readonly extensions?: readonly string[] | undefined;
    readonly limitMs: number;
    readonly signal: AbortSignal;
  },
): Promise<ProbeOutcome> {
  const limit = limitSignal(channel, METHOD, options.limitMs, options.signal);
  try {
    const { response, http } = await channel.exchange({
      method: METHOD,
      signal: limit.signal,
      build: () => ({
        params: envelope(undefined, {
          clientInfo: options.clientInfo,
          extensions: options.extensions,
          modes: undefined,
          progressToken: undefined,
        }),
        headers: modernHeaders(METHOD, undefined, {}),
      }),
    });
    if (!isErrorResponse(response)) return { kind: "result", result: response.result };
    return { kind: "error", error: response.error, httpStatus: http?.status };
  } catch (error) {
    return toOutcome(error);
  } finally {
    limit.dispose();
  }
}

function toOutcome(error: unknown): ProbeOutcome {
  const cause = error instanceof Error ? error : new Error(String(error));
  if (cause instanceof EngineError) {
    if (cause.code === "process-exited") return { kind: "exit", error: cause };
    if (cause.code === "timeout") return { kind: "silence", error: cause };
    if (cause.httpStatus !== undefined && !isBroken(cause)) {
      return { kind: "http", status: cause.httpStatus, error: cause };
    }
  }
  return { kind: "broken", error: cause };
}

/** An answer that was not let to its end says nothing, whatever its status. */
function isBroken({ code, cause }: EngineError): boolean {
  if (code === "stream-ended") return cause !== undefined;
  return code === "redirected" || code === "message-too-large";
}
