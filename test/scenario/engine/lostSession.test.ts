import assert from "node:assert/strict";
import { deferred } from "../../../src/base/deferred.ts";
import {
  type ScriptedExchange,
  type ScriptedHttp,
  type ScriptedStream,
  startScriptedHttp,
} from "../../support/scriptedHttp.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

const PANEL = { origin: "panel" } as const;

/** How servers answer for a session that they forgot, when they do not say 404. */
const REFUSALS: readonly (readonly [string, (exchange: ScriptedExchange) => void])[] = [
  [
    "400 with -32000 and no id",
    (exchange) =>
      exchange.json(400, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32000, message: "Bad Request: No valid session ID provided" },
      }),
  ],
  ["400 with text", (exchange) => exchange.answer(400, "session unknown", { "content-type": "text/plain" })],
  ["400 with -32600 and the id", (exchange) => exchange.error(400, -32600, "Session not found")],
];

/** A legacy server in sessions that can be restarted: then it knows none of those that it opened before. */
class RestartingServer {
  readonly http: ScriptedHttp;
  sessions = 0;
  /** Sessions up to this one are forgotten. */
  forgotten = 0;
  /** Calls that were carried out, by session. */
  readonly calls: string[] = [];
  onCall: (exchange: ScriptedExchange) => void = (exchange) => {
    exchange.result({ content: [{ type: "text", text: sessionOf(exchange) }] });
  };

  private constructor(http: ScriptedHttp) {
    this.http = http;
  }

  static async start(
    refuse: (exchange: ScriptedExchange) => void,
    onGet: (exchange: ScriptedExchange) => void = (exchange) => exchange.answer(405),
  ): Promise<RestartingServer> {
    const server: RestartingServer = new RestartingServer(
      await startScriptedHttp((exchange) => {
        const isInitialize = exchange.method === "POST" && exchange.message.method === "initialize";
        const isProbe = exchange.method === "POST" && exchange.message.method === "server/discover";
        const number = Number(sessionOf(exchange).slice("s-".length));
        if (exchange.method === "DELETE") exchange.answer(200);
        else if (!isInitialize && !isProbe && number <= server.forgotten) refuse(exchange);
        else if (exchange.method === "GET") onGet(exchange);
        else server.#answer(exchange);
      }),
    );
    return server;
  }

  requests(method: string): number {
    return this.http.messages.filter((message) => message["method"] === method).length;
  }

  #answer(exchange: ScriptedExchange): void {
    switch (exchange.message.method) {
      case "server/discover":
        return exchange.answer(404);
      case "initialize": {
        this.sessions += 1;
        const serverInfo = { name: "f", version: "1" };
        const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
        return exchange.result(result, { "mcp-session-id": `s-${String(this.sessions)}` });
      }
      case "tools/list":
        return exchange.result({ tools: [{ name: "t", inputSchema: { type: "object" } }] });
      case "tools/call":
        this.calls.push(sessionOf(exchange));
        return this.onCall(exchange);
      case "ping":
        return exchange.result({});
      default:
        return exchange.answer(202);
    }
  }
}

function sessionOf(exchange: ScriptedExchange): string {
  return String(exchange.request.headers["mcp-session-id"] ?? "");
}

describe("a legacy session that the server forgot without saying 404", () => {
  for (const [name, refuse] of REFUSALS) {
    // Duty: 5.2.3
    it(`is begun anew once for all calls in flight: ${name}`, async () => {
      const server = await RestartingServer.start(refuse);
      {
        await using test = new TestPool({ s: { url: server.http.url } });
        await test.connect();
        server.forgotten = 1;
        const outcomes = await Promise.all([1, 2, 3].map(() => test.pool.callTool("s", "t", {}, PANEL)));
        assert.deepEqual(
          outcomes.map(({ result }) => firstText(result)),
          ["s-2", "s-2", "s-2"],
        );
        assert.equal(server.sessions, 2);
        assert.deepEqual(server.calls, ["s-2", "s-2", "s-2"]);
      }
      await server.http.close();
    });
  }

  it("is kept when the server knows it, and the call that it refused is not made again", async () => {
    const server = await RestartingServer.start((exchange) => exchange.answer(400));
    {
      await using test = new TestPool({ s: { url: server.http.url } });
      await test.connect();
      server.onCall = (exchange) => exchange.error(400, -32000, "out of paper");
      await assert.rejects(test.pool.callTool("s", "t", {}, PANEL), { message: "out of paper" });
      assert.deepEqual([server.sessions, server.requests("tools/call"), server.requests("ping")], [1, 1, 1]);
      server.onCall = (exchange) => exchange.error(400, -32602, "no such colour");
      await assert.rejects(test.pool.callTool("s", "t", {}, PANEL), { message: "no such colour" });
      assert.deepEqual([server.sessions, server.requests("tools/call"), server.requests("ping")], [1, 2, 1]);
    }
    await server.http.close();
  });

  // Duty: 5.2.4
  it("is reported in the server's words when the new one is refused as well", async () => {
    const server = await RestartingServer.start((exchange) => exchange.error(400, -32000, "who are you?"));
    {
      await using test = new TestPool({ s: { url: server.http.url } });
      await test.connect();
      server.forgotten = 99;
      await assert.rejects(test.pool.callTool("s", "t", {}, PANEL), {
        httpStatus: 400,
        detail: /who are you\?/,
      });
      assert.equal(server.sessions, 2);
    }
    await server.http.close();
  });

  for (const status of [400, 404]) {
    it(`is begun anew without a call when the stream is refused with ${String(status)} after a break`, async () => {
      let stream: ScriptedStream | undefined;
      const opened = deferred();
      const server = await RestartingServer.start(
        (exchange) => exchange.answer(status),
        (exchange) => {
          stream = exchange.stream();
          stream.raw("retry: 50\n\n");
          opened.resolve(undefined);
        },
      );
      {
        await using test = new TestPool({ s: { url: server.http.url } });
        await test.connect();
        await opened.promise;
        server.forgotten = 1;
        stream?.end();
        while (server.requests("tools/list") < 2) await test.changed();
        const gets = server.http.requests.filter(({ method }) => method === "GET");
        assert.deepEqual(
          gets.map(({ headers }) => headers["mcp-session-id"]),
          ["s-1", "s-1", "s-2"],
        );
      }
      await server.http.close();
    });
  }
});
