import type { JsonObject, JsonValue } from "../../base/json.ts";

/** What a server says about keeping a result. */
export interface CacheHints {
  /** Milliseconds for which it is fresh; 0 means that it is not kept. */
  readonly ttlMs: number;
  /** Public results hold nothing of one user; all others are for the authorization that they were fetched with. */
  readonly scope: "public" | "private";
}

/** The longest time a result is believed, whatever the server says. */
const MAX_TTL_MS = 24 * 60 * 60 * 1000;

/**
 * Reads the hints of a result. What is missing, negative or in a wrong form is read so that less is kept and less is
 * shared.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#cacheable-model
 */
export function readCacheHints({ ttlMs, cacheScope }: JsonObject): CacheHints {
  return { ttlMs: readTtl(ttlMs), scope: cacheScope === "public" ? "public" : "private" };
}

function readTtl(value: JsonValue | undefined): number {
  const isNumber = typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
  return isNumber ? Math.min(Math.max(Number(value), 0), MAX_TTL_MS) : 0;
}
