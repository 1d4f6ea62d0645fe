import assert from "node:assert/strict";
import dns from "node:dns";

import { callOnce, failToSend, openTransport } from "../../support/networkHelpers.ts";
import { type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { never, request, resultOf } from "../../support/transportHelpers.ts";

describe("addresses and headers", () => {
  let server: ScriptedHttp | undefined;

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function start(host: string): Promise<ScriptedHttp> {
    server = await startScriptedHttp((exchange) => exchange.result({ ok: true }), { host });
    return server;
  }

  it("an IPv6 address stands in brackets in the address and in the Host header", async () => {
    const { port, requests } = await start("::1");
    assert.deepEqual(await callOnce(`http://[::1]:${port}/mcp`), { ok: true });
    assert.equal(requests[0]?.headers.host, `[::1]:${port}`);
  });

  describe("of a name with several of them", () => {
    const lookup = dns.lookup;

    beforeEach(() => {
      const found = [
        { address: "::1", family: 6 },
        { address: "127.0.0.1", family: 4 },
      ];
      const own = (host: string, ...rest: readonly unknown[]): void => {
        if (host === "two.test") process.nextTick(rest.at(-1) as () => void, null, found);
        else (lookup as (...args: readonly unknown[]) => void)(host, ...rest);
      };
      dns.lookup = own as unknown as typeof dns.lookup;
    });

    afterEach(() => {
      dns.lookup = lookup;
    });

    for (const host of ["127.0.0.1", "::1"]) {
      it(`the one that a server listens on is found: ${host}`, async () => {
        const { port } = await start(host);
        assert.deepEqual(await callOnce(`http://two.test:${port}/mcp`), { ok: true });
      });
    }

    it("all of them are told when none accepts", async () => {
      const { port } = await start("127.0.0.1");
      await server?.close();
      server = undefined;
      const error = await failToSend(`http://two.test:${port}/mcp`, "refused");
      assert.match(error.message, /two\.test:\d+.*::1:\d+.*127\.0\.0\.1:\d+/);
    });
  });

  // Duty: 4.1.7, 5.2.1
  it("header names count in any case", async () => {
    const { port } = await start("127.0.0.1");
    assert.ok(server);
    server.handler = (exchange) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { ok: true } });
      exchange.socket.end(
        [
          "HTTP/1.1 200 OK",
          "CONTENT-TYPE: Application/JSON; Charset=UTF-8",
          "mCP-sESSION-iD: s-AbC",
          `Content-LENGTH: ${body.length}`,
          "",
          body,
        ].join("\r\n"),
      );
    };
    const { transport } = await openTransport(`http://127.0.0.1:${port}/mcp`);
    const answer = await transport.exchange(request(), { signal: never });
    await transport.close();
    assert.deepEqual(resultOf(answer), { ok: true });
    assert.equal(answer.http?.sessionId, "s-AbC");
  });

  it("a connection is used again, and a server that closes idle ones is met with a new one", async () => {
    const { url } = await start("127.0.0.1");
    assert.ok(server);
    const { transport } = await openTransport(url);
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    for (const id of [1, 2, 3, 4]) {
      await transport.exchange(request(id), { signal: never });
      await turn();
    }
    assert.equal(server.connections, 1);
    server.handler = (exchange) => exchange.result({ ok: true }, { connection: "close" });
    await transport.exchange(request(5), { signal: never });
    assert.deepEqual(resultOf(await transport.exchange(request(6), { signal: never })), { ok: true });
    assert.equal(server.connections, 2);
    await transport.close();
  });
});
