import type { JsonObject } from "../../base/json.ts";
import type { CacheNote } from "../model/cached.ts";
import type { CacheHints } from "./cacheHints.ts";
import { type CacheSubject, isCacheable, isRefusal, isServerAway } from "./cacheRules.ts";
import type { ResultCache } from "./resultCache.ts";

/** One request that may be answered from what was kept. */
export interface CachedRequest<T extends Fetched> {
  /** Undefined keeps nothing. */
  readonly cache: ResultCache | undefined;
  readonly subject: CacheSubject;
  /** True when a person asked for the newest: nothing kept is served, fresh or stale. */
  readonly isFreshWanted: boolean;
  /** True when a stale copy is better than an error. */
  readonly mayServeStale: boolean;
  /** Sends the request. */
  readonly fetch: () => Promise<T>;
}

/** A result as the server sent it. Without hints it is not kept: the request was one with input, or of the older era. */
export interface Fetched {
  readonly result: JsonObject;
  readonly hints?: CacheHints | undefined;
}

/** A result, fetched or kept. */
export type Served<T extends Fetched> = T | { readonly result: JsonObject; readonly fromCache: CacheNote };

/**
 * Serves a kept result while it is fresh, else fetches it. When the server cannot be reached, a stale copy may stand
 * in and says so; any answer of the server itself is given on.
 */
export function requestCached<T extends Fetched>(request: CachedRequest<T>): Promise<Served<T>> {
  const { cache, subject } = request;
  return cache === undefined || !isCacheable(subject.method) ? request.fetch() : serve(request, cache);
}

async function serve<T extends Fetched>(request: CachedRequest<T>, cache: ResultCache): Promise<Served<T>> {
  const { subject, fetch } = request;
  const kept = request.isFreshWanted ? undefined : cache.find(subject);
  if (kept?.isFresh === true)
    return { result: kept.result, fromCache: { ageMs: kept.ageMs, isStale: false } };
  const ticket = cache.begin(subject);
  try {
    const fetched = await fetch();
    const { result, hints } = fetched;
    cache.settle(ticket, hints === undefined ? undefined : { result, hints });
    return fetched;
  } catch (error) {
    cache.settle(ticket);
    if (isRefusal(error)) cache.dropPrivate();
    // Looked up again: it may have been forgotten, or be another user's, since the request began.
    const stale =
      request.mayServeStale && !request.isFreshWanted && isServerAway(error)
        ? cache.find(subject)
        : undefined;
    if (stale === undefined) throw error;
    return { result: stale.result, fromCache: { ageMs: stale.ageMs, isStale: true } };
  }
}
