import assert from "node:assert/strict";

import { deferred } from "../../../src/base/deferred.ts";
import { CodedError } from "../../../src/base/errors.ts";
import { EngineError } from "../../../src/protocol/engineError.ts";
import { type Certificate, TestAuthority } from "../../support/makeCertificates.ts";
import { callOnce, openTransport } from "../../support/networkHelpers.ts";
import { answerOk, SecureServer } from "../../support/secureServer.ts";
import { never, request, resultOf } from "../../support/transportHelpers.ts";

describe("HTTP/2", () => {
  let authority: TestAuthority;
  let certificate: Certificate;
  let server: SecureServer;

  before(async () => {
    authority = await TestAuthority.create();
    certificate = await authority.issue({ names: ["127.0.0.1"] });
  });

  beforeEach(async () => {
    server = await SecureServer.start({ ...certificate, http2: true });
  });

  afterEach(() => server.close());

  const route = (): { http2: boolean; tls: { ca: string } } => ({ http2: true, tls: { ca: authority.cert } });

  function open(): ReturnType<typeof openTransport> {
    return openTransport(server.url, route());
  }

  const versions = (): string[] => server.requests.map(({ httpVersion }) => httpVersion);

  it("is spoken where the settings ask for it and the server offers it", async () => {
    const tls = { ca: authority.cert };
    assert.deepEqual(await callOnce(server.url, { tls, http2: true }), { ok: true });
    assert.deepEqual(await callOnce(server.url, { tls, http2: false }), { ok: true });
    assert.deepEqual(await callOnce(server.url, { tls }), { ok: true });
    assert.deepEqual(versions(), ["2.0", "1.1", "1.1"]);
  });

  it("gives way to HTTP/1.1 where the server does not offer it", async () => {
    const old = await SecureServer.start(certificate);
    try {
      assert.deepEqual(await callOnce(old.url, route()), { ok: true });
      assert.equal(old.requests[0]?.httpVersion, "1.1");
    } finally {
      await old.close();
    }
  });

  it("uses a connection again", async () => {
    const { transport } = await open();
    for (let id = 1; id <= 5; id += 1) {
      assert.deepEqual(resultOf(await transport.exchange(request(id), { signal: never })), { ok: true });
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(server.sessions.size <= 2, `${server.sessions.size} connections`);
    await transport.close();
  });

  it("carries many exchanges at once", async () => {
    const { transport } = await open();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, id) => transport.exchange(request(id), { signal: never })),
    );
    assert.deepEqual(
      answers.map(({ response }) => response.id),
      Array.from({ length: 20 }, (_, id) => id),
    );
    assert.ok(versions().every((version) => version === "2.0"));
    await transport.close();
  });

  it("delivers the events of a stream as they come, and takes trailers for its end", async () => {
    const { transport, listener } = await open();
    const go = deferred();
    server.handler = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", Trailer: "x-done" });
      response.write('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
      void go.promise.then(() => {
        response.write('data: {"jsonrpc":"2.0","id":1,"result":{"late":true}}\n\n');
        response.addTrailers({ "x-done": "yes" });
        response.end();
      });
    };
    const answer = transport.exchange(request(), { signal: never });
    await listener.count("notifications", 1);
    go.resolve(undefined);
    assert.deepEqual(resultOf(await answer), { late: true });
    server.handler = answerOk;
    assert.deepEqual(resultOf(await transport.exchange(request(2), { signal: never })), { ok: true });
    await transport.close();
  });

  it("carries 8 MiB in both directions", async () => {
    const { transport } = await open();
    const text = "x".repeat(8 * 1024 * 1024);
    server.handler = ({ body }, response) => {
      const { id, params } = JSON.parse(body) as { id: number; params: { text: string } };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { text: params.text } }));
    };
    const answer = await transport.exchange({ ...request(), params: { text } }, { signal: never });
    assert.deepEqual(resultOf(answer), { text });
    await transport.close();
  });

  for (const when of ["before the head", "in a stream"] as const) {
    // Duty: 4.5.1, 4.5.2
    it(`closes the stream of a request that is aborted ${when}, and goes on`, async () => {
      const { transport, listener } = await open();
      server.handler = (_, response) => {
        if (when === "before the head") return;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
      };
      const abort = new AbortController();
      const answer = transport.exchange(request(), { signal: abort.signal });
      if (when === "in a stream") await listener.count("notifications", 1);
      else await serverHas(1);
      abort.abort(new Error("enough"));
      await assert.rejects(answer, /enough/);
      await server.requests[0]?.abandoned;
      server.handler = answerOk;
      assert.deepEqual(resultOf(await transport.exchange(request(2), { signal: never })), { ok: true });
      await transport.close();
    });
  }

  async function serverHas(count: number): Promise<void> {
    while (server.requests.length < count) await new Promise((resolve) => setImmediate(resolve));
  }

  const ends: readonly [name: string, end: () => void][] = [
    ["is told to go away", () => server.sessions.forEach((session) => session.goaway())],
    ["loses its connection", () => server.sockets.forEach((socket) => socket.destroy())],
    ["has its session destroyed", () => server.sessions.forEach((session) => session.destroy())],
  ];
  for (const [name, end] of ends) {
    it(`sends nothing once more when it ${name} with several requests under way`, async () => {
      const { transport } = await open();
      server.handler = () => undefined;
      const ids = [1, 2, 3, 4];
      const answers = ids.map((id) =>
        transport.exchange(request(id), { signal: never }).then(
          () => "answered",
          (error: unknown) => error,
        ),
      );
      await serverHas(ids.length);
      end();
      for (const error of await Promise.all(answers)) {
        assert.ok(error instanceof CodedError, String(error));
        assert.match(error.message, /unknown/);
      }
      server.handler = answerOk;
      assert.deepEqual(resultOf(await transport.exchange(request(9), { signal: never })), { ok: true });
      assert.equal(server.requests.length, ids.length + 1);
      await transport.close();
    });
  }

  it("reports a stream that the server resets", async () => {
    const { transport } = await open();
    server.handler = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": hello\n\n");
      response.stream.close(2);
    };
    await assert.rejects(
      transport.exchange(request(), { signal: never }),
      (error) => error instanceof EngineError && error.code === "stream-ended",
    );
    await transport.close();
  });

  it("leaves nothing behind when it is closed in the middle", async () => {
    const { transport, listener } = await open();
    server.handler = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
    };
    const answer = transport.exchange(request(), { signal: never });
    await listener.count("notifications", 1);
    const rejected = assert.rejects(answer, EngineError);
    await transport.close();
    await rejected;
  });
});
