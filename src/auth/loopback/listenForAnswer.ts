import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import type { Log } from "../../base/log.ts";
import type { AnswerPage, AnswerTexts } from "../model/signInPorts.ts";

/** Waits for the browser on this machine. */
export interface AnswerListener extends Disposable {
  /** Where it listens, as a redirect URI. */
  readonly uri: string;
  /** Names the address under which the browser comes, when that is another one than `uri`. */
  reachedAt(uri: string): void;
  /** Answers for two more seconds, so that the page arrives and a reload of it is explained, and closes then. */
  closeSoon(): void;
}

export interface ListenOptions {
  /** The server's configured name. */
  readonly serverName: string;
  readonly host: "127.0.0.1" | "localhost";
  /** Undefined takes any free port. */
  readonly port: number | undefined;
  /** With a leading slash, as in `/callback`. */
  readonly path: string;
  /** Sees the query of each request that is allowed, without the question mark, and says what the page shows. */
  readonly offer: (query: string) => AnswerPage;
  readonly texts: AnswerTexts;
  readonly clock: Clock;
  readonly log: Log;
}

/** Listens on this machine alone. Rejects with AuthError `port-taken` when a port was named and cannot be had. */
export function listenForAnswer(_options: ListenOptions): Promise<AnswerListener> {
  return Promise.reject(new Error("not built yet"));
}
