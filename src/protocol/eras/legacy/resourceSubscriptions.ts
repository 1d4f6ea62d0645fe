import { abortable } from "../../../base/abortable.ts";
import { errorText } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import { shorten } from "../../shorten.ts";

type Method = "resources/subscribe" | "resources/unsubscribe";

export interface ResourceSubscriptionsOptions {
  /** Sends one request about a resource; rejects when the server refuses. */
  readonly send: (method: Method, uri: string, signal: AbortSignal | undefined) => Promise<void>;
  readonly onDidChange: () => void;
  readonly log: Log;
}

/**
 * The resources that a legacy server was asked to tell about. Requests go out one after the other, because a server
 * that gets a subscription and its end at the same time may take them in either order.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
export class ResourceSubscriptions {
  readonly #options: ResourceSubscriptionsOptions;
  readonly #wanted = new Set<string>();
  readonly #honoured = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: ResourceSubscriptionsOptions) {
    this.#options = options;
  }

  get wanted(): readonly string[] {
    return [...this.#wanted];
  }

  get honoured(): readonly string[] {
    return [...this.#honoured];
  }

  /** Rejects when the server refuses; the resource stays wanted all the same. */
  async watch(uri: string, signal: AbortSignal): Promise<void> {
    this.#wanted.add(uri);
    this.#options.onDidChange();
    await abortable(
      this.#inTurn(() => this.#subscribe(uri, signal)),
      signal,
    );
  }

  unwatch(uri: string): void {
    if (!this.#wanted.delete(uri)) return;
    this.#options.onDidChange();
    this.#inBackground(uri, async () => {
      if (this.#wanted.has(uri) || !this.#honoured.delete(uri)) return;
      this.#options.onDidChange();
      await this.#options.send("resources/unsubscribe", uri, undefined);
    });
  }

  /** Subscribes again to everything: the session is a new one and knows nothing of the earlier one's. */
  renew(): void {
    this.#honoured.clear();
    for (const uri of this.#wanted) this.#inBackground(uri, () => this.#subscribe(uri, undefined));
  }

  async #subscribe(uri: string, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#wanted.has(uri) || this.#honoured.has(uri)) return;
    await this.#options.send("resources/subscribe", uri, signal);
    this.#honoured.add(uri);
    this.#options.onDidChange();
  }

  #inTurn(run: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(run);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Nobody waits for it: what goes wrong is a line in the log, and the state shows what is in force. */
  #inBackground(uri: string, run: () => Promise<void>): void {
    this.#inTurn(run).catch((error: unknown) => {
      this.#options.log.write("warn", `Watching ${shorten(uri)}: ${errorText(error)}`);
    });
  }
}
