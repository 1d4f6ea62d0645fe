import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { readCacheHints } from "../../../../src/protocol/cache/cacheHints.ts";
import type { CacheSubject } from "../../../../src/protocol/cache/cacheRules.ts";
import { ResultCache } from "../../../../src/protocol/cache/resultCache.ts";
import { FakeClock } from "../../../support/fakeClock.ts";

const LIST: CacheSubject = { method: "tools/list", params: {} };
const read = (uri: string): CacheSubject => ({ method: "resources/read", params: { uri } });

/** A cache with the hands of a test on everything around it. */
class Bench {
  readonly clock = new FakeClock();
  user = "anna";
  readonly cache: ResultCache;

  constructor(bounds: { readonly maxEntries?: number; readonly maxBytes?: number } = {}) {
    this.cache = new ResultCache({ clock: this.clock, authorization: () => this.user, ...bounds });
  }

  keep(subject: CacheSubject, result: JsonObject): void {
    this.cache.settle(this.cache.begin(subject), { result, hints: readCacheHints(result) });
  }

  /** `fresh`, `stale`, or undefined. */
  state(subject: CacheSubject): string | undefined {
    const found = this.cache.find(subject);
    return found === undefined ? undefined : found.isFresh ? "fresh" : "stale";
  }
}

describe("ResultCache", () => {
  // Duty: 12.3
  it("gives a result with its age while it is fresh, and says when it no longer is", () => {
    const bench = new Bench();
    const result = { tools: [], ttlMs: 1_000 };
    bench.keep(LIST, result);
    bench.clock.advance(999);
    assert.deepEqual(bench.cache.find(LIST), { result, ageMs: 999, isFresh: true });
    bench.clock.advance(1);
    assert.deepEqual(bench.cache.find(LIST), { result, ageMs: 1_000, isFresh: false });
  });

  it("keeps nothing without a time, and forgets what was there", () => {
    const bench = new Bench();
    bench.keep(LIST, { ttlMs: 1_000 });
    bench.keep(LIST, { ttlMs: 0 });
    assert.equal(bench.cache.size, 0);
    bench.keep(LIST, {});
    bench.keep({ method: "tools/call", params: { name: "t" } }, { ttlMs: 1_000 });
    assert.equal(bench.cache.size, 0);
    assert.equal(bench.cache.bytes, 0);
  });

  // Duty: 12.6, 1.3.4
  it("gives private results to the authorization they came with, and public ones to all", () => {
    const bench = new Bench();
    bench.keep(read("a:private"), { ttlMs: 1_000, cacheScope: "private" });
    bench.keep(read("a:public"), { ttlMs: 1_000, cacheScope: "public" });
    bench.user = "bert";
    assert.equal(bench.state(read("a:private")), undefined);
    assert.equal(bench.state(read("a:public")), "fresh");
    bench.user = "anna";
    assert.equal(bench.state(read("a:private")), "fresh");
  });

  it("keeps an answer under the authorization that asked, not under a later one", () => {
    const bench = new Bench();
    const ticket = bench.cache.begin(LIST);
    bench.user = "bert";
    bench.cache.settle(ticket, { result: {}, hints: { ttlMs: 1_000, scope: "private" } });
    assert.equal(bench.state(LIST), undefined);
    bench.user = "anna";
    assert.equal(bench.state(LIST), "fresh");
  });

  it("forgets the public copy when a result becomes private", () => {
    const bench = new Bench();
    bench.keep(LIST, { ttlMs: 1_000, cacheScope: "public" });
    bench.keep(LIST, { ttlMs: 1_000, cacheScope: "private" });
    bench.user = "bert";
    assert.equal(bench.state(LIST), undefined);
  });

  // Duty: 12.8
  it("marks what a notice names as stale at once", () => {
    const bench = new Bench();
    bench.keep(LIST, { ttlMs: 1_000 });
    bench.keep(read("a:x"), { ttlMs: 1_000 });
    bench.keep(read("a:y"), { ttlMs: 1_000 });
    bench.cache.heed({ kind: "list-changed", list: "tools" });
    bench.cache.heed({ kind: "resource-updated", uri: "a:x/below" });
    assert.deepEqual(
      [LIST, read("a:x"), read("a:y")].map((subject) => bench.state(subject)),
      ["stale", "stale", "fresh"],
    );
  });

  it("does not keep an answer that was on its way when the notice came", () => {
    const bench = new Bench();
    const overtaken = bench.cache.begin(LIST);
    bench.cache.heed({ kind: "list-changed", list: "tools" });
    const later = bench.cache.begin(LIST);
    const hints = { ttlMs: 1_000, scope: "public" } as const;
    bench.cache.settle(later, { result: { n: 2 }, hints });
    assert.equal(bench.state(LIST), "fresh");
    bench.cache.settle(overtaken, { result: { n: 1 }, hints });
    assert.deepEqual(bench.cache.find(LIST)?.result, { n: 2 });
  });

  it("keeps the most recently used within its bounds", () => {
    const bench = new Bench({ maxEntries: 3 });
    for (const uri of ["a:1", "a:2", "a:3"]) bench.keep(read(uri), { ttlMs: 1_000 });
    bench.cache.find(read("a:1"));
    bench.keep(read("a:4"), { ttlMs: 1_000 });
    assert.deepEqual(
      ["a:1", "a:2", "a:3", "a:4"].map((uri) => bench.state(read(uri))),
      ["fresh", undefined, "fresh", "fresh"],
    );
  });

  it("counts bytes, and gives them back", () => {
    const bench = new Bench({ maxBytes: 10_000 });
    const big = { text: "x".repeat(2_000), ttlMs: 1_000 };
    for (const uri of ["a:1", "a:2", "a:3"]) bench.keep(read(uri), big);
    assert.equal(bench.cache.size, 2);
    assert.ok(bench.cache.bytes <= 10_000);
    bench.keep(read("a:4"), { text: "x".repeat(6_000), ttlMs: 1_000 });
    assert.equal(bench.state(read("a:4")), undefined);
    bench.cache.clear();
    assert.equal(bench.cache.bytes, 0);
  });

  // Duty: 12.6, 12.7
  it("forgets private results alone when access is refused", () => {
    const bench = new Bench();
    bench.keep(read("a:private"), { ttlMs: 1_000 });
    bench.keep(read("a:public"), { ttlMs: 1_000, cacheScope: "public" });
    bench.cache.dropPrivate();
    assert.equal(bench.state(read("a:private")), undefined);
    assert.equal(bench.state(read("a:public")), "fresh");
  });
});
