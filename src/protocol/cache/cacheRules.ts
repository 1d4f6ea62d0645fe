import { canonicalJson, type JsonObject } from "../../base/json.ts";
import { isUnreached } from "../../net/netFailure.ts";
import { EngineError, type EngineErrorCode } from "../engineError.ts";
import type { ServerNotice } from "../model/notice.ts";
import { RpcError } from "../rpcError.ts";
import { isAuthorizationRefusal } from "../transports/authorizationRefusal.ts";

/** What a kept result answers: a method with the parameters that make a difference. */
export interface CacheSubject {
  readonly method: string;
  readonly params: JsonObject;
}

/** Methods whose results may be kept, with the list that a notice about them names. */
const CACHEABLE: ReadonlyMap<string, "tools" | "prompts" | "resources" | "contents"> = new Map([
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resources"],
  ["resources/read", "contents"],
  // Skills are resources, and no notice is about them alone.
  ["skills/list", "resources"],
  ["skills/get", "resources"],
]);

export function isCacheable(method: string): boolean {
  return CACHEABLE.has(method);
}

/** The text that tells one subject from all others, whatever the order of keys. */
export function cacheKey({ method, params }: CacheSubject): string {
  return `${method} ${canonicalJson(params)}`;
}

/** True while a result may be served without asking. A clock that went back says nothing, so it ends the time too. */
export function isFresh(
  entry: { readonly receivedMs: number; readonly ttlMs: number },
  nowMs: number,
): boolean {
  const ageMs = nowMs - entry.receivedMs;
  return ageMs >= 0 && ageMs < entry.ttlMs;
}

/**
 * True when a notice says that a kept result may no longer be right.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#interaction-with-notifications
 */
export function isOutdatedBy(notice: ServerNotice, { method, params }: CacheSubject): boolean {
  const group = CACHEABLE.get(method);
  if (notice.kind === "list-changed") return group === notice.list;
  if (notice.kind !== "resource-updated" || group !== "contents") return false;
  const { uri } = params;
  return typeof uri === "string" && isWithin(notice.uri, uri);
}

/** True when one URI is the other, or lies below it: a change there is a change of the whole, and the reverse. */
function isWithin(a: string, b: string): boolean {
  return a === b || isBelow(a, b) || isBelow(b, a);
}

function isBelow(inner: string, outer: string): boolean {
  if (!inner.startsWith(outer)) return false;
  return /[/?#]$/.test(outer) || /^[/?#]/.test(inner.slice(outer.length));
}

/** What a proxy answers for a server that is away. */
const AWAY: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/**
 * True when a failure says only that the server was not reached, so that an older copy is better than nothing.
 * Whatever the server itself says counts, a refusal of authorization above all: no copy may hide it.
 */
export function isServerAway(error: unknown): boolean {
  if (!(error instanceof EngineError)) return isUnreached(error);
  if (error.code === "timeout") return true;
  return (error.code === "http-status" || error.code === "busy") && AWAY.has(error.httpStatus);
}

const REFUSALS: ReadonlySet<EngineErrorCode> = new Set(["authorization-required", "forbidden"]);

/** True when the server refuses whoever asks: what was kept for that authorization is no longer for it. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof EngineError && REFUSALS.has(error.code)) return true;
  if (isAuthorizationRefusal(error)) return true;
  const status = error instanceof EngineError || error instanceof RpcError ? error.httpStatus : undefined;
  return status === 401 || status === 403;
}
