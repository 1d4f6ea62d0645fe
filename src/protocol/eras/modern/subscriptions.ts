import { abortable } from "../../../base/abortable.ts";
import { delay } from "../../../base/clock.ts";
import { deferred, type Deferred } from "../../../base/deferred.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../../../base/disposable.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { Channel } from "../../channel.ts";
import { EngineError } from "../../engineError.ts";
import type { JsonRpcNotification } from "../../jsonrpc/message.ts";
import type { ListName } from "../../model/listing.ts";
import type { ServerNotice } from "../../model/notice.ts";
import {
  isEmptyFilter,
  isSameFilter,
  NO_FILTER,
  type SubscriptionFilter,
  type SubscriptionState,
} from "../../model/subscriptions.ts";
import { shorten } from "../../shorten.ts";
import { type ListenEnding, ListenStream } from "./listenStream.ts";

const FIRST_DELAY_MS = 1_000;
const LAST_DELAY_MS = 60_000;
/** How long a server may take to acknowledge; after that the request is kept, and nothing counts as honoured. */
const ACKNOWLEDGE_MS = 30_000;

export interface SubscriptionsOptions {
  readonly channel: Channel;
  /** The lists of which the server says that it tells when they change. */
  readonly lists: readonly ListName[];
  /** Puts the era's metadata around parameters. */
  readonly envelope: (params: JsonObject) => JsonObject;
  readonly onNotice: (notice: ServerNotice) => void;
  readonly onState: (state: SubscriptionState) => void;
}

/**
 * Keeps what the client wants to hear in force for as long as the connection lives. The filter of a request cannot be
 * changed, so a change opens a new one and closes the old one once the new one is acknowledged. What the server does
 * not honour is done without; after every gap everything is read anew, because missed notifications are not
 * repeated. Nothing of this can fail a call.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export class Subscriptions implements Disposable {
  readonly #options: SubscriptionsOptions;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #resources = new Set<string>();
  readonly #waiting = new Map<string, Set<Deferred<undefined>>>();
  #tasks: readonly string[] = [];
  /** Streams that may still bring something: the one in force, and while the filter changes its successor. */
  readonly #open = new Set<ListenStream>();
  #current: { readonly stream: ListenStream; readonly honoured: SubscriptionFilter } | undefined;
  #changed = deferred();
  /** Set while the server does not let us listen with the credentials of now. */
  #unauthorized: Deferred<undefined> | undefined;
  /** True when the server has no subscriptions, and at the end of the connection. */
  #isOver = false;
  /** Set once there was a gap in which a change could be missed. */
  #hasGap = false;
  /** What the server refused as a whole: single resources and tasks are not asked for again with the same filter. */
  #refused: SubscriptionFilter | undefined;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([this.#stop.signal, options.channel.closed]);
    trackDisposable(this);
    void this.#run().finally(() => {
      this.#isOver = true;
      this.#settle(this.#filter(), NO_FILTER);
    });
  }

  get state(): SubscriptionState {
    return { asked: this.#filter(), honoured: this.#current?.honoured ?? NO_FILTER };
  }

  /** Takes a notification that belongs to a subscription; false leaves it to others. */
  take(message: JsonRpcNotification): boolean {
    const streams = [...this.#open];
    if (message.method === "notifications/cancelled") {
      const { requestId, reason } = message.params ?? {};
      if (!streams.some((stream) => stream.takeCancelled(requestId))) return false;
      const why = typeof reason === "string" ? `: ${shorten(reason)}` : "";
      this.#options.channel.log.write("debug", `The server ended a subscription${why}.`);
      return true;
    }
    return streams.some((stream) => stream.take(message));
  }

  /**
   * Asks to be told when a resource changes. Resolves when the server agreed.
   * @throws EngineError `not-watched` when it does not; the resource stays asked for until `unwatchResource`
   */
  async watchResource(uri: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#isOver) throw this.#notWatched(uri);
    if (this.#current?.stream.filter.resources.includes(uri) === true) {
      if (this.#current.honoured.resources.includes(uri)) return;
      throw this.#notWatched(uri);
    }
    this.#resources.add(uri);
    this.#pulse();
    // The very same was refused before and is not asked for again; or nothing is asked for before others may ask.
    const isHeard = this.#nextFilter().resources.includes(uri) && this.#unauthorized === undefined;
    if (!isHeard) throw this.#notWatched(uri);
    const waiter = deferred();
    const waiters = this.#waiting.get(uri) ?? new Set();
    this.#waiting.set(uri, waiters.add(waiter));
    try {
      await abortable(waiter.promise, signal);
    } finally {
      waiters.delete(waiter);
      if (waiters.size === 0) this.#waiting.delete(uri);
    }
  }

  unwatchResource(uri: string): void {
    if (this.#resources.delete(uri)) this.#pulse();
  }

  /** Asks to be told of these tasks, and of no others. */
  watchTasks(taskIds: readonly string[]): void {
    this.#tasks = [...taskIds];
    this.#pulse();
  }

  /** Asks anew where that was refused for want of authorization. */
  again(): void {
    this.#unauthorized?.resolve(undefined);
  }

  dispose(): void {
    untrackDisposable(this);
    this.#stop.abort(new EngineError("closed", { server: this.#options.channel.serverName }));
    for (const stream of this.#open) stream.close();
  }

  #filter(): SubscriptionFilter {
    return { lists: this.#options.lists, resources: [...this.#resources], tasks: this.#tasks };
  }

  #pulse(): void {
    this.#options.onState(this.state);
    this.#changed.resolve(undefined);
    this.#changed = deferred();
  }

  async #run(): Promise<void> {
    let pauseMs = FIRST_DELAY_MS;
    while (!this.#signal.aborted) {
      const filter = this.#nextFilter();
      if (isEmptyFilter(filter)) {
        this.#replace(undefined);
        await this.#untilChanged(filter, this.#signal);
        continue;
      }
      const openedAt = this.#now();
      const ending = await this.#hold(filter);
      if (ending === "changed" || (await this.#isDealtWith(ending, filter))) continue;
      if (this.#current === undefined) this.#hasGap = true;
      if (ending === "unsupported") return;
      if (ending === "refused") {
        this.#refused = this.#filter();
        this.#settle(filter, NO_FILTER);
        if (isSameFilter(filter, this.#nextFilter())) await this.#untilChanged(filter, this.#signal);
        continue;
      }
      // A server that closes in good order is not pestered; one that held long enough is well again.
      if (ending === "closed") pauseMs = LAST_DELAY_MS;
      else if (this.#now() - openedAt > LAST_DELAY_MS) pauseMs = FIRST_DELAY_MS;
      // It is well, so that somebody's new wish need not wait.
      const endsEarly = ending === "closed" ? filter : undefined;
      if (!(await this.#waited(pauseMs / 2 + (Math.random() * pauseMs) / 2, endsEarly))) return;
      pauseMs = Math.min(pauseMs * 2, LAST_DELAY_MS);
    }
  }

  /** Deals with endings after which it is asked again without a pause; false for the others. */
  async #isDealtWith(ending: ListenEnding, filter: SubscriptionFilter): Promise<boolean> {
    if (ending === "unauthorized") {
      this.#hasGap = true;
      this.#settle(filter, this.#current?.honoured ?? NO_FILTER);
      await this.#untilAgain();
      return true;
    }
    if (this.#current === undefined || ending === "dropped") return false;
    // The server may allow one request only: the new one is tried again without the old one.
    this.#hasGap = true;
    this.#replace(undefined);
    return true;
  }

  /** What to ask for next. A filter that was refused as a whole is cut down to the lists. */
  #nextFilter(): SubscriptionFilter {
    const filter = this.#filter();
    const isRefused = this.#refused !== undefined && isSameFilter(this.#refused, filter);
    return isRefused ? { ...NO_FILTER, lists: filter.lists } : filter;
  }

  /** Opens one request and keeps it until it ends or something else is wanted; then it stays open for a successor. */
  async #hold(filter: SubscriptionFilter): Promise<ListenEnding | "changed"> {
    const { channel, envelope, onNotice } = this.#options;
    const stream = new ListenStream({ channel, envelope, onNotice, filter });
    this.#open.add(stream);
    const drop = (): void => {
      this.#open.delete(stream);
      if (this.#current?.stream !== stream) return;
      this.#hasGap = true;
      this.#replace(undefined);
    };
    void stream.ended.then(drop);
    const late = new AbortController();
    const silence = delay(channel.clock, ACKNOWLEDGE_MS, AbortSignal.any([this.#signal, late.signal])).then(
      () => NO_FILTER,
      () => NO_FILTER,
    );
    const first = await Promise.race([stream.acknowledged, stream.ended, silence]);
    late.abort();
    if (typeof first === "string") return first;
    if (this.#signal.aborted) return "closed";
    this.#adopt(stream, first);
    if (first === NO_FILTER) {
      void stream.acknowledged.then((honoured) => {
        if (this.#current?.stream === stream) this.#adopt(stream, honoured);
      });
    }
    const over = new AbortController();
    const changed = this.#untilChanged(filter, AbortSignal.any([this.#signal, over.signal]));
    const why = await Promise.race([stream.ended, changed]);
    over.abort();
    if (why !== "changed") drop();
    return why;
  }

  #adopt(stream: ListenStream, honoured: SubscriptionFilter): void {
    this.#replace({ stream, honoured });
    this.#settle(stream.filter, honoured);
    if (!this.#hasGap) return;
    this.#hasGap = false;
    const { lists, onNotice } = this.#options;
    for (const list of lists) onNotice({ kind: "list-changed", list });
    for (const uri of stream.filter.resources) onNotice({ kind: "resource-updated", uri });
  }

  /** Puts a request in force and ends the one before. */
  #replace(next: { readonly stream: ListenStream; readonly honoured: SubscriptionFilter } | undefined): void {
    const before = this.#current;
    this.#current = next;
    if (before?.stream !== next?.stream) before?.stream.close();
    if (before !== undefined || next !== undefined) this.#options.onState(this.state);
  }

  /** Tells those who wait what became of the resources in a filter. */
  #settle(asked: SubscriptionFilter, honoured: SubscriptionFilter): void {
    for (const uri of asked.resources) {
      for (const waiter of this.#waiting.get(uri) ?? []) {
        if (honoured.resources.includes(uri)) waiter.resolve(undefined);
        else waiter.reject(this.#notWatched(uri));
      }
    }
  }

  /** Waits until there are other credentials, or nobody waits any more. */
  async #untilAgain(): Promise<void> {
    this.#unauthorized = deferred();
    await abortable(this.#unauthorized.promise, this.#signal).catch(() => undefined);
    this.#unauthorized = undefined;
  }

  /** Waits until something else than this filter is wanted, or nobody waits any more. */
  async #untilChanged(filter: SubscriptionFilter, signal: AbortSignal): Promise<"changed"> {
    while (isSameFilter(filter, this.#nextFilter()) && !signal.aborted) {
      try {
        await abortable(this.#changed.promise, signal);
      } catch {
        break;
      }
    }
    return "changed";
  }

  /** Waits, until something else than the filter is wanted where there is one. False at the end of everything. */
  async #waited(delayMs: number, filter: SubscriptionFilter | undefined): Promise<boolean> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#signal, over.signal]);
    const pause = delay(this.#options.channel.clock, delayMs, signal);
    try {
      await (filter === undefined ? pause : Promise.race([pause, this.#untilChanged(filter, signal)]));
    } catch {
      return false;
    } finally {
      over.abort();
    }
    return !this.#signal.aborted;
  }

  #now(): number {
    return this.#options.channel.clock.now();
  }

  #notWatched(uri: string): EngineError {
    return new EngineError("not-watched", { server: this.#options.channel.serverName, uri });
  }
}
