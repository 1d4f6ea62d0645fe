import assert from "node:assert/strict";

import { DEFAULT_LIMITS } from "../../../src/protocol/limits.ts";
import { createHttpTransport } from "../../../src/protocol/transports/http/httpTransport.ts";
import type { ExchangeResult, HttpTransport } from "../../../src/protocol/transports/transport.ts";
import { CollectingListener, CollectingLog } from "../../support/collectingListener.ts";
import { type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { engineError, never, request, resultOf } from "../../support/transportHelpers.ts";

describe("HTTP transport, taking up a stream again", () => {
  let server: ScriptedHttp;
  let transport: HttpTransport;
  let listener: CollectingListener;
  const answer = { jsonrpc: "2.0", id: 1, result: { n: 1 } };

  beforeEach(async () => {
    server = await startScriptedHttp(() => undefined);
    listener = new CollectingListener();
    const log = new CollectingLog();
    transport = createHttpTransport({
      serverName: "demo",
      url: server.url,
      headers: { Authorization: "k" },
      limits: DEFAULT_LIMITS,
      log,
    });
    await transport.start(listener);
  });

  afterEach(async () => {
    await transport.close();
    await server.close();
    assert.deepEqual(server.failures, []);
  });

  function ask(resumable = true, signal = never): Promise<ExchangeResult> {
    return transport.exchange(request(), { signal, resumable, headers: { "Mcp-Session-Id": "s-1" } });
  }

  // Duty: 5.4.1, 5.4.2, 5.4.3, 5.4.4, 5.4.5
  it("comes back with the last event id after the delay, until the answer is there", async () => {
    let closedAt = 0;
    server.handler = (exchange) => {
      const step = server.requests.length;
      const stream = exchange.stream();
      if (step === 1) {
        stream.raw('id: e1\nretry: 80\ndata:\n\ndata: {"cut');
        closedAt = Date.now();
        stream.end();
      } else if (step === 2) {
        assert.ok(Date.now() - closedAt >= 75, "waits as long as the server asks");
        stream.raw('id: e2\ndata: {"jsonrpc":"2.0","method":"p"}\n\n');
        void listener.count("notifications", 1).then(() => stream.cut());
      } else {
        stream.raw(`id: e3\ndata: ${JSON.stringify(answer)}\n\n`);
        stream.end();
      }
    };
    assert.deepEqual(resultOf(await ask()), { n: 1 });
    assert.deepEqual(
      listener.notifications.map(({ relatedTo }) => relatedTo),
      [1],
    );
    const shown = server.requests.map(({ method, headers }) => [
      method,
      headers["last-event-id"],
      headers["mcp-session-id"],
    ]);
    assert.deepEqual(shown, [
      ["POST", undefined, "s-1"],
      ["GET", "e1", "s-1"],
      ["GET", "e2", "s-1"],
    ]);
    assert.equal(server.requests[1]?.headers["accept"], "text/event-stream");
    assert.equal(server.requests[1].headers["authorization"], "k");
    assert.ok(!("content-type" in server.requests[1].headers));
  });

  it("does not come back without an event id, or when it was not asked to", async () => {
    server.handler = (exchange) => {
      const stream = exchange.stream();
      stream.raw("retry: 1\ndata:\n\n");
      stream.end();
    };
    await assert.rejects(ask(), engineError("stream-ended"));
    server.handler = (exchange) => {
      const stream = exchange.stream();
      stream.raw("id: 1\nretry: 1\ndata:\n\n");
      stream.end();
    };
    await assert.rejects(ask(false), engineError("stream-ended"));
    assert.equal(server.requests.length, 2);
  });

  it("gives up after attempts that bring nothing, or when the stream is gone", async () => {
    server.handler = (exchange) => {
      const stream = exchange.stream();
      stream.raw("id: same\nretry: 1\ndata:\n\n");
      stream.end();
    };
    await assert.rejects(ask(), engineError("stream-ended"));
    assert.equal(server.requests.length, 6);
    server.handler = (exchange) => {
      if (exchange.method === "GET") {
        exchange.answer(404, "gone");
        return;
      }
      const stream = exchange.stream();
      stream.raw("id: 1\nretry: 1\ndata:\n\n");
      stream.end();
    };
    await assert.rejects(
      ask(),
      engineError("stream-ended", (error) => assert.equal(error.httpStatus, 200)),
    );
  });

  it("stops waiting when it is aborted", async () => {
    const controller = new AbortController();
    server.handler = (exchange) => {
      const stream = exchange.stream();
      stream.raw('id: 1\nretry: 60000\ndata: {"jsonrpc":"2.0","method":"p"}\n\n');
      stream.end();
    };
    const asked = ask(true, controller.signal);
    await listener.count("notifications", 1);
    controller.abort(new Error("stop"));
    await assert.rejects(asked, /stop/);
    assert.equal(server.requests.length, 1);
  });

  it("takes an answer without its closing empty line", async () => {
    server.handler = (exchange) => {
      const stream = exchange.stream();
      stream.raw(`id: 1\ndata: ${JSON.stringify(answer)}\n`);
      stream.end();
    };
    assert.deepEqual(resultOf(await ask()), { n: 1 });
    assert.equal(server.requests.length, 1);
  });
});
