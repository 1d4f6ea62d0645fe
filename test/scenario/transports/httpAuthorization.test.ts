import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { AuthError } from "../../../src/auth/authError.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { EngineError } from "../../../src/protocol/engineError.ts";
import { DEFAULT_LIMITS } from "../../../src/protocol/limits.ts";
import {
  AuthorizationRenewed,
  isAuthorizationRefusal,
} from "../../../src/protocol/transports/authorizationRefusal.ts";
import { createHttpTransport } from "../../../src/protocol/transports/http/httpTransport.ts";
import type { ExchangeResult, HttpTransport } from "../../../src/protocol/transports/transport.ts";
import { CollectingListener, CollectingLog } from "../../support/collectingListener.ts";
import { FakeAuthorizer } from "../../support/fakeAuthorization.ts";
import { type ScriptedHandler, type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { engineError, never, request, resultOf } from "../../support/transportHelpers.ts";

const CHALLENGE = { "www-authenticate": 'Bearer scope="a", Basic realm="r"' };

describe("the authorization of HTTP requests", () => {
  let server: ScriptedHttp;
  let transport: HttpTransport;
  let authorizer: FakeAuthorizer;
  let log: CollectingLog;

  async function start(handler: ScriptedHandler, headers: Record<string, string> = {}): Promise<void> {
    server = await startScriptedHttp(handler);
    authorizer = new FakeAuthorizer();
    log = new CollectingLog();
    transport = createHttpTransport({
      serverName: "demo",
      url: server.url,
      headers,
      authorizer,
      limits: DEFAULT_LIMITS,
      log,
    });
    await transport.start(new CollectingListener());
  }

  const ask = (id = 1, signal = never): Promise<ExchangeResult> =>
    transport.exchange(request(id), { signal });
  const tell = (): Promise<void> => transport.send({ jsonrpc: "2.0", method: "n" }, { signal: never });
  const tokens = (): readonly (string | undefined)[] =>
    server.requests.map(({ headers }) => headers.authorization);

  /** Refuses what does not carry this token. */
  const only =
    (token: string, then: ScriptedHandler): ScriptedHandler =>
    (exchange) => {
      if (exchange.request.headers.authorization === `Bearer ${token}`) return then(exchange);
      exchange.answer(401, "who are you?", CHALLENGE);
    };

  const renewOnce = (token: string): void => {
    authorizer.verdict = () => {
      authorizer.token = token;
      return { kind: "renewed" };
    };
  };

  afterEach(async () => {
    await transport.close();
    await server.close();
    assert.deepEqual(server.failures, []);
  });

  // Duty: 4.1.11, 16.8.1
  it("is asked for anew for each request of each kind, so that a rotated token is used at once", async () => {
    await start((exchange) => {
      if (exchange.method === "GET") exchange.stream().end();
      else if (exchange.method === "DELETE") exchange.answer(200);
      else if (exchange.message.id === undefined) exchange.answer(202);
      else exchange.result({});
    });
    authorizer.token = "t-1";
    await ask();
    authorizer.token = "t-2";
    await tell();
    authorizer.token = "t-3";
    await transport.listen({ signal: never });
    authorizer.token = "t-4";
    await transport.endSession({});
    assert.deepEqual(tokens(), ["Bearer t-1", "Bearer t-2", "Bearer t-3", "Bearer t-4"]);
    assert.deepEqual(authorizer.asked, ["POST /mcp", "POST /mcp", "GET /mcp", "DELETE /mcp"]);
    assert.deepEqual(authorizer.answers, authorizer.asked);
  });

  it("wins over configured headers, and needs no token", async () => {
    await start((exchange) => exchange.result({}), { Authorization: "Bearer configured", "X-Team": "a" });
    await ask();
    authorizer.token = "t-1";
    await ask(2);
    assert.deepEqual(tokens(), ["Bearer configured", "Bearer t-1"]);
    assert.equal(server.requests[1]?.headers["x-team"], "a");
  });

  it("is asked for with the address of each hop within the origin", async () => {
    await start((exchange) => {
      if (exchange.request.path === "/mcp") exchange.answer(307, "", { location: "/moved" });
      else exchange.result({});
    });
    authorizer.token = "t-1";
    await ask();
    assert.deepEqual(authorizer.asked, ["POST /mcp", "POST /moved"]);
    assert.deepEqual(authorizer.answers, ["POST /mcp", "POST /moved"]);
    assert.deepEqual(tokens(), ["Bearer t-1", "Bearer t-1"]);
  });

  for (const status of [302, 307, 308]) {
    // Attack: 58
    // Duty: 16.8.2
    it(`never goes to another origin (${String(status)})`, async () => {
      const canary = await startScriptedHttp((exchange) => exchange.result({}));
      await start((exchange) => exchange.answer(status, "", { location: canary.url }));
      authorizer.token = "t-1";
      await assert.rejects(ask(), engineError("redirected"));
      assert.equal(canary.connections, 0);
      assert.deepEqual(authorizer.asked, ["POST /mcp"]);
      await canary.close();
    });
  }

  it("takes up a stream again with the token of then", async () => {
    await start((exchange) => {
      if (exchange.method === "GET") {
        const stream = exchange.stream();
        stream.event({ jsonrpc: "2.0", id: 1, result: { n: 1 } });
        stream.end();
        return;
      }
      authorizer.token = "t-2";
      const stream = exchange.stream();
      stream.raw("id: e-1\nretry: 10\ndata:\n\n");
      stream.end();
    });
    authorizer.token = "t-1";
    const answer = await transport.exchange(request(), { signal: never, resumable: true });
    assert.deepEqual(resultOf(answer), { n: 1 });
    assert.deepEqual(tokens(), ["Bearer t-1", "Bearer t-2"]);
  });

  it("does not say what to do again of a call that may have run, where only its stream is refused", async () => {
    await start((exchange) => {
      if (exchange.method === "GET") {
        exchange.answer(403, "", { "www-authenticate": 'Bearer error="insufficient_scope", scope="b"' });
        return;
      }
      const stream = exchange.stream();
      stream.raw("id: e-1\nretry: 10\ndata:\n\n");
      stream.end();
    });
    const error = new AuthError("insufficient-scope", { server: "demo", missing: "b" });
    authorizer.verdict = () => ({ kind: "refused", error });
    const call = transport.exchange(request(), { signal: never, resumable: true });
    await assert.rejects(call, (problem) => {
      assert.ok(problem instanceof EngineError);
      assert.equal(problem.code, "stream-ended");
      assert.equal(problem.cause, error);
      assert.ok(!isAuthorizationRefusal(problem));
      return true;
    });
    assert.equal(server.requests.filter(({ method }) => method === "POST").length, 1);
  });

  it("may take its time, and a request that was given up meanwhile is never sent", async () => {
    await start((exchange) => exchange.result({}));
    const gate = deferred();
    const wasAborted = deferred<boolean>();
    authorizer.before = async (signal) => {
      signal.addEventListener("abort", () => wasAborted.resolve(true));
      await gate.promise;
    };
    authorizer.token = "t-1";
    const stop = new AbortController();
    const given = ask(1, stop.signal);
    stop.abort(new Error("given up"));
    await assert.rejects(given, /given up/);
    assert.equal(await wasAborted.promise, true);
    const waiting = ask(2);
    gate.resolve(undefined);
    await waiting;
    assert.deepEqual(tokens(), ["Bearer t-1"]);
    assert.deepEqual(
      server.messages.map(({ id }) => id),
      [2],
    );
  });

  it("may forbid a request, which then fails with its error and is not sent", async () => {
    await start((exchange) => exchange.result({}));
    const error = new AuthError("zone-changed", { server: "demo", actual: "loopback", expected: "public" });
    authorizer.before = () => Promise.reject(error);
    for (const sent of [ask(), tell(), transport.listen({ signal: never })]) {
      await assert.rejects(sent, (thrown) => thrown === error);
    }
    authorizer.authorize = () => {
      throw error;
    };
    await assert.rejects(ask(), (thrown) => thrown === error);
    assert.equal(server.requests.length, 0);
  });

  it("holds in the zone where it belongs, and is not sent elsewhere", async () => {
    await start((exchange) => exchange.result({}));
    authorizer.zone = "public";
    authorizer.token = "t-1";
    await assert.rejects(ask(), { code: "zone-changed" });
    assert.equal(server.requests.length, 0);
    authorizer.zone = "loopback";
    await ask(2);
    assert.deepEqual(tokens(), ["Bearer t-1"]);
  });

  describe("that is refused", () => {
    // Duty: 16.2.2
    it("is judged by whoever gave it, with all that the answer says", async () => {
      await start((exchange) => exchange.answer(401, "no", { ...CHALLENGE, "dpop-nonce": "n-1" }));
      authorizer.token = "t-1";
      const error = new AuthError("sign-in-needed", { server: "demo" });
      authorizer.verdict = () => ({ kind: "refused", error });
      await assert.rejects(ask(), (thrown) => thrown === error);
      await assert.rejects(tell(), (thrown) => thrown === error);
      await assert.rejects(transport.listen({ signal: never }), (thrown) => thrown === error);
      const [first] = authorizer.refusals;
      assert.equal(first?.status, 401);
      assert.equal(first.request.method, "POST");
      assert.equal(first.request.url.href, server.url);
      assert.deepEqual(first.sent, { authorization: "Bearer t-1" });
      assert.equal(first.headers["dpop-nonce"], "n-1");
      assert.deepEqual(
        first.challenges.map(({ scheme, params }) => [scheme, ...params]),
        [
          ["bearer", ["scope", "a"]],
          ["basic", ["realm", "r"]],
        ],
      );
      assert.deepEqual(authorizer.answers, []);
    });

    // Duty: 16.5.7
    it("is for the caller where it means nothing to whoever gave it", async () => {
      await start((exchange) => {
        if (exchange.method === "GET") exchange.answer(403, "forbidden");
        else if (exchange.message.id === 2) exchange.error(403, -32000, "not yours");
        else exchange.answer(401, "who are you?", CHALLENGE);
      });
      await assert.rejects(
        ask(),
        engineError("authorization-required", ({ detail, httpStatus }) => {
          assert.equal(httpStatus, 401);
          assert.match(detail ?? "", /bearer scope="a"[\s\S]*who are you\?/);
        }),
      );
      const { response } = await ask(2);
      assert.equal("error" in response && response.error.message, "not yours");
      await assert.rejects(transport.listen({ signal: never }), engineError("forbidden"));
    });

    it("fails when whoever gave it fails to judge", async () => {
      await start((exchange) => exchange.answer(401));
      authorizer.verdict = () => Promise.reject(new AuthError("lock-timeout", { server: "demo" }));
      await assert.rejects(ask(), { code: "lock-timeout" });
    });

    it("leaves a request with an id to its channel, which makes it anew", async () => {
      await start(only("t-2", (exchange) => exchange.result({})));
      authorizer.token = "t-1";
      renewOnce("t-2");
      await assert.rejects(ask(), (thrown) => {
        assert.ok(thrown instanceof AuthorizationRenewed);
        return engineError("authorization-required")(thrown.refusal);
      });
      assert.equal(server.requests.length, 1);
    });

    it("is renewed once for what has no id, which is sent again as it is", async () => {
      await start(
        only("t-2", (exchange) => {
          if (exchange.method === "GET") exchange.stream().end();
          else exchange.answer(202);
        }),
      );
      for (const send of [tell, () => transport.listen({ signal: never }), () => transport.endSession({})]) {
        authorizer.token = "t-1";
        renewOnce("t-2");
        await send();
      }
      assert.deepEqual(tokens().slice(0, 2), ["Bearer t-1", "Bearer t-2"]);
      assert.deepEqual(
        server.requests.map(({ method }) => method),
        ["POST", "POST", "GET", "GET", "DELETE", "DELETE"],
      );
      assert.equal(server.requests[0]?.body, server.requests[1]?.body);
    });

    // Attack: 57
    it("is not tried a third time, whatever is renewed", async () => {
      await start((exchange) => exchange.answer(401, "", CHALLENGE));
      renewOnce("t-2");
      await assert.rejects(tell(), engineError("authorization-required"));
      await assert.rejects(transport.listen({ signal: never }), engineError("authorization-required"));
      assert.equal(server.requests.length, 4);
    });

    it("is told by its head, however its body ends", async () => {
      const bodies: readonly ScriptedHandler[] = [
        // One that is cut off.
        ({ socket }) =>
          socket.end("HTTP/1.1 401 No\r\nwww-authenticate: Bearer\r\ncontent-length: 9\r\n\r\nno"),
        // One that is not what its encoding says, and one in an encoding that nobody knows.
        (exchange) => exchange.answer(401, "no", { ...CHALLENGE, "content-encoding": "gzip" }),
        (exchange) => exchange.answer(401, "no", { ...CHALLENGE, "content-encoding": "unknown" }),
        // One that is compressed, one that is too large, and one that never ends.
        (exchange) => exchange.answer(401, gzipSync("no"), { ...CHALLENGE, "content-encoding": "gzip" }),
        (exchange) => exchange.answer(401, Buffer.alloc(1_000_000), CHALLENGE),
        (exchange) => exchange.stream(CHALLENGE, 401).raw(Buffer.alloc(200_000)),
        // One that begins and goes no further.
        (exchange) => exchange.stream(CHALLENGE, 401).raw("no"),
      ];
      let turn = 0;
      await start((exchange) => bodies[turn]?.(exchange));
      const error = new AuthError("sign-in-needed", { server: "demo" });
      authorizer.verdict = () => ({ kind: "refused", error });
      for (; turn < bodies.length; turn += 1) await assert.rejects(ask(turn), (thrown) => thrown === error);
      assert.deepEqual(
        authorizer.refusals.map(({ challenges }) => challenges[0]?.scheme),
        bodies.map(() => "bearer"),
      );
    });

    it("is given up with its call while it is being judged", async () => {
      await start((exchange) => exchange.answer(401));
      const stop = new AbortController();
      authorizer.verdict = (_answer, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
          stop.abort(new Error("given up"));
        });
      await assert.rejects(ask(1, stop.signal), /given up/);
    });
  });

  it("is in no line of any log, what is sensitive included", async () => {
    await start(only("t-secret-2", (exchange) => exchange.result({ ok: true })));
    authorizer.token = "t-secret-1";
    renewOnce("t-secret-2");
    await ask().catch(() => undefined);
    await ask(2);
    authorizer.verdict = () => ({ kind: "unknown" });
    authorizer.token = "t-secret-3";
    const error: unknown = await ask(3).catch((thrown: unknown) => thrown);
    const told = [...log.lines, ...log.sensitive, JSON.stringify(error), String(error)].join("\n");
    assert.match(told, /→ POST m/);
    assert.doesNotMatch(told, /t-secret/);
  });
});
