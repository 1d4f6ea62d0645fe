import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { EraSession } from "../../../../src/protocol/eras/eraSession.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../../src/protocol/limits.ts";
import { RpcError } from "../../../../src/protocol/rpcError.ts";
import { type ListedPages, listPages } from "../../../../src/protocol/lists/listPages.ts";

/** A session that answers each page from a function of the cursor. */
function sessionOf(page: (cursor: string | undefined) => JsonObject): {
  session: EraSession;
  cursors: (string | undefined)[];
} {
  const cursors: (string | undefined)[] = [];
  const session: EraSession = {
    facts: { revision: "2026-07-28", server: undefined, capabilities: {}, instructions: undefined },
    closed: new AbortController().signal,
    onNotice: undefined,
    adoptTools: () => [],
    close: () => Promise.resolve(),
    dispose: () => undefined,
    request: async (call) => {
      const cursor = call.params?.["cursor"] as string | undefined;
      cursors.push(cursor);
      return { kind: "complete", result: page(cursor) };
    },
  };
  return { session, cursors };
}

function list(session: EraSession, limits: Limits = DEFAULT_LIMITS): Promise<ListedPages> {
  const signal = new AbortController().signal;
  return listPages(session, { method: "tools/list", itemsKey: "tools", serverName: "s", limits, signal });
}

describe("listPages", () => {
  it("bounds a page that is far too long", async () => {
    const { session } = sessionOf(() => ({ tools: Array.from({ length: 300_000 }, () => 1) }));
    const { items, warnings } = await list(session);
    assert.equal(items.length, DEFAULT_LIMITS.listItems);
    assert.match(warnings[0] ?? "", /more than 20000/);
  });

  it("follows forty honest pages", async () => {
    const { session } = sessionOf((cursor) => {
      const page = Number(cursor ?? "0");
      return { tools: [1, 2, 3, 4, 5], ...(page < 39 && { nextCursor: String(page + 1) }) };
    });
    const { items, warnings } = await list(session);
    assert.equal(items.length, 200);
    assert.deepEqual(warnings, []);
  });

  it("follows an empty cursor, and stops at null", async () => {
    const { session, cursors } = sessionOf((cursor) => ({
      tools: [1],
      nextCursor: cursor === undefined ? "" : null,
    }));
    assert.equal((await list(session)).items.length, 2);
    assert.deepEqual(cursors, [undefined, ""]);
  });

  it("ends a list whose cursor never advances, with a warning", async () => {
    const { session, cursors } = sessionOf(() => ({ tools: [1], nextCursor: "cGFnZTI=" }));
    const { warnings } = await list(session);
    assert.equal(cursors.length, 2);
    assert.equal(warnings.length, 1);
  });

  it("ends a list whose cursors go round", async () => {
    const { session, cursors } = sessionOf((cursor) => ({
      tools: [1],
      nextCursor: cursor === "A" ? "B" : "A",
    }));
    assert.equal((await list(session)).warnings.length, 1);
    assert.deepEqual(cursors, [undefined, "A", "B"]);
  });

  it("keeps the first page when the second fails", async () => {
    const { session } = sessionOf((cursor) => {
      if (cursor !== undefined) throw new RpcError("tools/list", { code: -32602, message: "bad cursor" });
      return { tools: [1, 2], nextCursor: "x" };
    });
    const { items, warnings } = await list(session);
    assert.equal(items.length, 2);
    assert.match(warnings[0] ?? "", /bad cursor/);
  });

  it("fails when the first page fails or is no list", async () => {
    const failing = sessionOf(() => {
      throw new RpcError("tools/list", { code: -32603, message: "down" });
    });
    await assert.rejects(list(failing.session), { message: "down" });
    await assert.rejects(list(sessionOf(() => ({ tools: {} })).session), { code: "invalid-result" });
  });

  it("stops at the bounds of items and pages", async () => {
    let page = 0;
    const endless = (): JsonObject => ({ tools: [1, 2, 3], nextCursor: String(++page) });
    const items = await list(sessionOf(endless).session, { ...DEFAULT_LIMITS, listItems: 7 });
    assert.equal(items.items.length, 7);
    assert.equal(items.warnings.length, 1);
    const pages = await list(sessionOf(endless).session, { ...DEFAULT_LIMITS, listPages: 4 });
    assert.equal(pages.items.length, 12);
    assert.equal(pages.warnings.length, 1);
  });
});
