import { errorText } from "../../base/errors.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { EraSession } from "../eras/eraSession.ts";
import { EngineError } from "../engineError.ts";
import type { Limits } from "../limits.ts";

/** All items of a paginated list, and what was odd about it. */
export interface ListedPages {
  readonly items: readonly JsonValue[];
  readonly warnings: readonly string[];
}

/**
 * Follows a list to its end. Cursors are opaque and sent back as they came; the empty text is one too.
 * A cursor that comes back, a page too many and a later page that fails end the list with a warning
 * and keep what is there; the first page's error is the list's error.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export async function listPages(
  session: EraSession,
  options: {
    readonly method: string;
    readonly itemsKey: string;
    readonly serverName: string;
    readonly limits: Limits;
    readonly signal: AbortSignal;
    readonly onPage?: () => void;
  },
): Promise<ListedPages> {
  const { method, itemsKey, serverName, limits, signal } = options;
  const items: JsonValue[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; page <= limits.listPages; page += 1) {
    let result: JsonObject;
    try {
      result = await requestPage(session, method, cursor, signal);
      for (const item of readItems(result, itemsKey, method, serverName)) items.push(item);
    } catch (error) {
      if (page === 1 || signal.aborted) throw error;
      return {
        items,
        warnings: [
          `Page ${String(page)} of ${method} failed; the earlier pages are kept. ${errorText(error)}`,
        ],
      };
    }
    options.onPage?.();
    if (items.length > limits.listItems) {
      const warning = `${method} lists more than ${String(limits.listItems)} entries; the rest is left out.`;
      return { items: items.slice(0, limits.listItems), warnings: [warning] };
    }
    const next = result["nextCursor"];
    if (typeof next !== "string") return { items, warnings: [] };
    if (seen.has(next)) {
      return { items, warnings: [`${method} repeats the cursor of an earlier page; the list ends there.`] };
    }
    seen.add(next);
    cursor = next;
  }
  return {
    items,
    warnings: [`${method} has more than ${String(limits.listPages)} pages; the rest is left out.`],
  };
}

async function requestPage(
  session: EraSession,
  method: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<JsonObject> {
  const outcome = await session.request({
    method,
    signal,
    ...(cursor !== undefined && { params: { cursor } }),
  });
  return outcome.result;
}

function readItems(result: JsonObject, key: string, method: string, server: string): readonly JsonValue[] {
  const items = result[key];
  if (!Array.isArray(items)) {
    throw new EngineError("invalid-result", { server, method, reason: `${key} is not a list` });
  }
  return items as readonly JsonValue[];
}
