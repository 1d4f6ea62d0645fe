import { abortable } from "../../../base/abortable.ts";
import { EngineError } from "../../engineError.ts";
import { RPC_CODES, RpcError } from "../../rpcError.ts";

/**
 * What an error of a request says about the session that the request was made in: `lost` when the server does not know
 * it, `doubtful` when it may be that, `kept` when it is about something else.
 */
type SessionHint = "lost" | "doubtful" | "kept";

/**
 * Reads the hint. 404 is what the specification demands for a session that is gone; many servers answer 400 instead,
 * as they do for other mistakes, so that the server has to be asked. A method or parameters that it looked at are proof
 * that it knew the session.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
function readSessionHint(error: unknown): SessionHint {
  if (!(error instanceof RpcError || error instanceof EngineError)) return "kept";
  if (error.httpStatus === 404) return "lost";
  if (error.httpStatus !== 400) return "kept";
  const code = error instanceof RpcError ? error.rpcCode : undefined;
  return code === RPC_CODES.methodNotFound || code === RPC_CODES.invalidParams ? "kept" : "doubtful";
}

/** How long a session is not looked after again that nobody makes calls in. */
const LOOK_MS = 60_000;

/** Finds out whether a session is gone: by the error alone, or by a ping that all who doubt at the same time share. */
export class SessionDoubt {
  readonly #ping: () => Promise<unknown>;
  #asking: Promise<boolean> | undefined;
  #lookedMs = Number.NEGATIVE_INFINITY;

  /** @param ping asks the server for anything in the session of now, within a time limit */
  constructor(ping: () => Promise<unknown>) {
    this.#ping = ping;
  }

  /**
   * Whether to find out about a session that nobody makes a call in, which begins another one when it is gone. A server
   * that forgets each session at once would have the client do nothing else.
   */
  mayLook(nowMs: number): boolean {
    if (nowMs - this.#lookedMs < LOOK_MS) return false;
    this.#lookedMs = nowMs;
    return true;
  }

  /**
   * @param error of a request
   * @param isRenewed there is a newer session already than the one that the request was made in
   */
  async isLost(error: unknown, isRenewed: boolean, signal: AbortSignal): Promise<boolean> {
    const hint = readSessionHint(error);
    if (hint !== "doubtful" || isRenewed) return hint !== "kept";
    this.#asking ??= this.#ping()
      .then(
        () => false,
        (refusal: unknown) => readSessionHint(refusal) !== "kept",
      )
      .finally(() => {
        this.#asking = undefined;
      });
    return abortable(this.#asking, signal);
  }
}
