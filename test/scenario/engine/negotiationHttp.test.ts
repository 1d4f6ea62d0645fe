import assert from "node:assert/strict";
import { type ScriptedExchange, type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { TestPool } from "../../support/testPool.ts";

const discover = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: "private",
};
const tools = { tools: [{ name: "t", inputSchema: { type: "object" } }], resultType: "complete" };

/** Answers like a legacy server with a session. */
function answerLegacy(exchange: ScriptedExchange): void {
  if (exchange.method !== "POST") {
    exchange.answer(405);
    return;
  }
  switch (exchange.message.method) {
    case "initialize":
      exchange.result(
        {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "l", version: "1" },
        },
        { "mcp-session-id": "session-1" },
      );
      break;
    case "tools/list":
      exchange.result(tools);
      break;
    default:
      exchange.answer(202);
  }
}

async function withServer(
  onDiscover: (exchange: ScriptedExchange, attempt: number) => void,
  run: (server: ScriptedHttp) => Promise<void>,
): Promise<void> {
  let attempts = 0;
  const server = await startScriptedHttp((exchange) => {
    if (exchange.method === "POST" && exchange.message.method === "server/discover") {
      attempts += 1;
      onDiscover(exchange, attempts);
    } else answerLegacy(exchange);
  });
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

function methods(server: ScriptedHttp): unknown[] {
  return server.messages.map((message) => message["method"]);
}

describe("negotiation over HTTP", () => {
  const legacy: readonly (readonly [string, (exchange: ScriptedExchange) => void])[] = [
    [
      "400 with another error and a null id",
      (e) =>
        e.json(400, {
          jsonrpc: "2.0",
          id: null,
          error: { code: -32000, message: "session header required" },
        }),
    ],
    ["400 with text", (e) => e.answer(400, "cannot speak 2026-07-28", { "content-type": "text/plain" })],
    ["200 with -32601", (e) => e.error(200, -32601)],
    [
      "200 with an error that has no message",
      (e) => e.json(200, { jsonrpc: "2.0", id: e.message.id, error: { code: -32601 } }),
    ],
    ["404 with -32601", (e) => e.error(404, -32601)],
    ["404 and nothing", (e) => e.answer(404)],
    ["405 and nothing", (e) => e.answer(405)],
    ["400 -32022 listing 2025-11-25 only", (e) => e.error(400, -32022, "No", { supported: ["2025-11-25"] })],
  ];
  for (const [name, answer] of legacy) {
    // Duty: 2.1.12, 2.3.1, 2.3.2, 2.3.3, 2.3.4, 2.3.5, 2.3.7, 2.3.9, 15.3
    it(`takes ${name} as a legacy server`, async () => {
      await withServer(answer, async (server) => {
        await using test = new TestPool({ s: { url: server.url } });
        const negotiation = await test.connect();
        assert.equal(negotiation.revision, "2025-11-25");
        assert.deepEqual(test.tools(), ["t"]);
        assert.deepEqual(methods(server).slice(0, 2), ["server/discover", "initialize"]);
      });
    });
  }

  // Duty: 2.1.2, 4.1.4, 4.1.5, 4.1.10, 5.4.7
  it("speaks to a modern server without initialize, GET, DELETE and session", async () => {
    const server = await startScriptedHttp((exchange) => {
      exchange.result(exchange.message.method === "server/discover" ? discover : tools, {
        "mcp-session-id": "never",
      });
    });
    {
      await using test = new TestPool({ s: { url: server.url } });
      assert.equal((await test.connect()).roundTrips, 1);
      assert.deepEqual(test.tools(), ["t"]);
    }
    assert.deepEqual(methods(server), ["server/discover", "tools/list"]);
    for (const { method, headers, body } of server.requests) {
      assert.equal(method, "POST");
      assert.equal(headers["mcp-protocol-version"], "2026-07-28");
      assert.equal(headers["mcp-method"], (JSON.parse(body) as { method: string }).method);
      assert.equal(headers["mcp-session-id"], undefined);
      const meta = (JSON.parse(body) as { params: { _meta: Record<string, unknown> } }).params._meta;
      assert.equal(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    }
    await server.close();
  });

  // Duty: 2.4.7, 5.1.3, 5.1.4, 5.2.1, 5.2.6, 5.5.2
  it("repeats the session and revision on every later legacy request, and ends the session", async () => {
    await withServer(
      (e) => e.answer(404),
      async (server) => {
        {
          await using test = new TestPool({ s: { url: server.url } });
          await test.connect();
        }
        const [probe, initialize, ...later] = server.requests;
        assert.equal(initialize?.headers["mcp-protocol-version"], undefined);
        assert.equal(initialize?.headers["mcp-method"], undefined);
        assert.ok(probe && later.length >= 4);
        for (const { headers } of later) {
          assert.equal(headers["mcp-session-id"], "session-1");
          assert.equal(headers["mcp-protocol-version"], "2025-11-25");
        }
        assert.equal(later.at(-1)?.method, "DELETE");
        assert.equal(later.filter(({ method }) => method === "GET").length, 1);
      },
    );
  });

  // Duty: 2.1.3, 2.1.11, 2.2.3, 15.8
  it("asks again once when a modern server refuses the revision that it lists, and not twice", async () => {
    await withServer(
      (e, attempt) =>
        attempt === 1 ? e.error(400, -32022, "No", { supported: ["2026-07-28"] }) : e.result(discover),
      async (server) => {
        await using test = new TestPool({ s: { url: server.url } });
        assert.equal((await test.connect()).revision, "2026-07-28");
      },
    );
    await withServer(
      (e) => e.error(400, -32022, "No", { supported: ["2026-07-28"] }),
      async (server) => {
        await using test = new TestPool({ s: { url: server.url } });
        await assert.rejects(test.connect(), { code: "invalid-result" });
        assert.deepEqual(methods(server), ["server/discover", "server/discover"]);
      },
    );
  });

  const failures: readonly (readonly [string, (exchange: ScriptedExchange) => void, object])[] = [
    [
      "-32022 with nothing in common",
      (e) => e.error(400, -32022, "No", { supported: ["2031-01-01"] }),
      { code: "no-common-revision", message: /2031-01-01.*2026-07-28/ },
    ],
    ["401", (e) => e.answer(401), { code: "authorization-required" }],
    ["403", (e) => e.answer(403), { code: "forbidden" }],
    ["503", (e) => e.answer(503), { code: "http-status", message: /503/ }],
    [
      "400 -32020 from a modern server behind a gateway",
      (e) => e.error(400, -32020, "Mcp-Method is missing"),
      { rpcCode: -32020 },
    ],
    ["an answer that never comes", () => undefined, { code: "timeout" }],
    [
      "401 with an error body",
      (e) => e.json(401, { jsonrpc: "2.0", id: null, error: { code: -32001, message: "Unauthorized" } }),
      { code: "authorization-required", detail: /Unauthorized/ },
    ],
    ["429 with an error body", (e) => e.error(429, -32000, "slow down"), { rpcCode: -32000 }],
    [
      "a stream that is cut",
      (e) => {
        const stream = e.stream();
        stream.raw(": hello\n\n");
        setTimeout(() => stream.cut(), 50);
      },
      { code: "stream-ended" },
    ],
    ["a cut connection", (e) => e.socket.resetAndDestroy(), { name: "NetError" }],
  ];
  for (const [name, answer, expected] of failures) {
    // Duty: 2.1.3, 2.3.6, 4.4.7, 15.1
    it(`does not take ${name} as a legacy server`, async () => {
      await withServer(answer, async (server) => {
        await using test = new TestPool({ s: { url: server.url, timeouts: { probe: 0.3 } } });
        await assert.rejects(test.connect(), expected);
        assert.ok(!methods(server).includes("initialize"));
        assert.equal(test.state().kind, "failed");
      });
    });
  }

  // Duty: 5.2.2
  it("refuses a session id that no header may hold, without showing it", async () => {
    const server = await startScriptedHttp((exchange) => {
      if (exchange.method !== "POST") return exchange.answer(405);
      if (exchange.message.method !== "initialize") return exchange.answer(404);
      exchange.socket.end(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: se ss\u00e9-secret\r\n" +
          `Connection: close\r\n\r\n${JSON.stringify({
            jsonrpc: "2.0",
            id: exchange.message.id as number,
            result: {
              protocolVersion: "2025-11-25",
              capabilities: {},
              serverInfo: { name: "f", version: "1" },
            },
          })}`,
      );
    });
    await using test = new TestPool({ s: { url: server.url } });
    await assert.rejects(test.connect(), (error: { code: string; message: string }) => {
      assert.equal(error.code, "invalid-result");
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
    await server.close();
  });

  it("shows no more of a server's words than a person can read", async () => {
    const long = "x".repeat(1_000_000);
    const answers: readonly ((exchange: ScriptedExchange) => void)[] = [
      (e) => e.error(400, -32022, "No", { supported: [long] }),
      (e) => e.error(400, -32020, long),
      (e) => e.result({ ...discover, supportedVersions: [long] }),
    ];
    for (const answer of answers) {
      await withServer(answer, async (server) => {
        await using test = new TestPool({ s: { url: server.url } });
        await assert.rejects(test.connect(), (error: Error) => error.message.length < 3_000);
        assert.ok(test.log.lines.every((line) => line.length < 5_000));
      });
    }
  });

  it("names both sides when the address is no MCP endpoint", async () => {
    const server = await startScriptedHttp((exchange) => {
      exchange.answer(200, "<html>Welcome</html>", { "content-type": "text/html" });
    });
    await using test = new TestPool({ s: { url: server.url } });
    await assert.rejects(test.connect(), { code: "neither-era" });
    await server.close();
  });

  // Duty: 2.4.8
  it("tries an older revision once when initialize is refused with its name", async () => {
    let offered: unknown[] = [];
    const server = await startScriptedHttp((exchange) => {
      if (exchange.method !== "POST") return exchange.answer(405);
      if (exchange.message.method === "server/discover") return exchange.answer(404);
      if (exchange.message.method !== "initialize") return answerLegacy(exchange);
      offered = [...offered, exchange.message.params.protocolVersion];
      if (offered.length === 1) {
        return exchange.answer(400, "this endpoint speaks 2025-06-18, 2025-03-26 and 2024-11-05 only", {
          "content-type": "text/plain",
        });
      }
      return exchange.result({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "l", version: "1" },
      });
    });
    {
      await using test = new TestPool({ s: { url: server.url } });
      assert.equal((await test.connect()).revision, "2025-06-18");
      assert.deepEqual(offered, ["2025-11-25", "2025-06-18"]);
    }
    await server.close();
  });

  // Duty: 15.5
  it("keeps the connection when only the list of tools fails", async () => {
    const server = await startScriptedHttp((exchange) => {
      if (exchange.message.method === "server/discover") exchange.result(discover);
      else exchange.error(200, -32603, "offline");
    });
    await using test = new TestPool({ s: { url: server.url } });
    await test.connect();
    const state = test.state();
    assert.equal(state.kind === "connected" && state.listProblem?.message, "offline");
    await server.close();
  });

  // Duty: 6.5, 6.8
  it("asks for no tools when the server announces none", async () => {
    const server = await startScriptedHttp((exchange) => {
      exchange.result({ ...discover, capabilities: { resources: {} } });
    });
    await using test = new TestPool({ s: { url: server.url } });
    await test.connect();
    assert.deepEqual(methods(server), ["server/discover"]);
    await server.close();
  });
});
