import assert from "node:assert/strict";
import { type JsonObject, stringifyJson } from "../../../../src/base/json.ts";
import { NetError } from "../../../../src/net/netError.ts";
import { readCacheHints } from "../../../../src/protocol/cache/cacheHints.ts";
import {
  cacheKey,
  isCacheable,
  isFresh,
  isOutdatedBy,
  isRefusal,
  isServerAway,
} from "../../../../src/protocol/cache/cacheRules.ts";
import { estimateBytes } from "../../../../src/protocol/cache/resultSize.ts";
import { EngineError } from "../../../../src/protocol/engineError.ts";
import { RpcError } from "../../../../src/protocol/rpcError.ts";

const DAY = 24 * 60 * 60 * 1000;

// Duty: 12.1, 12.3, 12.7
describe("hints about keeping a result", () => {
  const cases: readonly (readonly [JsonObject, number, "public" | "private"])[] = [
    [{ ttlMs: 5_000, cacheScope: "public" }, 5_000, "public"],
    [{ ttlMs: 5_000, cacheScope: "private" }, 5_000, "private"],
    [{ ttlMs: 5_000 }, 5_000, "private"],
    [{ ttlMs: 5_000, cacheScope: "PUBLIC" }, 5_000, "private"],
    [{ ttlMs: 5_000, cacheScope: true }, 5_000, "private"],
    [{ ttlMs: 0, cacheScope: "public" }, 0, "public"],
    [{ ttlMs: -1 }, 0, "private"],
    [{ ttlMs: "5000" }, 0, "private"],
    [{ ttlMs: 1.5 }, 0, "private"],
    [{ ttlMs: null }, 0, "private"],
    [{}, 0, "private"],
    [{ ttlMs: DAY + 1 }, DAY, "private"],
    [{ ttlMs: 9_007_199_254_740_993n }, DAY, "private"],
    [{ ttlMs: -9_007_199_254_740_993n }, 0, "private"],
  ];
  for (const [result, ttlMs, scope] of cases) {
    it(`read ${stringifyJson(result)}`, () => {
      assert.deepEqual(readCacheHints(result), { ttlMs, scope });
    });
  }
});

// Duty: 12.3
describe("the freshness of a kept result", () => {
  it("ends with its time, and with a clock that went back", () => {
    const entry = { receivedMs: 1_000, ttlMs: 500 };
    assert.ok(isFresh(entry, 1_000));
    assert.ok(isFresh(entry, 1_499));
    assert.ok(!isFresh(entry, 1_500));
    assert.ok(!isFresh(entry, 999));
  });
});

// Duty: 12.2
describe("the key of a kept result", () => {
  it("is the same for the same request and no other", () => {
    const key = cacheKey({ method: "resources/read", params: { uri: "a:1", deep: { x: 1, y: 2 } } });
    assert.equal(key, cacheKey({ method: "resources/read", params: { deep: { y: 2, x: 1 }, uri: "a:1" } }));
    assert.notEqual(
      key,
      cacheKey({ method: "resources/read", params: { uri: "a:2", deep: { x: 1, y: 2 } } }),
    );
    assert.notEqual(
      cacheKey({ method: "resources/list", params: {} }),
      cacheKey({ method: "resources/list", params: { cursor: "" } }),
    );
    assert.notEqual(
      cacheKey({ method: "tools/list", params: {} }),
      cacheKey({ method: "prompts/list", params: {} }),
    );
  });

  it("exists for the methods that may be kept alone", () => {
    for (const method of ["tools/call", "prompts/get", "completion/complete", "server/discover"])
      assert.ok(!isCacheable(method), method);
  });
});

// Duty: 12.8, 8.1.7
describe("a notice", () => {
  const outdates = (list: "tools" | "prompts" | "resources", method: string): boolean =>
    isOutdatedBy({ kind: "list-changed", list }, { method, params: {} });

  it("about a list outdates that list", () => {
    assert.ok(outdates("tools", "tools/list"));
    assert.ok(outdates("prompts", "prompts/list"));
    assert.ok(outdates("resources", "resources/list"));
    assert.ok(outdates("resources", "resources/templates/list"));
    assert.ok(!outdates("resources", "resources/read"));
    assert.ok(!outdates("tools", "prompts/list"));
  });

  const related: readonly (readonly [changed: string, kept: string, outdated: boolean])[] = [
    ["file:///a", "file:///a", true],
    ["file:///a/b.txt", "file:///a", true],
    ["file:///a/b.txt", "file:///a/", true],
    ["file:///a", "file:///a/b.txt", true],
    ["file:///a#part", "file:///a", true],
    ["db://orders?id=1", "db://orders", true],
    ["file:///ab", "file:///a", false],
    ["file:///b", "file:///a", false],
    ["file:///a/c", "file:///a/b", false],
  ];
  for (const [changed, kept, outdated] of related) {
    it(`about ${changed} ${outdated ? "outdates" : "leaves"} ${kept}`, () => {
      const notice = { kind: "resource-updated", uri: changed } as const;
      assert.equal(isOutdatedBy(notice, { method: "resources/read", params: { uri: kept } }), outdated);
      assert.ok(!isOutdatedBy(notice, { method: "resources/list", params: {} }));
    });
  }
});

// Duty: 12.5
describe("a failed request", () => {
  const status = (httpStatus: number): EngineError =>
    new EngineError("http-status", { server: "s", method: "m", status: httpStatus }, { httpStatus });

  it("shows that the server is away only when nothing was heard of it", () => {
    for (const code of ["dns", "refused", "unreachable", "connect-timeout", "reset"] as const)
      assert.ok(isServerAway(new NetError(code, { server: "s" })), code);
    assert.ok(isServerAway(status(503)));
    assert.ok(isServerAway(new EngineError("timeout", { server: "s", method: "m", seconds: 1 })));
    const others = [
      new NetError("tls", { server: "s" }),
      new NetError("invalid-header", { server: "s" }),
      status(401),
      status(403),
      status(404),
      status(500),
      new EngineError("authorization-required", { server: "s", status: 401 }, { httpStatus: 401 }),
      new EngineError("cancelled", { server: "s", method: "m" }),
      new RpcError("m", { code: -32603, message: "x" }, 503),
      new Error("x"),
    ];
    for (const error of others) assert.ok(!isServerAway(error), error.message);
  });

  it("is a refusal with 401 and 403, whoever says it", () => {
    assert.ok(isRefusal(status(401)) && isRefusal(status(403)));
    assert.ok(isRefusal(new RpcError("m", { code: -32001, message: "x" }, 403)));
    assert.ok(isRefusal(new EngineError("authorization-required", { server: "s", status: 401 })));
    assert.ok(!isRefusal(status(404)) && !isRefusal(new Error("x")));
  });
});

describe("the estimated size of a result", () => {
  it("grows with texts, keys and nesting, and is found for deep values too", () => {
    const small = estimateBytes({ a: "x" });
    assert.ok(estimateBytes({ a: "x".repeat(1_000) }) >= small + 1_998);
    assert.ok(estimateBytes({ a: ["x", "y", { long: 1 }] }) > small);
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    assert.ok(estimateBytes(deep) > 100_000);
  });
});
