import { EngineError, type EngineErrorCode } from "../protocol/engineError.ts";
import type { StdioTransport, Transport } from "../protocol/transports/transport.ts";

/** Nothing came, so that these have no words of the server. */
const UNANSWERED: ReadonlySet<EngineErrorCode> = new Set<EngineErrorCode>(["neither-era", "timeout"]);

/**
 * A failure to connect, with the end of the process's error output where the server said nothing else: one that waits
 * for a database or asks for a confirmation says so there alone.
 */
export function withErrorOutput(error: unknown, transport: Transport | undefined): unknown {
  if (!(error instanceof EngineError) || error.detail !== undefined || !UNANSWERED.has(error.code))
    return error;
  const tail = transport?.kind === "stdio" ? (transport as StdioTransport).stderrTail() : "";
  if (tail === "") return error;
  const { code, args, cause, httpStatus } = error;
  return new EngineError(code, args, { cause, detail: tail, httpStatus });
}
