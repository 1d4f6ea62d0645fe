import { type Clock, delay } from "../../../base/clock.ts";
import { errorText } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import type { Channel } from "../../channel.ts";
import { EngineError } from "../../engineError.ts";
import { isAuthorizationRefusal } from "../../transports/authorizationRefusal.ts";
import type { HttpTransport } from "../../transports/transport.ts";

const FIRST_DELAY_MS = 1_000;
const LAST_DELAY_MS = 60_000;
/** Bounds of what a server may ask for, so that it can neither hurry nor forget the client. */
const ASKED_DELAY_MS = { minimum: 50, maximum: 10 * 60_000 } as const;
/** So many streams in a row that lived for no second are a server that goes round in circles; then it is slowed down. */
const MAX_SHORT = 20;

/** What the stream needs of its session. */
export interface ServerStreamOptions {
  readonly channel: Channel;
  /** The headers of the session of now. */
  readonly headers: () => Record<string, string>;
  /** `isHeard` has changed. */
  readonly onHeard: () => void;
  /** The server no longer offers the stream that it had. */
  readonly onGone: () => void;
  /** The stream is open again after a gap, and the server was not asked for what was missed. */
  readonly onGap: () => void;
}

/** How keeping the stream open ended. */
type StreamEnding =
  /** The session is over, or there is another one. */
  | "over"
  /** The server offers none, or no longer the one that it had. */
  | "absent"
  | "gone"
  /** Not with the credentials of now. */
  | "refused";

/** The optional GET stream of a legacy server over HTTP, for as long as there is a session. Does nothing on stdio. */
export class ServerStream {
  readonly #options: ServerStreamOptions;
  #stop = new AbortController();
  #isRefused = false;
  /** False without a stream: the server has no way to tell of changes between calls. */
  #isHeard = true;

  constructor(options: ServerStreamOptions) {
    this.#options = options;
  }

  get isHeard(): boolean {
    return this.#isHeard;
  }

  /** Opens the stream of a new session. */
  open(): void {
    this.#isHeard = true;
    void this.#keep(false);
  }

  /** Opens it again where it was refused for want of authorization; what was told meanwhile counts as missed. */
  again(): void {
    if (this.#isRefused) void this.#keep(true);
  }

  /** Ends it with its session. */
  close(reason: Error): void {
    this.#isRefused = false;
    this.#stop.abort(reason);
    this.#stop = new AbortController();
  }

  async #keep(isAgain: boolean): Promise<void> {
    const { channel, headers, onGap, onGone } = this.#options;
    const { transport, clock, log } = channel;
    if (transport.kind !== "http") return;
    const { signal } = this.#stop;
    this.#isRefused = false;
    const ending = await keepStreamOpen({
      transport: transport as HttpTransport,
      headers,
      clock,
      log,
      signal: AbortSignal.any([signal, channel.closed]),
      wasThere: isAgain,
      onOpen: () => {
        this.#setHeard(true);
      },
      onGap,
    });
    if (ending === "over" || signal.aborted) return;
    this.#isRefused = ending === "refused";
    this.#setHeard(false);
    if (ending === "gone") onGone();
  }

  #setHeard(isHeard: boolean): void {
    if (this.#isHeard === isHeard) return;
    this.#isHeard = isHeard;
    this.#options.onHeard();
  }
}

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
  /** Whether there was a stream before, so that the first one comes after a gap. */
  readonly wasThere: boolean;
  readonly onOpen: () => void;
  readonly onGap: () => void;
}): Promise<StreamEnding> {
  const { transport, headers, clock, log, signal, onGap } = options;
  let pauseMs = FIRST_DELAY_MS;
  let { wasThere } = options;
  let short = 0;
  const onOpen = (isContinued: boolean): void => {
    options.onOpen();
    if (wasThere && !isContinued) onGap();
    wasThere = true;
  };
  while (!signal.aborted) {
    const openedAt = clock.now();
    try {
      if (!(await transport.listen({ signal, headers: headers(), onOpen }))) {
        log.write("debug", "The server offers no stream for messages of its own.");
        return wasThere ? "gone" : "absent";
      }
      // A stream that lived for a while shows that the server is well again.
      if (clock.now() - openedAt > LAST_DELAY_MS) pauseMs = FIRST_DELAY_MS;
    } catch (error) {
      if (isAuthorizationRefusal(error) || isRefused(error)) {
        log.write("warn", `The stream for messages of the server is not allowed. ${errorText(error)}`);
        // Whoever knows of credentials says when there are others; nobody else can tell what else is not allowed now.
        return isAuthorizationRefusal(error) || !wasThere ? "refused" : "gone";
      }
      log.write("debug", `The stream for messages of the server broke: ${errorText(error)}`);
    }
    short = clock.now() - openedAt < FIRST_DELAY_MS ? short + 1 : 0;
    const asked = transport.listenAgainMs;
    const least = short > MAX_SHORT ? FIRST_DELAY_MS : ASKED_DELAY_MS.minimum;
    try {
      await delay(clock, asked === undefined ? withJitter(pauseMs) : bounded(asked, least), signal);
    } catch {
      return "over";
    }
    if (asked === undefined) pauseMs = Math.min(pauseMs * 2, LAST_DELAY_MS);
  }
  return "over";
}

/** Asking again with the same credentials gets the same answer. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false;
  return error.code === "authorization-required" || error.code === "forbidden";
}

function withJitter(pauseMs: number): number {
  return pauseMs / 2 + (Math.random() * pauseMs) / 2;
}

function bounded(askedMs: number, leastMs: number): number {
  return Math.min(Math.max(askedMs, leastMs), ASKED_DELAY_MS.maximum);
}
