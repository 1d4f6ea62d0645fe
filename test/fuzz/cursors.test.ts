import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import type { EraCall } from "../../src/protocol/eras/eraSession.ts";
import { DEFAULT_LIMITS } from "../../src/protocol/limits.ts";
import { listPages } from "../../src/protocol/lists/listPages.ts";
import { forAllAsync } from "./support/forAll.ts";

/** Few cursors, so that they come back; the empty text and what reads like another type are among them. */
const CURSORS = ["", "0", "null", "undefined", "__proto__", "a", "b", "ü", "\u0000", " a", "x".repeat(5_000)];

interface Page {
  readonly items: number;
  /** A text is the cursor of the next page; anything else ends the list. */
  readonly next: JsonValue | undefined;
  readonly fails: boolean;
}

const next: fc.Arbitrary<JsonValue | undefined> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<JsonValue | undefined>(...CURSORS) },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue | undefined>(undefined, null, 0, false, {}, ["a"]) },
);
const page: fc.Arbitrary<Page> = fc.record({
  items: fc.nat(12),
  next,
  fails: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
/** Any graph: where each page leads, and how much is listed at most. */
const graphs = fc.record({
  first: page,
  pages: fc.array(page, { minLength: CURSORS.length, maxLength: CURSORS.length }),
  listPages: fc.integer({ min: 1, max: 14 }),
  listItems: fc.integer({ min: 1, max: 80 }),
});

/** A server whose pages are given, and that counts how often it is asked. */
class PagedServer {
  readonly asked: (string | undefined)[] = [];
  readonly #pageOf: (cursor: string | undefined) => Page;

  constructor(pageOf: (cursor: string | undefined) => Page) {
    this.#pageOf = pageOf;
  }

  list(limits: { readonly listPages: number; readonly listItems: number }): ReturnType<typeof listPages> {
    const request = (call: EraCall): Promise<{ kind: "complete"; result: JsonObject }> => this.#answer(call);
    return listPages(
      { request },
      {
        method: "tools/list",
        itemsKey: "tools",
        serverName: "s",
        limits: { ...DEFAULT_LIMITS, ...limits },
        signal: new AbortController().signal,
      },
    );
  }

  #answer({ params }: EraCall): Promise<{ kind: "complete"; result: JsonObject }> {
    const cursor = params === undefined ? undefined : params["cursor"];
    assert.ok(cursor === undefined || typeof cursor === "string");
    this.asked.push(cursor);
    const { items, next: nextCursor, fails } = this.#pageOf(cursor);
    if (fails) return Promise.reject(new Error("This page fails"));
    const tools = Array.from({ length: items }, (_, index) => `${String(cursor)} ${String(index)}`);
    return Promise.resolve({ kind: "complete", result: { tools, nextCursor } });
  }
}

/** The pages that are to be asked for: until the list ends, a cursor comes back, a page fails, or a bound is met. */
function walk(
  pageOf: (cursor: string | undefined) => Page,
  limits: { listPages: number; listItems: number },
): {
  readonly asked: (string | undefined)[];
  readonly items: number;
} {
  const asked: (string | undefined)[] = [];
  let items = 0;
  let cursor: string | undefined;
  for (;;) {
    asked.push(cursor);
    const at = pageOf(cursor);
    if (at.fails) return { asked, items };
    items += at.items;
    if (items > limits.listItems) return { asked, items: limits.listItems };
    if (typeof at.next !== "string" || asked.includes(at.next) || asked.length === limits.listPages)
      return { asked, items };
    cursor = at.next;
  }
}

// Duty: 8.4.1, 8.4.2, 8.4.3, 8.4.6
describe("fuzz: cursors", () => {
  it("are followed to the end of any graph, each once and unchanged", async () => {
    await forAllAsync(graphs, async ({ first, pages, ...limits }) => {
      const pageOf = (cursor: string | undefined): Page =>
        (cursor === undefined ? first : pages[CURSORS.indexOf(cursor)]) ?? first;
      const server = new PagedServer(pageOf);
      if (first.fails) {
        await assert.rejects(server.list(limits), /This page fails/);
        assert.deepEqual(server.asked, [undefined]);
        return;
      }
      const listed = await server.list(limits);
      const expected = walk(pageOf, limits);
      assert.deepEqual(server.asked, expected.asked);
      assert.equal(listed.items.length, expected.items);
      // What was left out is said.
      const last = pageOf(server.asked.at(-1));
      const isWhole = !last.fails && typeof last.next !== "string" && listed.items.length < limits.listItems;
      if (isWhole) assert.deepEqual(listed.warnings, []);
      if (last.fails || typeof last.next === "string") assert.equal(listed.warnings.length, 1);
    });
  });

  it("end at the bounds when every page leads to a new one", async () => {
    const lists = fc.record({
      listPages: fc.integer({ min: 1, max: 60 }),
      listItems: fc.integer({ min: 1, max: 400 }),
      perPage: fc.nat(30),
      cursor: fc.string({ unit: "binary", maxLength: 8 }),
    });
    await forAllAsync(lists, async ({ perPage, cursor, ...limits }) => {
      let count = 0;
      const server = new PagedServer(() => ({
        items: perPage,
        next: `${cursor}${String((count += 1))}`,
        fails: false,
      }));
      const listed = await server.list(limits);
      assert.ok(server.asked.length <= limits.listPages && listed.items.length <= limits.listItems);
      assert.equal(listed.warnings.length, 1);
      assert.deepEqual(
        server.asked.slice(0, 2),
        server.asked.length > 1 ? [undefined, `${cursor}1`] : [undefined],
      );
    });
  });
});
