import assert from "node:assert/strict";
import { ResultCache } from "../../../src/protocol/cache/resultCache.ts";
import { Connection, type ConnectionOptions } from "../../../src/protocol/connection.ts";
import type { EraResult, EraSession } from "../../../src/protocol/eras/eraSession.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../../../src/protocol/limits.ts";
import { CollectingLog } from "../../support/collectingListener.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { NO_FEATURES } from "../../../src/protocol/mrtr/clientFeatures.ts";
import { FeatureUse } from "../../../src/protocol/mrtr/featureUse.ts";
import { NO_SUBSCRIPTIONS } from "../../../src/protocol/model/subscriptions.ts";
import { FakeClock } from "../../support/fakeClock.ts";

/** A connection over a session that answers requests as the test says. */
function connectionOver(request: EraSession["request"], clock: FakeClock): Connection {
  return makeConnection(request, clock).connection;
}

function makeConnection(
  request: EraSession["request"],
  clock: FakeClock,
  more: Partial<ConnectionOptions> = {},
): { readonly connection: Connection; readonly session: EraSession } {
  const facts = {
    revision: "2026-07-28",
    server: undefined,
    capabilities: { tools: {}, resources: {} },
    instructions: undefined,
  } as const;
  const session: EraSession = {
    facts,
    closed: new AbortController().signal,
    onNotice: undefined,
    subscriptions: NO_SUBSCRIPTIONS,
    onSubscriptions: undefined,
    watchResource: () => Promise.resolve(),
    unwatchResource: () => undefined,
    watchTasks: () => undefined,
    listenAgain: () => undefined,
    setLogLevel: () => Promise.resolve(),
    adoptTools: () => [],
    close: () => Promise.resolve(),
    dispose: () => undefined,
    request,
  };
  const negotiation = { ...facts, era: "modern", how: "probed", reason: "", steps: [] } as const;
  const log = new CollectingLog();
  const connection = new Connection(
    { session, negotiation: { ...negotiation, roundTrips: 1, processes: 1 } },
    {
      serverName: "s",
      limits: DEFAULT_LIMITS,
      timeouts: DEFAULT_TIMEOUTS,
      clock,
      log,
      use: new FeatureUse({ features: NO_FEATURES, serverName: "s", clock, log }),
      ...more,
    },
  );
  return { connection, session };
}

/** A connection whose only answer comes after three minutes, with progress every fifty seconds. */
function slowConnection(clock: FakeClock): Connection {
  return connectionOver((call) => {
    for (let progress = 1; progress <= 3; progress += 1) {
      clock.advance(50_000);
      call.onProgress?.({ progress });
    }
    clock.advance(30_000);
    call.signal.throwIfAborted();
    return Promise.resolve({ kind: "complete", result: { content: [] } });
  }, clock);
}

describe("the time limit of a request", () => {
  // Duty: 14.3.1
  it("starts anew with every progress, for tools and for anything else", async () => {
    const clock = new FakeClock();
    const connection = slowConnection(clock);
    await connection.callTool("t", {}, { callId: "1", input: null });
    await connection.request("resources/read", { uri: "a:b" }, { callId: "2", input: null });
    assert.equal(clock.pending, 0);
  });
});

describe("two lists of tools at once", () => {
  it("leave the newer one, whichever is answered first", async () => {
    const answers = [deferred<EraResult>(), deferred<EraResult>()];
    let asked = 0;
    const connection = connectionOver(() => {
      const answer = answers[asked];
      asked += 1;
      return answer?.promise ?? Promise.reject(new Error("asked too often"));
    }, new FakeClock());
    const listing = (name: string): EraResult => ({
      kind: "complete",
      result: { tools: [{ name, inputSchema: { type: "object" } }] },
    });
    const older = connection.listTools();
    const newer = connection.listTools();
    answers[1]?.resolve(listing("new"));
    await newer;
    answers[0]?.resolve(listing("old"));
    await older;
    assert.deepEqual(
      connection.catalog.tools.map(({ name }) => name),
      ["new"],
    );
  });
});

/** A connection that keeps results, to a server whose every answer holds for an hour. */
function keepingConnection(): {
  readonly connection: Connection;
  readonly session: EraSession;
  asked: string[];
} {
  const clock = new FakeClock();
  const asked: string[] = [];
  const cache = new ResultCache({ clock, authorization: () => "" });
  const { connection, session } = makeConnection(
    ({ method, params }) => {
      asked.push(method === "resources/read" ? `${method} ${JSON.stringify(params?.["uri"])}` : method);
      const [, key = ""] = /^(tools|prompts|resources)\/list/.exec(method) ?? [];
      const result = method === "resources/read" ? { contents: [] } : { [key]: [], resourceTemplates: [] };
      return Promise.resolve({ kind: "complete", result, hints: { ttlMs: 3_600_000, scope: "private" } });
    },
    clock,
    { cache },
  );
  return { connection, session, asked };
}

// Duty: 12.8, 8.1.7, 7.1.9
describe("what a server tells on its own", () => {
  it("makes results that were kept stale at once, with or without a listener", async () => {
    const { connection, session, asked } = keepingConnection();
    const read = (uri: string): Promise<unknown> =>
      connection.request("resources/read", { uri }, { callId: "1", input: null });
    const readAll = async (): Promise<string[]> => {
      await connection.listTools();
      await connection.listResources();
      await connection.listTemplates();
      await read("a:x");
      await read("a:y");
      return asked.splice(0);
    };
    assert.equal((await readAll()).length, 5);
    assert.deepEqual(await readAll(), []);
    session.onNotice?.({ kind: "list-changed", list: "tools" });
    assert.deepEqual(await readAll(), ["tools/list"]);
    session.onNotice?.({ kind: "list-changed", list: "resources" });
    assert.deepEqual(await readAll(), ["resources/list", "resources/templates/list"]);
    session.onNotice?.({ kind: "resource-updated", uri: "a:x#part" });
    assert.deepEqual(await readAll(), ['resources/read "a:x"']);
  });
});
