import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { EraSession } from "../../../../src/protocol/eras/eraSession.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../../src/protocol/limits.ts";
import { RpcError } from "../../../../src/protocol/rpcError.ts";
import { FakeClock } from "../../../support/fakeClock.ts";
import { readCacheHints } from "../../../../src/protocol/cache/cacheHints.ts";
import { ResultCache } from "../../../../src/protocol/cache/resultCache.ts";
import {
  type ListedPages,
  type ListPagesOptions,
  listPages,
} from "../../../../src/protocol/lists/listPages.ts";

/** A session that answers each page from a function of the cursor. */
function sessionOf(page: (cursor: string | undefined) => JsonObject): {
  session: Pick<EraSession, "request">;
  cursors: (string | undefined)[];
} {
  const cursors: (string | undefined)[] = [];
  const session: Pick<EraSession, "request"> = {
    request: async (call) => {
      const cursor = call.params?.["cursor"] as string | undefined;
      cursors.push(cursor);
      const result = page(cursor);
      return { kind: "complete", result, hints: readCacheHints(result) };
    },
  };
  return { session, cursors };
}

function list(
  session: Pick<EraSession, "request">,
  limits: Limits = DEFAULT_LIMITS,
  more: Partial<ListPagesOptions> = {},
): Promise<ListedPages> {
  const signal = new AbortController().signal;
  const common = { method: "tools/list", itemsKey: "tools", serverName: "s", limits, signal };
  return listPages(session, { ...common, ...more });
}

function badCursor(): never {
  throw new RpcError("tools/list", { code: -32602, message: "bad cursor" });
}

describe("listPages", () => {
  it("bounds a page that is far too long", async () => {
    const { session } = sessionOf(() => ({ tools: Array.from({ length: 300_000 }, () => 1) }));
    const { items, warnings } = await list(session);
    assert.equal(items.length, DEFAULT_LIMITS.listItems);
    assert.match(warnings[0] ?? "", /more than 20000/);
  });

  // Duty: 8.4.6
  it("bounds what all pages together take", async () => {
    const { session, cursors } = sessionOf((cursor) => {
      const page = Number(cursor ?? "0");
      return { tools: ["x".repeat(1_000)], nextCursor: String(page + 1) };
    });
    const { items, warnings } = await list(session, { ...DEFAULT_LIMITS, messageBytes: 5_000 });
    assert.ok(cursors.length >= 5 && cursors.length <= 20, `${String(cursors.length)} pages were read`);
    assert.equal(items.length, cursors.length);
    assert.match(warnings[0] ?? "", /tools\/list takes more than 20000 bytes/);
  });

  // Duty: 8.4.2, 8.4.3
  it("follows forty honest pages", async () => {
    const { session } = sessionOf((cursor) => {
      const page = Number(cursor ?? "0");
      return { tools: [1, 2, 3, 4, 5], ...(page < 39 && { nextCursor: String(page + 1) }) };
    });
    const { items, warnings } = await list(session);
    assert.equal(items.length, 200);
    assert.deepEqual(warnings, []);
  });

  // Duty: 8.4.1
  it("follows an empty cursor, and stops at null", async () => {
    const { session, cursors } = sessionOf((cursor) => ({
      tools: [1],
      nextCursor: cursor === undefined ? "" : null,
    }));
    assert.equal((await list(session)).items.length, 2);
    assert.deepEqual(cursors, [undefined, ""]);
  });

  // Duty: 8.4.6
  it("ends a list whose cursor never advances, with a warning", async () => {
    const { session, cursors } = sessionOf(() => ({ tools: [1], nextCursor: "cGFnZTI=" }));
    const { warnings } = await list(session);
    assert.equal(cursors.length, 2);
    assert.equal(warnings.length, 1);
  });

  // Duty: 8.4.6
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
      if (cursor !== undefined) throw new RpcError("tools/list", { code: -32603, message: "no more" });
      return { tools: [1, 2], nextCursor: "x" };
    });
    const { items, warnings } = await list(session);
    assert.equal(items.length, 2);
    assert.match(warnings[0] ?? "", /no more/);
  });

  // Duty: 8.4.5, 15.4
  it("starts over once when a cursor is no longer good", async () => {
    let reads = 0;
    const { session, cursors } = sessionOf((cursor) => {
      if (cursor === undefined) return { tools: ["first"], nextCursor: (reads += 1) === 1 ? "old" : "new" };
      return cursor === "old" ? badCursor() : { tools: ["second"] };
    });
    assert.deepEqual(await list(session), { items: ["first", "second"], warnings: [] });
    assert.deepEqual(cursors, [undefined, "old", undefined, "new"]);
  });

  it("starts over no second time, and keeps what it has then", async () => {
    const { session, cursors } = sessionOf((cursor) =>
      cursor === undefined ? { tools: [1, 2], nextCursor: "x" } : badCursor(),
    );
    const { items, warnings } = await list(session);
    assert.equal(items.length, 2);
    assert.match(warnings[0] ?? "", /bad cursor/);
    assert.deepEqual(cursors, [undefined, "x", undefined, "x"]);
  });

  // Duty: 12.9, 8.4.5
  it("keeps each page for its own time, and forgets all of them with a bad cursor", async () => {
    const clock = new FakeClock();
    const cache = new ResultCache({ clock, authorization: () => "" });
    let generation = "a";
    const { session, cursors } = sessionOf((cursor) => {
      if (cursor === undefined) return { tools: [`${generation}1`], nextCursor: generation, ttlMs: 10_000 };
      return cursor === generation ? { tools: [`${generation}2`], ttlMs: 1_000 } : badCursor();
    });
    const read = async (): Promise<unknown> => (await list(session, DEFAULT_LIMITS, { cache })).items;
    assert.deepEqual(await read(), ["a1", "a2"]);
    assert.deepEqual(await read(), ["a1", "a2"]);
    assert.deepEqual(cursors.splice(0), [undefined, "a"]);
    clock.advance(5_000);
    assert.deepEqual(await read(), ["a1", "a2"]);
    assert.deepEqual(cursors.splice(0), ["a"]);
    clock.advance(1_000);
    generation = "b";
    assert.deepEqual(await read(), ["b1", "b2"]);
    assert.deepEqual(cursors.splice(0), ["a", undefined, "b"]);
  });

  // Duty: 12.2, 8.4.1
  it("does not take the empty cursor for none when it looks for a kept page", async () => {
    const cache = new ResultCache({ clock: new FakeClock(), authorization: () => "" });
    const { session } = sessionOf((cursor) =>
      cursor === undefined ? { tools: [1], nextCursor: "", ttlMs: 9 } : { tools: [2], ttlMs: 9 },
    );
    assert.deepEqual((await list(session, DEFAULT_LIMITS, { cache })).items, [1, 2]);
    assert.deepEqual((await list(session, DEFAULT_LIMITS, { cache })).items, [1, 2]);
  });

  it("fails when the first page fails or is no list", async () => {
    const failing = sessionOf(() => {
      throw new RpcError("tools/list", { code: -32603, message: "down" });
    });
    await assert.rejects(list(failing.session), { message: "down" });
    await assert.rejects(list(sessionOf(() => ({ tools: {} })).session), { code: "invalid-result" });
  });

  // Duty: 8.4.6
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
