import assert from "node:assert/strict";
import { toDisposable } from "../../../src/base/disposable.ts";
import { Emitter } from "../../../src/base/emitter.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import type { Root } from "../../../src/protocol/model/sampling.ts";
import { askingHttp, askingStdio, type Question } from "../../support/askingServer.ts";
import { startScriptedHttp } from "../../support/scriptedHttp.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;
const ask = (revision: Question["revision"]): Question => ({ revision, method: "roots/list" });

/** Folders that a test can change. */
class Folders {
  current: readonly Root[] = [{ uri: "file:///work/a", name: "a" }];
  readonly changed = new Emitter<void>();
  readonly provider = { list: () => Promise.resolve(this.current), onDidChange: this.changed.event };

  pool(server: JsonObject): TestPool {
    return new TestPool({ s: server }, undefined, {
      features: () => ({ sampling: null, roots: this.provider }),
    });
  }
}

async function call(test: TestPool): Promise<{ answer: JsonObject; declared: JsonObject }> {
  const { result } = await test.pool.callTool("s", "t", {}, { origin: "panel" });
  return JSON.parse(firstText(result)) as { answer: JsonObject; declared: JsonObject };
}

describe("roots", () => {
  let folders: Folders;
  beforeEach(() => {
    folders = new Folders();
  });
  afterEach(() => {
    folders.changed.dispose();
  });

  for (const revision of REVISIONS) {
    for (const transport of ["stdio", "http"] as const) {
      // Duty: 11.2.1
      it(`are told, also when nobody can be asked: ${revision} over ${transport}`, async () => {
        const http = transport === "http" ? await askingHttp(ask(revision)) : undefined;
        {
          await using test = folders.pool(http ? { url: http.url } : askingStdio(ask(revision)));
          await test.connect();
          const { answer, declared } = await call(test);
          assert.deepEqual(answer, { roots: [{ uri: "file:///work/a", name: "a" }] });
          assert.deepEqual(declared, { roots: revision === "2026-07-28" ? {} : { listChanged: true } });
          folders.current = [];
          assert.deepEqual((await call(test)).answer, { roots: [] });
        }
        await http?.close();
      });
    }

    // Duty: 11.2.4, 9.10
    it(`are not told unless folders were chosen, and the wish is shown: ${revision}`, async () => {
      await using test = new TestPool({ s: askingStdio(ask(revision)) });
      await test.connect();
      if (revision === "2026-07-28") await assert.rejects(call(test), { code: "roots-off" });
      else assert.equal((await call(test)).answer["code"], -32601);
      const state = test.state();
      assert.deepEqual(state.kind === "connected" && state.wanted, ["roots"]);
    });
  }

  it("are not followed for a server whose connection failed after its handshake", async () => {
    const http = await startScriptedHttp((exchange) => {
      const { method } = exchange.message;
      if (method !== "initialize") return exchange.answer(method === "server/discover" ? 404 : 500);
      const serverInfo = { name: "f", version: "1" };
      exchange.result({ protocolVersion: "2025-11-25", capabilities: {}, serverInfo });
    });
    let followers = 0;
    const { onDidChange } = folders.provider;
    folders.provider.onDidChange = (listener) => {
      followers += 1;
      const subscription = onDidChange(listener);
      return toDisposable(() => {
        followers -= 1;
        subscription.dispose();
      });
    };
    {
      await using test = folders.pool({ url: http.url });
      await assert.rejects(test.connect(), { code: "neither-era", httpStatus: 500 });
      assert.equal(followers, 0);
    }
    await http.close();
  });

  // Duty: 11.2.4
  it("are an error without the reason when they cannot be found out", async () => {
    folders.provider.list = () => Promise.reject(new Error("The disk /work is gone"));
    await using test = folders.pool(askingStdio(ask("2025-11-25")));
    await test.connect();
    const { answer } = await call(test);
    assert.equal(answer["code"], -32603);
    assert.doesNotMatch(JSON.stringify(answer), /disk/);
  });

  // Duty: 11.2.3
  it("are told of when they change, to a legacy server", async () => {
    await using test = folders.pool(askingStdio(ask("2025-11-25")));
    await test.connect();
    folders.changed.fire();
    while (!test.log.lines.some((line) => line.includes("told of changed folders")))
      await new Promise(setImmediate);
  });

  // Duty: 11.2.3
  it("are not told of when they change, to a modern server, which asks anew", async () => {
    const server = await askingHttp(ask("2026-07-28"));
    {
      await using test = folders.pool({ url: server.url });
      await test.connect();
      folders.changed.fire();
      await call(test);
    }
    assert.ok(!server.messages.some(({ method }) => method === "notifications/roots/list_changed"));
    await server.close();
  });
});
