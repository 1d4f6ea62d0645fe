import { errorText } from "../../base/errors.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { requestCached } from "../cache/requestCached.ts";
import type { ResultCache } from "../cache/resultCache.ts";
import { estimateBytes } from "../cache/resultSize.ts";
import type { EraSession } from "../eras/eraSession.ts";
import { EngineError } from "../engineError.ts";
import type { Limits } from "../limits.ts";
import { RPC_CODES, RpcError } from "../rpcError.ts";

/** Whether a list that was kept will do, while the server says that it is fresh, or the newest is wanted. */
export type ListWish = "fresh-enough" | "newest";

/** How many of the largest messages all pages of a list may take together. */
const MAX_MESSAGES = 4;

/** All items of a paginated list, and what was odd about it. */
export interface ListedPages {
  readonly items: readonly JsonValue[];
  readonly warnings: readonly string[];
}

export interface ListPagesOptions {
  readonly method: string;
  readonly itemsKey: string;
  readonly serverName: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly onPage?: () => void;
  /** Pages that are kept, each with its cursor. */
  readonly cache?: ResultCache | undefined;
  /** True when a person asked for the newest list. */
  readonly isFreshWanted?: boolean;
}

/**
 * Follows a list to its end. Cursors are opaque and sent back as they came; the empty text is one too.
 * A cursor that comes back, a page too many and a later page that fails end the list with a warning
 * and keep what is there; the first page's error is the list's error. When the server no longer knows a cursor, the
 * pages that are kept are forgotten and the list is read once more from the start.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export async function listPages(
  session: Pick<EraSession, "request">,
  options: ListPagesOptions,
): Promise<ListedPages> {
  const { cache, method } = options;
  return walkPages(session, options, () => {
    cache?.dropList(method);
    return walkPages(session, { ...options, isFreshWanted: true });
  });
}

/** One way through the pages; `startOver` is what to do about a cursor that is no longer good, if anything. */
async function walkPages(
  session: Pick<EraSession, "request">,
  options: ListPagesOptions,
  startOver?: () => Promise<ListedPages>,
): Promise<ListedPages> {
  const { method, itemsKey, serverName, limits, signal } = options;
  const items: JsonValue[] = [];
  const seen = new Set<string>();
  const done = (...warnings: readonly string[]): ListedPages => ({
    items: items.slice(0, limits.listItems),
    warnings,
  });
  const maxBytes = MAX_MESSAGES * limits.messageBytes;
  let bytes = 0;
  let cursor: string | undefined;
  for (let page = 1; page <= limits.listPages; page += 1) {
    let result: JsonObject;
    try {
      result = await requestPage(session, options, cursor);
      for (const item of readItems(result, itemsKey, method, serverName)) items.push(item);
    } catch (error) {
      if (page === 1 || signal.aborted) throw error;
      if (startOver !== undefined && isBadCursor(error)) return startOver();
      return done(
        `Page ${String(page)} of ${method} failed; the earlier pages are kept. ${errorText(error)}`,
      );
    }
    options.onPage?.();
    if (items.length > limits.listItems)
      return done(`${method} lists more than ${String(limits.listItems)} entries; the rest is left out.`);
    const next = result["nextCursor"];
    if (typeof next !== "string") return done();
    if (seen.has(next)) return done(`${method} repeats the cursor of an earlier page; the list ends there.`);
    seen.add(next);
    cursor = next;
    // Most lists have one page, which is bounded as a message is, and are not measured.
    bytes += estimateBytes(result);
    if (bytes > maxBytes)
      return done(`${method} takes more than ${String(maxBytes)} bytes; the rest is left out.`);
  }
  return done(`${method} has more than ${String(limits.listPages)} pages; the rest is left out.`);
}

async function requestPage(
  session: Pick<EraSession, "request">,
  options: ListPagesOptions,
  cursor: string | undefined,
): Promise<JsonObject> {
  const { method, signal, cache, isFreshWanted } = options;
  const params: JsonObject = cursor === undefined ? {} : { cursor };
  const { result } = await requestCached({
    cache,
    subject: { method, params },
    isFreshWanted: isFreshWanted === true,
    // A list that is older than it says would hide that it could not be read.
    mayServeStale: false,
    fetch: async () => {
      const outcome = await session.request({ method, signal, ...(cursor !== undefined && { params }) });
      return outcome.kind === "complete" ? outcome : { result: outcome.result };
    },
  });
  return result;
}

/** The cursor is the only parameter, so an invalid parameter is the cursor. */
function isBadCursor(error: unknown): boolean {
  return error instanceof RpcError && error.rpcCode === RPC_CODES.invalidParams;
}

function readItems(result: JsonObject, key: string, method: string, server: string): readonly JsonValue[] {
  const items = result[key];
  if (!Array.isArray(items)) {
    throw new EngineError("invalid-result", { server, method, reason: `${key} is not a list` });
  }
  return items as readonly JsonValue[];
}
