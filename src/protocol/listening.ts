import type { CallScope } from "../base/callScope.ts";
import { errorText } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { EraSession } from "./eras/eraSession.ts";
import type { ServerLogLevel } from "./model/serverLog.ts";
import type { SubscriptionState } from "./model/subscriptions.ts";

/** What a server is asked to tell on its own: changes of lists, resources and tasks, and its log. */
export class Listening {
  readonly #session: EraSession;
  readonly #makeScope: (method: string, signal: AbortSignal | undefined) => CallScope;
  readonly #log: Log;
  #logLevel: ServerLogLevel | undefined;

  /** @param makeScope gives the time limit of one request */
  constructor(
    session: EraSession,
    makeScope: (method: string, signal: AbortSignal | undefined) => CallScope,
    log: Log,
  ) {
    this.#session = session;
    this.#makeScope = makeScope;
    this.#log = log;
  }

  /** What was asked for, and what the server agreed to. */
  get state(): SubscriptionState {
    return this.#session.subscriptions;
  }

  /** Told when `state` changed. */
  set onState(listener: (() => void) | undefined) {
    this.#session.onSubscriptions = listener;
  }

  /**
   * Asks to be told when a resource changes, until `unwatchResource`. Resolves when the server agreed.
   * @throws EngineError `not-watched`; RpcError when the server refuses; it is asked again after a gap all the same
   */
  async watchResource(uri: string, signal?: AbortSignal): Promise<void> {
    const scope = this.#makeScope("resources/subscribe", signal);
    try {
      await this.#session.watchResource(uri, scope.signal);
    } finally {
      scope.dispose();
    }
  }

  unwatchResource(uri: string): void {
    this.#session.unwatchResource(uri);
  }

  /** Asks to be told of these tasks and no others, where the era has a way to ask. */
  watchTasks(taskIds: readonly string[]): void {
    this.#session.watchTasks(taskIds);
  }

  /** Asks anew where it was refused for want of authorization: there are other credentials now. */
  again(): void {
    this.#session.listenAgain();
  }

  /** Takes effect with the next request at the latest. A server that refuses is a line in the log. */
  setLogLevel(level: ServerLogLevel | undefined): void {
    if (level === this.#logLevel) return;
    this.#logLevel = level;
    this.#session.setLogLevel(level).catch((error: unknown) => {
      if (this.#session.closed.aborted) return;
      this.#log.write("warn", `The level of the server's log could not be set: ${errorText(error)}`);
    });
  }
}
