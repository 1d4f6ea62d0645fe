import assert from "node:assert/strict";

import type { JsonObject } from "../../../src/base/json.ts";
import { DEFAULT_LIMITS } from "../../../src/protocol/limits.ts";
import { createHttpTransport } from "../../../src/protocol/transports/http/httpTransport.ts";
import type { HttpTransport } from "../../../src/protocol/transports/transport.ts";
import { CollectingListener, CollectingLog } from "../../support/collectingListener.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { type ScriptedHandler, type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { engineError, never } from "../../support/transportHelpers.ts";

describe("HTTP transport, beside the exchanges", () => {
  let server: ScriptedHttp;
  let transport: HttpTransport;
  let listener: CollectingListener;
  let log: CollectingLog;

  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);

  beforeEach(async () => {
    process.on("unhandledRejection", onUnhandled);
    server = await startScriptedHttp(() => undefined);
    listener = new CollectingListener();
    log = new CollectingLog();
    transport = createHttpTransport({
      serverName: "demo",
      url: server.url,
      headers: {},
      limits: DEFAULT_LIMITS,
      log,
    });
    await transport.start(listener);
  });

  afterEach(async () => {
    process.off("unhandledRejection", onUnhandled);
    await transport.close();
    await server.close();
    assert.deepEqual(server.failures, []);
  });

  // Duty: 5.1.2
  it("counts any success as accepted when it sends a notification", async () => {
    const handlers: ScriptedHandler[] = [
      (exchange) => exchange.answer(202),
      (exchange) => exchange.answer(200),
      (exchange) => exchange.json(200, null),
      (exchange) => exchange.answer(200, "Accepted", { "content-type": "text/plain; charset=utf-8" }),
      (exchange) => exchange.answer(202, "", { "content-type": "application/json" }),
      (exchange) => exchange.answer(204),
      (exchange) => void exchange.stream(),
    ];
    for (const handler of handlers) {
      server.handler = handler;
      await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" }, { signal: never });
    }
    for (const [status, code] of [
      [400, "http-status"],
      [401, "authorization-required"],
      [404, "http-status"],
      [500, "http-status"],
    ] as const) {
      server.handler = (exchange) => exchange.answer(status, "no");
      const sent = transport.send({ jsonrpc: "2.0", method: "n" }, { signal: never });
      await assert.rejects(
        sent,
        engineError(code, (error) => assert.equal(error.httpStatus, status)),
      );
    }
    assert.ok(server.connections < server.requests.length, "connections are used again");
  });

  it("closes the connection of an acknowledgement that never ends", async () => {
    const abandoned = deferred();
    server.handler = (exchange) => {
      exchange.stream({ "content-type": "text/plain" }).raw("…");
      void exchange.abandoned.then(() => abandoned.resolve(undefined));
    };
    await transport.send({ jsonrpc: "2.0", method: "n" }, { signal: never });
    await abandoned.promise;
  });

  it("forgets a request that cannot be written", async () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { a: deep };
    const message = { jsonrpc: "2.0", id: 1, method: "m", params: deep } as const;
    await assert.rejects(transport.exchange(message, { signal: never }), RangeError);
    await transport.close();
    await new Promise(setImmediate);
    assert.deepEqual(unhandled, []);
  });

  // Duty: 5.3.2, 15.1
  it("lives without the GET stream, however it is refused", async () => {
    for (const [status, body] of [
      [405, ""],
      [404, "<html>"],
      [406, ""],
      [400, "session missing"],
      [501, ""],
      [200, "hello"],
      [204, ""],
    ] as const) {
      server.handler = (exchange) => exchange.answer(status, status === 204 ? undefined : body);
      assert.equal(await transport.listen({ signal: never }), false, String(status));
    }
    assert.equal(server.requests.length, 7);
    server.handler = (exchange) => exchange.answer(401);
    await assert.rejects(transport.listen({ signal: never }), engineError("authorization-required"));
    server.handler = (exchange) => exchange.answer(503);
    await assert.rejects(transport.listen({ signal: never }), engineError("http-status"));
    assert.deepEqual(log.visible, []);
  });

  it("does not wait for the body of a server that offers no GET stream", async () => {
    server.handler = (exchange) =>
      void exchange.socket.write("HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 1000\r\n\r\nno");
    assert.equal(await transport.listen({ signal: never }), false);
  });

  // Duty: 5.3.1, 5.3.3
  it("listens on the GET stream until it ends, is cut or is no longer wanted", async () => {
    for (const end of ["end", "cut"] as const) {
      server.handler = (exchange) => {
        const stream = exchange.stream();
        stream.raw("id: 1\ndata:\n\n");
        stream.event({ jsonrpc: "2.0", id: 3, result: {} });
        stream.event({ jsonrpc: "2.0", method: "n", params: { end } });
        stream.event({ jsonrpc: "2.0", id: 4, method: "ping" });
        void listener.count("requests", end === "end" ? 1 : 2).then(() => stream[end]());
      };
      assert.equal(await transport.listen({ signal: never, headers: { "Mcp-Session-Id": "s-1" } }), true);
    }
    assert.deepEqual(
      listener.notifications.map(({ relatedTo }) => relatedTo),
      [undefined, undefined],
    );
    assert.equal(server.requests[0]?.method, "GET");
    assert.equal(server.requests[0].headers["accept"], "text/event-stream");
    assert.equal(server.requests[0].headers["mcp-session-id"], "s-1");
    assert.ok(!("content-type" in server.requests[0].headers));

    assert.deepEqual(
      server.requests.map(({ headers }) => headers["last-event-id"]),
      [undefined, "1"],
    );

    const controller = new AbortController();
    let abandoned: Promise<void> | undefined;
    server.handler = (exchange) => {
      ({ abandoned } = exchange);
      exchange.stream();
      controller.abort(new Error("stop"));
    };
    await assert.rejects(transport.listen({ signal: controller.signal }), /stop/);
    await abandoned;
    assert.equal(server.requests.at(-1)?.headers["last-event-id"], undefined, "another session begins anew");
  });

  // Duty: 5.2.6
  it("ends a session with DELETE and minds no answer", async () => {
    for (const status of [200, 204, 405, 404, 500]) {
      server.handler = (exchange) => exchange.answer(status);
      await transport.endSession({ "Mcp-Session-Id": "s-1" });
    }
    assert.deepEqual(new Set(server.requests.map(({ method }) => method)), new Set(["DELETE"]));
    server.handler = (exchange) => void exchange.socket.resetAndDestroy();
    await transport.endSession({});
    assert.deepEqual(log.visible, []);
  });
});
