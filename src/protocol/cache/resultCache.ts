import type { Clock } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ServerNotice } from "../model/notice.ts";
import type { CacheHints } from "./cacheHints.ts";
import { cacheKey, type CacheSubject, isCacheable, isFresh, isOutdatedBy } from "./cacheRules.ts";
import { estimateBytes } from "./resultSize.ts";

export interface ResultCacheOptions {
  readonly clock: Clock;
  /**
   * A fingerprint of what authorizes a request now: the same text for the same authorization, and nothing that can be
   * traced back to a secret.
   */
  readonly authorization: () => string;
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}

/** A kept result. */
export interface CachedResult {
  readonly result: JsonObject;
  readonly ageMs: number;
  readonly isFresh: boolean;
}

/** A request that was sent, and whose answer may be kept. */
export interface CacheTicket {
  readonly subject: CacheSubject;
  readonly authorization: string;
  /** Set when a notice came meanwhile: the answer may be older than the change. */
  overtaken: boolean;
}

interface Entry {
  readonly subject: CacheSubject;
  readonly result: JsonObject;
  readonly receivedMs: number;
  readonly ttlMs: number;
  readonly isPrivate: boolean;
  readonly bytes: number;
  outdated: boolean;
}

const MAX_ENTRIES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Results of one server that it allows to keep, in memory, least recently used last to stay. It outlives connections,
 * because results must not depend on them, and ends with the definition of the server.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export class ResultCache {
  readonly #options: Required<ResultCacheOptions>;
  /** In the order of use, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #tickets = new Set<CacheTicket>();
  #bytes = 0;

  constructor(options: ResultCacheOptions) {
    this.#options = { maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES, ...options };
  }

  /** Estimated bytes of everything that is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What is kept for a request under the authorization of now, fresh or not. */
  find(subject: CacheSubject): CachedResult | undefined {
    const key = cacheKey(subject);
    for (const where of [privately(key, this.#options.authorization()), publicly(key)]) {
      const entry = this.#entries.get(where);
      if (entry === undefined) continue;
      this.#entries.delete(where);
      this.#entries.set(where, entry);
      const nowMs = this.#options.clock.now();
      return {
        result: entry.result,
        ageMs: Math.max(nowMs - entry.receivedMs, 0),
        isFresh: !entry.outdated && isFresh(entry, nowMs),
      };
    }
    return undefined;
  }

  /** Takes note of a request that is about to be sent. `settle` has to follow. */
  begin(subject: CacheSubject): CacheTicket {
    const ticket = { subject, authorization: this.#options.authorization(), overtaken: false };
    this.#tickets.add(ticket);
    return ticket;
  }

  /** Ends a request, and keeps its result where there is one with hints that allow it. */
  settle(ticket: CacheTicket, answer?: { readonly result: JsonObject; readonly hints: CacheHints }): void {
    this.#tickets.delete(ticket);
    const { subject, authorization } = ticket;
    // What a notice overtook may be older than what is there.
    if (answer === undefined || ticket.overtaken || !isCacheable(subject.method)) return;
    const key = cacheKey(subject);
    const own = privately(key, authorization);
    this.#drop(own);
    this.#drop(publicly(key));
    const { ttlMs, scope } = answer.hints;
    const bytes = 2 * key.length + estimateBytes(answer.result);
    if (ttlMs <= 0 || bytes > this.#options.maxBytes) return;
    this.#entries.set(scope === "private" ? own : publicly(key), {
      subject,
      result: answer.result,
      receivedMs: this.#options.clock.now(),
      ttlMs,
      isPrivate: scope === "private",
      bytes,
      outdated: false,
    });
    this.#bytes += bytes;
    this.#evict();
  }

  /** Marks what a notice makes doubtful, kept or on its way. */
  heed(notice: ServerNotice): void {
    this.outdate((subject) => isOutdatedBy(notice, subject));
  }

  /** Marks results as stale, kept or on their way; all of them when nothing is said. */
  outdate(isMeant: (subject: CacheSubject) => boolean = () => true): void {
    for (const entry of this.#entries.values()) if (isMeant(entry.subject)) entry.outdated = true;
    for (const ticket of this.#tickets) if (isMeant(ticket.subject)) ticket.overtaken = true;
  }

  /** Forgets all pages of a list. */
  dropList(method: string): void {
    this.#dropWhere((entry) => entry.subject.method === method);
  }

  /** Forgets what was kept for one user. */
  dropPrivate(): void {
    for (const ticket of this.#tickets) ticket.overtaken = true;
    this.#dropWhere((entry) => entry.isPrivate);
  }

  clear(): void {
    for (const ticket of this.#tickets) ticket.overtaken = true;
    this.#dropWhere(() => true);
  }

  #dropWhere(isMeant: (entry: Entry) => boolean): void {
    for (const [key, entry] of this.#entries) if (isMeant(entry)) this.#drop(key);
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  #evict(): void {
    const { maxEntries, maxBytes } = this.#options;
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries && this.#bytes <= maxBytes) return;
      this.#drop(key);
    }
  }
}

function publicly(key: string): string {
  return `public ${key}`;
}

function privately(key: string, authorization: string): string {
  return `private ${authorization} ${key}`;
}
