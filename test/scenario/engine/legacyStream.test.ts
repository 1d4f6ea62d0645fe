import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { deferred } from "../../../src/base/deferred.ts";
import type { ServerNotice } from "../../../src/protocol/model/notice.ts";
import {
  type ScriptedExchange,
  type ScriptedHttp,
  type ScriptedStream,
  startScriptedHttp,
} from "../../support/scriptedHttp.ts";
import { TestPool } from "../../support/testPool.ts";

/** A legacy HTTP server that counts its sessions and lists, and leaves the GET stream to the test. */
class LegacyServer {
  readonly http: ScriptedHttp;
  sessions = 0;
  readonly dead = new Set<string>();
  /** Sessions that break before the client is ready. */
  readonly unready = new Set<string>();
  /** Methods with what they are about, session by session. */
  readonly seen: string[] = [];
  /** What was answered to the server's own requests, session by session. */
  readonly answers: string[] = [];
  onAnswer = (): void => undefined;

  private constructor(http: ScriptedHttp) {
    this.http = http;
  }

  static async start(onGet: (exchange: ScriptedExchange) => void): Promise<LegacyServer> {
    const server: LegacyServer = new LegacyServer(
      await startScriptedHttp((exchange) => {
        if (exchange.method === "GET") onGet(exchange);
        else if (exchange.method === "DELETE") exchange.answer(200);
        else server.#answer(exchange);
      }),
    );
    return server;
  }

  lists(): number {
    return this.seen.filter((line) => line.endsWith(" tools/list")).length;
  }

  #answer(exchange: ScriptedExchange): void {
    const { method, params } = exchange.message;
    const session = String(exchange.request.headers["mcp-session-id"] ?? "");
    if (method === "server/discover") return exchange.answer(404);
    if (method === "initialize") {
      this.sessions += 1;
      return exchange.result(
        {
          protocolVersion: "2025-11-25",
          capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
          serverInfo: { name: "f", version: "1" },
        },
        { "mcp-session-id": `s-${String(this.sessions)}` },
      );
    }
    if (this.dead.has(session)) return exchange.error(404, -32001);
    if (method === undefined) {
      this.answers.push(`${session} ${JSON.stringify(exchange.message)}`);
      this.onAnswer();
      return exchange.answer(202);
    }
    const about = params?.uri ?? params?.level ?? "";
    this.seen.push(`${session} ${String(method)}${about === "" ? "" : ` ${String(about)}`}`);
    if (method === "notifications/initialized") return exchange.answer(this.unready.has(session) ? 500 : 202);
    exchange.result({ tools: [], resources: [], resourceTemplates: [], content: [] });
  }
}

async function until(test: TestPool, isMet: () => boolean): Promise<void> {
  while (!isMet()) await test.changed();
}

describe("the stream of a legacy server, whatever comes on it", () => {
  // Duty: 5.3.2, 5.3.3, 5.3.5, 13.3
  for (const [name, answer] of [
    ["405", (exchange) => exchange.answer(405)],
    ["202 and nothing", (exchange) => exchange.answer(202)],
    ["200 and JSON", (exchange) => exchange.json(200, { jsonrpc: "2.0", id: null, result: {} })],
    ["200 and a page", (exchange) => exchange.answer(200, "<html>", { "content-type": "text/html" })],
    ["204", (exchange) => exchange.answer(204)],
    ["401", (exchange) => exchange.answer(401, "", { "www-authenticate": "Bearer" })],
    ["403", (exchange) => exchange.answer(403)],
  ] as readonly (readonly [string, (exchange: ScriptedExchange) => void])[]) {
    it(`is given up after ${name}, and its changes count as not told of`, async () => {
      const server = await LegacyServer.start(answer);
      {
        await using test = new TestPool({ s: { url: server.http.url } });
        await test.connect();
        await until(test, () => {
          const state = test.state();
          return state.kind === "connected" && state.subscriptions.honoured.lists.length === 0;
        });
        const state = test.state();
        assert.deepEqual(state.kind === "connected" && state.subscriptions.asked.lists, ["tools"]);
        await assert.rejects(test.pool.watchResource("s", "x:a"), { code: "not-watched" });
        await test.pool.callTool("s", "t", {}, { origin: "panel" });
        assert.equal(server.http.requests.filter(({ method }) => method === "GET").length, 1);
      }
      await server.http.close();
    });
  }

  // Duty: 5.4.1, 5.4.5, 13.8
  it("is read anew after a gap, unless the server can tell what was missed", async () => {
    const gets: (string | undefined)[] = [];
    let stream: ScriptedStream | undefined;
    const opened = [deferred(), deferred(), deferred()];
    const server = await LegacyServer.start((exchange) => {
      gets.push(exchange.request.headers["last-event-id"] as string | undefined);
      stream = exchange.stream();
      // A priming event: an id and nothing to read.
      if (gets.length === 1) stream.raw("retry: 50\nid: p-1\ndata:\n\n");
      if (gets.length === 2) stream.raw("retry: 50\n\n");
      opened[gets.length - 1]?.resolve(undefined);
    });
    {
      await using test = new TestPool({ s: { url: server.http.url } });
      await test.connect();
      await opened[0]?.promise;
      assert.equal(server.lists(), 1);
      stream?.end();
      await opened[1]?.promise;
      assert.deepEqual(gets, [undefined, "p-1"]);
      // The second stream went on from the first one, but a stream without ids cannot be gone on from.
      const refreshed = test.changed();
      stream?.cut();
      await opened[2]?.promise;
      await refreshed;
      assert.deepEqual(gets, [undefined, "p-1", undefined]);
      assert.equal(server.lists(), 2);
      assert.deepEqual(
        test.log.lines.filter((line) => /^(?:warn|error) /.test(line)),
        [],
      );
    }
    await server.http.close();
  });
});

describe("a new session of a legacy server", () => {
  // Duty: 5.2.4, 8.1.8, 11.3.2
  it("is asked again for watched resources and the log, and everything is read anew", async () => {
    const server = await LegacyServer.start((exchange) => exchange.stream());
    {
      const notices: ServerNotice[] = [];
      await using test = new TestPool({ s: { url: server.http.url, logLevel: "info" } });
      const subscription = test.pool.onDidNotice(({ notice }) => notices.push(notice));
      await test.connect();
      const watch = await test.pool.watchResource("s", "x:a");
      const before = server.lists();
      server.dead.add("s-1");
      await test.pool.callTool("s", "t", {}, { origin: "panel" });
      await until(test, () => server.lists() > before && server.seen.includes("s-2 resources/subscribe x:a"));
      assert.deepEqual(server.seen.filter((line) => /setLevel|subscribe/.test(line)).sort(), [
        "s-1 logging/setLevel info",
        "s-1 resources/subscribe x:a",
        "s-2 logging/setLevel info",
        "s-2 resources/subscribe x:a",
      ]);
      assert.deepEqual(notices, [{ kind: "resource-updated", uri: "x:a" } satisfies JsonObject]);
      watch.dispose();
      subscription.dispose();
    }
    await server.http.close();
  });

  // Duty: 5.2.4
  it("is not given what was asked in the old one, and may use the ids of that again", async () => {
    const question = {
      jsonrpc: "2.0",
      id: 1,
      method: "elicitation/create",
      params: { message: "?", requestedSchema: { type: "object", properties: {} } },
    };
    let streams = 0;
    const server = await LegacyServer.start((exchange) => {
      streams += 1;
      exchange.stream().event(question);
    });
    const asked = deferred();
    const answered = deferred();
    server.onAnswer = () => {
      answered.resolve(undefined);
    };
    {
      let questions = 0;
      await using test = new TestPool({ s: { url: server.http.url } }, async (_round, signal) => {
        questions += 1;
        asked.resolve(undefined);
        if (questions === 1) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        signal.throwIfAborted();
        return { action: "decline" };
      });
      await test.connect();
      await asked.promise;
      server.dead.add("s-1");
      await test.pool.callTool("s", "t", {}, { origin: "panel" });
      await answered.promise;
      assert.equal(streams, 2);
      assert.deepEqual(server.answers, ['s-2 {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}']);
    }
    await server.http.close();
  });

  // Duty: 5.2.4
  it("is begun once more when the client could not say that it is ready", async () => {
    const server = await LegacyServer.start((exchange) => exchange.stream());
    server.unready.add("s-2");
    {
      await using test = new TestPool({ s: { url: server.http.url } });
      await test.connect();
      const watch = await test.pool.watchResource("s", "x:a");
      server.dead.add("s-1");
      const call = (): Promise<unknown> => test.pool.callTool("s", "t", {}, { origin: "panel" });
      await assert.rejects(call(), { code: "http-status", httpStatus: 500 });
      await call();
      await until(test, () => server.seen.includes("s-3 resources/subscribe x:a"));
      assert.equal(server.sessions, 3);
      watch.dispose();
    }
    await server.http.close();
  });
});
