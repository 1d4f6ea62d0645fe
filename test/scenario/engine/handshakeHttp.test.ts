import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { type ScriptedExchange, type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { TestPool } from "../../support/testPool.ts";

/** A legacy server without the probe, whose answers to `initialize` are a script: offered revision in, answer out. */
function handshakeServer(
  onInitialize: (exchange: ScriptedExchange, offered: string) => void,
): Promise<ScriptedHttp> {
  return startScriptedHttp((exchange) => {
    if (exchange.method !== "POST") return exchange.answer(405);
    const { method, params } = exchange.message;
    if (method === "server/discover") return exchange.answer(404);
    if (method === "initialize") return onInitialize(exchange, String(params.protocolVersion));
    return method === "tools/list"
      ? exchange.result({ tools: [{ name: "t", inputSchema: { type: "object" } }] })
      : exchange.answer(202);
  });
}

function agreeing(protocolVersion: string): JsonObject {
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "n", version: "1" } };
}

function methods(server: ScriptedHttp): unknown[] {
  return server.messages.map((message) => message["method"]);
}

/** Refusals of a revision that the server should have negotiated, and the revision that it speaks. */
const REFUSALS: readonly (readonly [string, (exchange: ScriptedExchange) => void])[] = [
  [
    "HTTP 400 and a text that names others",
    (exchange) =>
      exchange.answer(400, "this endpoint speaks 2025-06-18, 2025-03-26 and 2024-11-05 only", {
        "content-type": "text/plain",
      }),
  ],
  [
    "HTTP 200 and -32602 with data that names one",
    (exchange) => exchange.error(200, -32602, "wrong version", { expected: "2025-06-18" }),
  ],
  [
    "HTTP 400 and -32602 with data that names one",
    (exchange) => exchange.error(400, -32602, "wrong version", { expected: "2025-06-18" }),
  ],
  [
    "HTTP 400, no id and words about the version alone",
    (exchange) =>
      exchange.json(400, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32000, message: "Unsupported protocol version" },
      }),
  ],
];

describe("a server that refuses initialize where it should negotiate", () => {
  for (const [name, refuse] of REFUSALS) {
    // Duty: 2.4.8
    it(`is offered an older revision once: ${name}`, async () => {
      const offers: string[] = [];
      const server = await handshakeServer((exchange, offered) => {
        offers.push(offered);
        if (offered === "2025-06-18") exchange.result(agreeing(offered));
        else refuse(exchange);
      });
      {
        await using test = new TestPool({ s: { url: server.url } });
        assert.equal((await test.connect()).revision, "2025-06-18");
        assert.deepEqual(test.tools(), ["t"]);
        assert.deepEqual(offers, ["2025-11-25", "2025-06-18"]);
      }
      await server.close();
    });

    it(`is given up when it refuses the older one too, with its words: ${name}`, async () => {
      const server = await handshakeServer(refuse);
      {
        await using test = new TestPool({ s: { url: server.url } });
        await assert.rejects(test.connect(), (error: Error & { detail?: string }) => {
          assert.match(`${error.message} ${error.detail ?? ""}`, /speaks 2025-06-18|[Vv]ersion/);
          return true;
        });
        assert.deepEqual(methods(server), ["server/discover", "initialize", "initialize"]);
      }
      await server.close();
    });
  }
});

describe("a server that agrees to another revision than the offered one", () => {
  for (const version of ["2099-01-01", "2024-10-07", "2024-11-05"]) {
    // Duty: 2.1.16, 2.4.3
    it(`is left when it is ${version}, with both sides named`, async () => {
      const server = await handshakeServer((exchange) => exchange.result(agreeing(version)));
      {
        await using test = new TestPool({ s: { url: server.url } });
        await assert.rejects(test.connect(), {
          code: "no-common-revision",
          message: new RegExp(`${version}.*2025-11-25`),
        });
        assert.deepEqual(methods(server), ["server/discover", "initialize"]);
      }
      await server.close();
    });
  }

  // Duty: 2.4.7
  it("is spoken to in 2024-11-05 where the settings allow that, in the header too", async () => {
    const server = await handshakeServer((exchange) => exchange.result(agreeing("2024-11-05")));
    {
      await using test = new TestPool({ s: { url: server.url, minimumProtocol: "2024-11-05" } });
      assert.equal((await test.connect()).revision, "2024-11-05");
      assert.deepEqual(test.tools(), ["t"]);
    }
    const [, initialize, ...later] = server.requests;
    assert.equal(initialize?.headers["mcp-protocol-version"], undefined);
    assert.ok(later.length >= 2);
    for (const { headers } of later) assert.equal(headers["mcp-protocol-version"], "2024-11-05");
    await server.close();
  });
});

describe("a server over HTTP that was legacy the last time", () => {
  const modern = {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    tools: [],
  };
  const refusals: readonly (readonly [string, (exchange: ScriptedExchange) => void])[] = [
    ["400 and -32022", (e) => e.error(400, -32022, "No", { supported: ["2026-07-28"] })],
    ["404 and -32601", (e) => e.error(404, -32601)],
    ["400 and text", (e) => e.answer(400, "Mcp-Method is missing")],
  ];
  for (const [name, refuse] of refusals) {
    // Duty: 2.1.8
    it(`is asked again when it answers the handshake with ${name}, and its new era is kept`, async () => {
      const server = await handshakeServer((exchange) => exchange.result(agreeing("2025-11-25")));
      {
        await using test = new TestPool({ s: { url: server.url } });
        await test.connect();
        await test.pool.disconnect("s");
        server.handler = (exchange) => {
          if (exchange.method === "POST" && exchange.message.method === "initialize") refuse(exchange);
          else exchange.result(modern);
        };
        const before = server.messages.length;
        assert.equal((await test.connect()).revision, "2026-07-28");
        const seen = methods(server).slice(before);
        assert.deepEqual(
          seen.filter((method) => method !== "tools/list"),
          ["initialize", "server/discover"],
        );
        await test.pool.disconnect("s");
        assert.equal((await test.connect()).revision, "2026-07-28");
        assert.deepEqual(methods(server).filter((method) => method === "initialize").length, 2);
      }
      await server.close();
    });
  }

  // Duty: 2.1.8
  it("stays legacy through an outage, which proves nothing", async () => {
    const server = await handshakeServer((exchange) => exchange.result(agreeing("2025-11-25")));
    {
      await using test = new TestPool({ s: { url: server.url } });
      await test.connect();
      await test.pool.disconnect("s");
      const { handler } = server;
      server.handler = (exchange) => exchange.answer(503);
      await assert.rejects(test.connect(), { httpStatus: 503 });
      server.handler = handler;
      assert.equal((await test.connect()).how, "remembered");
    }
    await server.close();
  });
});
