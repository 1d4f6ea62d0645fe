import assert from "node:assert/strict";
import { getEventListeners } from "node:events";

import { DEFAULT_LIMITS, type Limits } from "../../../src/protocol/limits.ts";
import { createHttpTransport } from "../../../src/protocol/transports/http/httpTransport.ts";
import type { ExchangeResult, HttpTransport } from "../../../src/protocol/transports/transport.ts";
import { CollectingListener, CollectingLog } from "../../support/collectingListener.ts";
import { type ScriptedHandler, type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { engineError, never, request, resultOf } from "../../support/transportHelpers.ts";

const ANSWER = { jsonrpc: "2.0", id: 1, result: { n: 1 } };

describe("HTTP transport", () => {
  let server: ScriptedHttp;
  let transport: HttpTransport;
  let listener: CollectingListener;
  let log: CollectingLog;

  async function start(
    handler: ScriptedHandler,
    options: {
      headers?: Record<string, string>;
      limits?: Partial<Limits>;
      host?: string;
      url?: (server: ScriptedHttp) => string;
    } = {},
  ): Promise<void> {
    server = await startScriptedHttp(handler, { host: options.host ?? "127.0.0.1" });
    listener = new CollectingListener();
    log = new CollectingLog();
    transport = createHttpTransport({
      serverName: "demo",
      url: options.url?.(server) ?? server.url,
      headers: options.headers ?? {},
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      log,
    });
    await transport.start(listener);
  }

  const ask = (message = request(), signal = never): Promise<ExchangeResult> =>
    transport.exchange(message, { signal });

  afterEach(async () => {
    await transport.close();
    await server.close();
    assert.deepEqual(server.failures, []);
  });

  // Duty: 4.1.1, 4.1.2, 4.1.3, 4.1.8
  it("posts one message with the headers of protocol, era and configuration, and keeps the connection", async () => {
    await start((exchange) => exchange.result({ n: 1 }, { "Mcp-Session-Id": "s-1" }), {
      headers: { Authorization: "Bearer t", ACCEPT: "text/html", "MCP-Method": "evil", "X-Team": "a" },
    });
    const era = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "m", "x-team": "b" };
    const answer = await transport.exchange(request(), { signal: never, headers: era });
    assert.deepEqual(answer, { response: ANSWER, http: { status: 200, sessionId: "s-1" } });
    await transport.exchange(request(2), { signal: never });
    const [first] = server.requests;
    assert.equal(first?.method, "POST");
    assert.equal(first.path, "/mcp");
    assert.equal(first.body, JSON.stringify(request()));
    const expected = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      authorization: "Bearer t",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "m",
      "x-team": "b",
    };
    assert.deepEqual({ ...first.headers, ...expected }, first.headers);
    assert.ok(!("accept-encoding" in first.headers));
    await transport.exchange(request(3), { signal: never });
    assert.ok(server.connections < 3, "connections are used again");
    assert.ok(log.visible.some((line) => line.includes("ACCEPT")));
    assert.ok(!log.lines.some((line) => line.includes("Bearer")));
  });

  // Duty: 4.1.3, 4.4.1, 4.4.2, 5.1.5
  it("reads an event stream in any line ends and chunking, and hands on messages before the response", async () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      for (const whole of [true, false]) {
        await start(async (exchange) => {
          const stream = exchange.stream();
          const text = [
            ": hello",
            "id: s1-0",
            "retry: 800",
            "data:",
            "",
            'data: {"jsonrpc":"2.0","method":"p","params":{"t":"é🎉"}}',
            "",
            "event: message",
            'data: {"jsonrpc":"2.0","id":9,"method":"ping"}',
            "",
            "event: other",
            "data: ignored",
            "",
            `data: ${JSON.stringify(ANSWER)}`,
            "",
            "",
          ].join(end);
          if (whole) stream.raw(text);
          else await stream.trickle(text);
          stream.end();
        });
        const seen = await ask().then((answer) => [resultOf(answer), listener.notifications.length]);
        assert.deepEqual(seen, [{ n: 1 }, 1]);
        assert.deepEqual(listener.notifications, [
          { message: { jsonrpc: "2.0", method: "p", params: { t: "é🎉" } }, relatedTo: 1 },
        ]);
        assert.deepEqual(listener.requests, [
          { message: { jsonrpc: "2.0", id: 9, method: "ping" }, relatedTo: 1 },
        ]);
        assert.deepEqual(log.visible, []);
        await transport.close();
        await server.close();
      }
    }
  });

  it("waits on a quiet stream for as long as the caller does", async () => {
    await start(async (exchange) => {
      const stream = exchange.stream();
      for (let beat = 0; beat < 5; beat += 1) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        stream.raw(": keep-alive\n\n");
      }
      stream.event(ANSWER);
      stream.end();
    });
    assert.deepEqual(resultOf(await ask()), { n: 1 });
    assert.deepEqual(log.visible, []);
  });

  it("carries many exchanges at once", async () => {
    const waiting: (() => void)[] = [];
    await start((exchange) => {
      waiting.push(() => exchange.result({ id: exchange.message.id }));
      if (waiting.length === 64) for (const answer of waiting.reverse()) answer();
    });
    const ids = Array.from({ length: 64 }, (_, index) => index + 1);
    const answers = await Promise.all(ids.map((id) => ask(request(id))));
    assert.deepEqual(
      answers.map((answer) => resultOf(answer)),
      ids.map((id) => ({ id })),
    );
  });

  // Duty: 1.1.6, 4.4.6
  it("resolves with a JSON-RPC error at any status, whatever its id says", async () => {
    for (const [status, id] of [
      [400, null],
      [400, undefined],
      [404, 1],
      [403, "server-error"],
      [200, "1"],
    ] as const) {
      await start((exchange) =>
        exchange.json(status, { jsonrpc: "2.0", id, error: { code: -32700, message: "parse error" } }),
      );
      const { response, http } = await ask();
      assert.ok("error" in response && response.error.code === -32700);
      assert.equal(http?.status, status);
      await transport.close();
      await server.close();
    }
  });

  // Duty: 1.1.6
  it("takes an error without an id as the answer on a stream as well", async () => {
    await start((exchange) => {
      const stream = exchange.stream();
      stream.event({ jsonrpc: "2.0", id: 5, result: {} });
      stream.event({ jsonrpc: "2.0", id: null, error: { code: -32603, message: "x" } });
      stream.end();
    });
    const { response } = await ask();
    assert.ok("error" in response && response.error.code === -32603);
  });

  // Duty: 15.1
  it("names what came instead of an answer", async () => {
    const rows: readonly [name: string, handler: ScriptedHandler, code: string, status?: number][] = [
      ["an empty 200", (exchange) => exchange.answer(200), "not-json-rpc", 200],
      ["202", (exchange) => exchange.answer(202), "not-json-rpc", 202],
      [
        "a page",
        (exchange) => exchange.answer(200, "<html>", { "content-type": "text/html" }),
        "not-json-rpc",
        200,
      ],
      [
        "an encoding that nobody asked for",
        (exchange) => exchange.answer(200, "x", { "content-encoding": "compress" }),
        "not-json-rpc",
        200,
      ],
      ["401", (exchange) => exchange.answer(401, "who"), "authorization-required", 401],
      ["403", (exchange) => exchange.answer(403), "forbidden", 403],
      ["404", (exchange) => exchange.answer(404, "<html>gone"), "http-status", 404],
      ["503", (exchange) => exchange.answer(503), "http-status", 503],
      [
        "301 within the origin",
        (exchange) => exchange.answer(301, "", { location: "/other" }),
        "http-status",
        301,
      ],
      [
        "an invalid answer on a stream",
        (exchange) => exchange.stream().event({ jsonrpc: "2.0", id: 1, result: 3 }),
        "not-json-rpc",
        200,
      ],
      ["a stream that ends", (exchange) => exchange.stream().end(), "stream-ended", 200],
      [
        "a stream that is cut",
        (exchange) => {
          const stream = exchange.stream();
          stream.event({ jsonrpc: "2.0", method: "p" });
          void listener.count("notifications", 1).then(() => stream.cut());
        },
        "stream-ended",
        200,
      ],
      [
        "a body that is cut",
        (exchange) => {
          exchange.socket.end(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
          );
        },
        "stream-ended",
        200,
      ],
    ];
    for (const [name, handler, code, status] of rows) {
      await start(handler);
      await assert.rejects(
        ask(),
        engineError(code, (error) => assert.equal(error.httpStatus, status, name)),
      );
      await transport.close();
      await server.close();
    }
  });

  it("keeps the start of an odd answer as evidence", async () => {
    await start((exchange) => exchange.answer(404, "no such page ".repeat(1_000)));
    await assert.rejects(
      ask(),
      engineError("http-status", (error) => {
        assert.match(error.detail ?? "", /^no such page/);
        assert.equal(error.detail?.length, 2_000);
      }),
    );
  });

  it("follows 307 and 308 within the origin with the same message, three times at most", async () => {
    await start(
      (exchange) => {
        const hop = Number(new URL(exchange.request.path, server.origin).searchParams.get("hop"));
        if (hop === 3)
          exchange.result({ body: exchange.request.body, key: exchange.request.headers["authorization"] });
        else exchange.answer(hop % 2 === 0 ? 307 : 308, "", { location: `/next?hop=${hop + 1}` });
      },
      { headers: { Authorization: "k" } },
    );
    assert.deepEqual(resultOf(await ask()), { body: JSON.stringify(request()), key: "k" });
    server.handler = (exchange) => exchange.answer(307, "", { location: "/mcp" });
    await assert.rejects(
      ask(),
      engineError("http-status", (error) => assert.equal(error.httpStatus, 307)),
    );
  });

  it("follows no redirect to another origin, and sends nothing there", async () => {
    const other = await startScriptedHttp((exchange) => exchange.result({}));
    try {
      for (const status of [301, 302, 307, 308]) {
        await start((exchange) => exchange.answer(status, "", { location: `${other.url}?token=x` }), {
          headers: { Authorization: "k" },
        });
        await assert.rejects(
          ask(),
          engineError("redirected", (error) => {
            assert.ok(error.message.includes(other.origin));
            assert.ok(!error.message.includes("token"));
          }),
        );
        await transport.close();
        await server.close();
      }
      assert.deepEqual(other.requests, []);
    } finally {
      await other.close();
    }
  });

  it("bounds bodies, with and without a length, and events", async () => {
    const big = JSON.stringify({ ...ANSWER, result: { text: "x".repeat(5_000) } });
    const handlers: ScriptedHandler[] = [
      (exchange) => exchange.answer(200, big, { "content-type": "application/json" }),
      (exchange) => {
        exchange.socket.write(
          "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n800\r\n",
        );
        exchange.socket.write("x".repeat(2_048));
      },
      (exchange) => exchange.stream().raw(`data: ${big}\n\n`),
      (exchange) => exchange.stream().raw(`data: ${big}`),
    ];
    for (const handler of handlers) {
      await start(handler, { limits: { messageBytes: 1_000 } });
      await assert.rejects(
        ask(),
        engineError("message-too-large", (error) => assert.equal(error.args["limit"], 1_000)),
      );
      await transport.close();
      await server.close();
    }
  });

  it("reads large answers whole and in order, as a body and as an event whose stream ends right behind it", async () => {
    const result = { items: Array.from({ length: 150_000 }, (_, n) => ({ name: `item ${String(n)}` })) };
    const large = { ...ANSWER, result };
    const progress = { jsonrpc: "2.0" as const, method: "notifications/message", params: {} };
    const handlers: ScriptedHandler[] = [
      (exchange) => exchange.result(result),
      (exchange) => {
        const stream = exchange.stream();
        stream.event(progress);
        stream.event(large);
        stream.end();
      },
    ];
    for (const handler of handlers) {
      await start(handler);
      assert.deepEqual((await ask()).response, large);
      assert.equal(listener.notifications.length, handler === handlers[0] ? 0 : 1);
      await transport.close();
      await server.close();
    }
  });

  // Duty: 4.5.1, 4.5.2
  it("closes the connection at once when an exchange is aborted: before the head, in a stream, in a body", async () => {
    const handlers: ScriptedHandler[] = [
      () => undefined,
      (exchange) => exchange.stream().event({ jsonrpc: "2.0", method: "p" }),
      (exchange) => void exchange.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"),
    ];
    for (const handler of handlers) {
      let abandoned: Promise<void> | undefined;
      let arrived: () => void = () => undefined;
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      await start((exchange) => {
        abandoned = exchange.abandoned;
        void handler(exchange);
        arrived();
      });
      const controller = new AbortController();
      const pending = ask(request(), controller.signal);
      await arrival;
      const reason = new Error("cancelled");
      controller.abort(reason);
      await assert.rejects(pending, reason);
      await abandoned;
      assert.equal(getEventListeners(controller.signal, "abort").length, 0);
      server.handler = (exchange) => exchange.result({ n: 1 });
      assert.deepEqual(resultOf(await ask()), { n: 1 });
      await transport.close();
      await server.close();
    }
  });

  it("delivers nothing of an aborted stream", async () => {
    await start((exchange) => {
      const stream = exchange.stream();
      stream.raw(`data: {"jsonrpc":"2.0","method":"a"}\n\ndata: {"jsonrpc":"2.0","method":"b"}\n\n`);
    });
    const controller = new AbortController();
    const original = listener.onNotification.bind(listener);
    listener.onNotification = (message, relatedTo) => {
      original(message, relatedTo);
      controller.abort(new Error("enough"));
    };
    await assert.rejects(ask(request(), controller.signal), /enough/);
    assert.deepEqual(
      listener.notifications.map(({ message }) => message.method),
      ["a"],
    );
  });

  it("lets go of a stream that stays open after the response", async () => {
    let abandoned: Promise<void> | undefined;
    await start((exchange) => {
      ({ abandoned } = exchange);
      const stream = exchange.stream();
      stream.event(ANSWER);
      stream.event({ jsonrpc: "2.0", method: "late" });
    });
    assert.deepEqual(resultOf(await ask()), { n: 1 });
    await listener.count("notifications", 1);
    await abandoned;
  });

  it("rejects what is open when it is closed, and everything after", async () => {
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await start((exchange) => {
      if (exchange.method === "GET") exchange.stream();
      arrived();
    });
    const pending = [
      ask(),
      transport.listen({ signal: never }),
      transport.send({ jsonrpc: "2.0", method: "n" }, { signal: never }),
    ];
    await arrival;
    const settled = Promise.all(pending.map((promise) => assert.rejects(promise, engineError("closed"))));
    await transport.close();
    await settled;
    await assert.rejects(ask(), engineError("closed"));
    await transport.close();
  });

  it("survives a server that drops idle connections", async () => {
    await start((exchange) => exchange.result({ n: 1 }));
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
    const before = sockets();
    await ask();
    server.dropConnections();
    // Both ends have noticed when their sockets are gone.
    while (sockets() > before) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(resultOf(await ask()), { n: 1 });
  });

  it("works over IPv6 and with credentials in the address", async () => {
    await start((exchange) => exchange.result({ auth: exchange.request.headers["authorization"] }), {
      host: "::1",
      url: ({ url }) => url.replace("http://", "http://u:p@"),
    });
    assert.deepEqual(resultOf(await ask()), { auth: `Basic ${btoa("u:p")}` });
  });
});
