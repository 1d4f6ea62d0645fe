import assert from "node:assert/strict";
import { parseServers } from "../../../src/client/parseServers.ts";
import type { CallOutcome, PoolPorts } from "../../../src/client/serverPool.ts";
import type { ResourceResult } from "../../../src/protocol/model/resource.ts";
import type { InputResponse } from "../../../src/protocol/mrtr/inputRequired.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { type Library, startLibrary } from "../../support/libraryServer.ts";
import { TestPool } from "../../support/testPool.ts";

const CALL = { origin: "panel" } as const;
const accept = (): InputResponse => ({ action: "accept", content: { name: "Ada" } });

function poolFor(library: Library, more = {}, ports: Partial<PoolPorts> = {}): TestPool {
  return new TestPool({ s: { ...library.entry, ...more } }, accept, ports);
}

function read(test: TestPool, uri: string, more = {}): Promise<CallOutcome<ResourceResult>> {
  return test.pool.readResource("s", uri, { ...CALL, ...more });
}

async function countOf(test: TestPool, method: string): Promise<number> {
  const { result } = await read(test, `calls:${method}`);
  return Number(result.contents[0]?.text);
}

for (const transport of ["stdio", "http"] as const) {
  describe(`results that are kept, over ${transport}`, () => {
    let library: Library;
    beforeEach(async () => {
      library = await startLibrary("modern", transport);
    });
    afterEach(() => library.close());

    // Duty: 12.2, 12.3
    it("are served while they are fresh, and say so", async () => {
      const clock = new FakeClock();
      await using test = poolFor(library, {}, { clock });
      await test.connect();
      assert.equal((await read(test, "kept:1")).fromCache, undefined);
      clock.advance(59_999);
      const again = await read(test, "kept:1");
      assert.deepEqual(again.fromCache, { ageMs: 59_999, isStale: false });
      assert.equal(again.result.contents[0]?.text, "kept");
      assert.equal((await read(test, "kept:2")).fromCache, undefined);
      clock.advance(1);
      assert.equal((await read(test, "kept:1")).fromCache, undefined);
    });

    it("are not served to somebody who wants the newest", async () => {
      await using test = poolFor(library);
      await test.connect();
      await read(test, "kept:1");
      assert.equal((await read(test, "kept:1", { fresh: true })).fromCache, undefined);
      assert.notEqual((await read(test, "kept:1")).fromCache, undefined);
    });

    // Duty: 9.13, 12.10
    it("are none of those that came of input", async () => {
      await using test = poolFor(library);
      await test.connect();
      for (let round = 1; round <= 2; round += 1) {
        const { rounds, fromCache } = await read(test, "ask:me");
        assert.deepEqual([rounds, fromCache], [1, undefined]);
      }
    });

    it("are none where the settings say so", async () => {
      await using test = poolFor(library, { cache: false });
      await test.connect();
      await read(test, "kept:1");
      assert.equal((await read(test, "kept:1")).fromCache, undefined);
    });
  });
}

describe("results that are kept for a server", () => {
  let library: Library;
  beforeEach(async () => {
    library = await startLibrary("modern", "http");
  });
  afterEach(() => library.close());

  // Duty: 1.3.4
  it("outlive its connection, and a list does not depend on it", async () => {
    await using test = poolFor(library);
    await test.connect();
    await read(test, "kept:1");
    await test.pool.disconnect("s");
    await test.connect();
    assert.deepEqual(test.tools(), ["t"]);
    assert.equal(await countOf(test, "tools/list"), 1);
    assert.notEqual((await read(test, "kept:1")).fromCache, undefined);
  });

  it("are asked for again by Refresh and by Restart", async () => {
    await using test = poolFor(library);
    await test.connect();
    await read(test, "kept:1");
    await test.pool.refresh("s");
    assert.equal(await countOf(test, "tools/list"), 2);
    assert.equal((await read(test, "kept:1")).fromCache, undefined);
    await test.pool.restart("s");
    assert.equal(await countOf(test, "tools/list"), 3);
    assert.equal((await read(test, "kept:1")).fromCache, undefined);
  });

  it("end with its definition", async () => {
    await using test = poolFor(library);
    await test.connect();
    await read(test, "kept:1");
    const changed = { ...library.entry, headers: { "X-Team": "blue" } };
    test.pool.configure(parseServers({ s: changed }, "user"));
    await test.connect();
    assert.equal((await read(test, "kept:1")).fromCache, undefined);
    assert.equal(await countOf(test, "tools/list"), 2);
  });

  // Duty: 12.6
  it("are shared between tokens when they are public, and never when they are private", async () => {
    let token = "anna";
    await using test = poolFor(
      library,
      {},
      {
        resolve: (config) => {
          if (config.type !== "http") throw new Error("It is no HTTP server");
          return Promise.resolve({
            ...config,
            headers: { Authorization: `Bearer ${token}` },
            secrets: [token],
          });
        },
      },
    );
    const signIn = async (as: string): Promise<void> => {
      token = as;
      await test.pool.disconnect("s");
      await test.connect();
    };
    await test.connect();
    await read(test, "own:1");
    await read(test, "kept:1");
    await signIn("bert");
    assert.equal((await read(test, "own:1")).fromCache, undefined);
    assert.notEqual((await read(test, "kept:1")).fromCache, undefined);
    await signIn("anna");
    assert.notEqual((await read(test, "own:1")).fromCache, undefined);
  });

  describe("that is away", () => {
    const clock = new FakeClock();

    /** Reads both kinds once, and lets their time pass. */
    async function readAndWait(test: TestPool): Promise<void> {
      await test.connect();
      await read(test, "own:1");
      await read(test, "kept:1");
      clock.advance(120_000);
    }

    // Duty: 12.5
    it("stand in when it cannot be reached, with their age, but not for somebody who wants the newest", async () => {
      await using test = poolFor(library, {}, { clock });
      await readAndWait(test);
      await library.close();
      assert.deepEqual((await read(test, "own:1")).fromCache, { ageMs: 120_000, isStale: true });
      await assert.rejects(read(test, "own:1", { fresh: true }), { code: "refused" });
      await assert.rejects(read(test, "kept:2"), { code: "refused" });
      library = await startLibrary("modern", "http");
    });

    // Duty: 12.5, 12.6
    for (const status of [401, 403]) {
      it(`never hide ${status}, and private ones are gone after it`, async () => {
        await using test = poolFor(library, {}, { clock });
        await readAndWait(test);
        if (library.http === undefined) throw new Error("It has no HTTP");
        library.http.handler = (exchange) => exchange.answer(status);
        await assert.rejects(read(test, "own:1"));
        library.http.handler = (exchange) => exchange.answer(503);
        await assert.rejects(read(test, "own:1"), { code: "http-status" });
        assert.equal((await read(test, "kept:1")).fromCache?.isStale, true);
      });
    }

    // Duty: 12.6
    it("are gone, where they are private, after any call that was refused", async () => {
      await using test = poolFor(library, {}, { clock });
      await test.connect();
      await read(test, "own:1");
      await read(test, "kept:1");
      if (library.http === undefined) throw new Error("It has no HTTP");
      library.http.handler = (exchange) => exchange.answer(401);
      await assert.rejects(test.pool.callTool("s", "t", {}, CALL), { code: "authorization-required" });
      await assert.rejects(read(test, "own:1"), { code: "authorization-required" });
      assert.equal((await read(test, "kept:1")).fromCache?.isStale, false);
    });

    it("do not hide what the server says", async () => {
      await using test = poolFor(library, {}, { clock });
      await readAndWait(test);
      if (library.http === undefined) throw new Error("It has no HTTP");
      library.http.handler = (exchange) => exchange.error(200, -32602, "It is gone");
      await assert.rejects(read(test, "own:1"), { code: "no-such-resource" });
    });
  });
});

describe("results of the older generation", () => {
  // Duty: 12.11
  it("are not kept, whatever fields they have", async () => {
    const library = await startLibrary("legacy", "stdio");
    await using test = poolFor(library);
    await test.connect();
    await read(test, "kept:1");
    assert.equal((await read(test, "kept:1")).fromCache, undefined);
  });
});
