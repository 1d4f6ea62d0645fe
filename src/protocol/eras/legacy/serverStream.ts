import { type Clock, delay } from "../../../base/clock.ts";
import { errorText } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import { EngineError } from "../../engineError.ts";
import type { HttpTransport } from "../../transports/transport.ts";

const FIRST_DELAY_MS = 1_000;
const LAST_DELAY_MS = 60_000;
/** Bounds of what a server may ask for, so that it can neither hurry nor forget the client. */
const ASKED_DELAY_MS = { minimum: 50, maximum: 10 * 60_000 } as const;
/** So many streams in a row that lived for no second are a server that goes round in circles; then it is slowed down. */
const MAX_SHORT = 20;

/**
 * Keeps the optional GET stream of a legacy server open. A server that offers none is asked once;
 * a stream that drops is opened again after the delay that the server named, else after a growing pause.
 * Nothing of this can fail a call.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export async function keepStreamOpen(options: {
  readonly transport: HttpTransport;
  readonly headers: () => Record<string, string>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The server offers no stream, no longer the one that it had, or none to us. */
  readonly onAbsent: (wasThere: boolean) => void;
  /** The stream is open again after a gap, and the server was not asked for what was missed. */
  readonly onGap: () => void;
}): Promise<void> {
  const { transport, headers, clock, log, signal, onAbsent, onGap } = options;
  let pauseMs = FIRST_DELAY_MS;
  let wasThere = false;
  let short = 0;
  const onOpen = (isContinued: boolean): void => {
    if (wasThere && !isContinued) onGap();
    wasThere = true;
  };
  while (!signal.aborted) {
    const openedAt = clock.now();
    try {
      if (!(await transport.listen({ signal, headers: headers(), onOpen }))) {
        log.write("debug", "The server offers no stream for messages of its own.");
        onAbsent(wasThere);
        return;
      }
      // A stream that lived for a while shows that the server is well again.
      if (clock.now() - openedAt > LAST_DELAY_MS) pauseMs = FIRST_DELAY_MS;
    } catch (error) {
      if (isRefused(error)) {
        log.write("warn", `The stream for messages of the server is not allowed. ${errorText(error)}`);
        onAbsent(wasThere);
        return;
      }
      log.write("debug", `The stream for messages of the server broke: ${errorText(error)}`);
    }
    short = clock.now() - openedAt < FIRST_DELAY_MS ? short + 1 : 0;
    const asked = transport.listenAgainMs;
    const least = short > MAX_SHORT ? FIRST_DELAY_MS : ASKED_DELAY_MS.minimum;
    try {
      await delay(clock, asked === undefined ? withJitter(pauseMs) : bounded(asked, least), signal);
    } catch {
      return;
    }
    if (asked === undefined) pauseMs = Math.min(pauseMs * 2, LAST_DELAY_MS);
  }
}

/** Asking again with the same credentials gets the same answer. */
function isRefused(error: unknown): boolean {
  return error instanceof EngineError && error.code === "authorization-required";
}

function withJitter(pauseMs: number): number {
  return pauseMs / 2 + (Math.random() * pauseMs) / 2;
}

function bounded(askedMs: number, leastMs: number): number {
  return Math.min(Math.max(askedMs, leastMs), ASKED_DELAY_MS.maximum);
}
