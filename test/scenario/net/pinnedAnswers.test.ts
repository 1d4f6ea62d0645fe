import assert from "node:assert/strict";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";

import { NetError } from "../../../src/net/netError.ts";
import type { PinnedNetwork } from "../../../src/net/pinnedRequest.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { Canary, netErrorOf, pinnedNetwork, send } from "../../support/pinnedHelpers.ts";
import { type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";

const MAXIMUM = 256 * 1024;

describe("answers on the way to authorization", () => {
  let clock: FakeClock;
  let network: PinnedNetwork & { readonly log: { readonly lines: string[] } };
  let server: ScriptedHttp;
  let url: string;

  beforeEach(async () => {
    clock = new FakeClock();
    network = pinnedNetwork({ clock });
    server = await startScriptedHttp((exchange) => exchange.answer(200, "fine"));
    url = `${server.origin}/x`;
  });

  afterEach(async () => {
    await server.close();
    assert.equal(clock.pending, 0);
  });

  it("come whole, up to their bound", async () => {
    const body = "é".repeat(MAXIMUM / 2);
    server.handler = (exchange) => exchange.answer(200, body);
    assert.equal((await send(network, url)).body, body);
    server.handler = (exchange) => exchange.answer(204);
    assert.deepEqual(await send(network, url).then(({ status, body }) => [status, body]), [204, ""]);
    server.handler = (exchange) => exchange.answer(503, "busy", { "content-encoding": "identity" });
    assert.equal((await send(network, url)).body, "busy");
  });

  // Attack: 6
  it("are given up when they are announced larger, or turn out larger", async () => {
    server.handler = (exchange) =>
      exchange.answer(200, "x".repeat(MAXIMUM + 1), { "content-length": MAXIMUM + 1 });
    const error = await netErrorOf(send(network, url), "answer-too-large");
    assert.match(error.message, /262144 bytes/);
    assert.equal(error.mayHaveRun, true);
    server.handler = (exchange) => {
      const stream = exchange.stream();
      for (let left = MAXIMUM + 1; left > 0; left -= 8192)
        stream.raw(Buffer.alloc(Math.min(left, 8192), 120));
      stream.end();
    };
    await netErrorOf(send(network, url), "answer-too-large");
  });

  // Attack: 6
  it("are given up when they never end, and the connection is closed", async () => {
    const abandoned = new Promise<void>((resolve) => {
      server.handler = (exchange) => {
        const stream = exchange.stream();
        const chunk = Buffer.alloc(16 * 1024, 120);
        const timer = setInterval(() => stream.raw(chunk), 1);
        void exchange.abandoned.then(() => {
          clearInterval(timer);
          resolve();
        });
      };
    });
    await netErrorOf(send(network, url), "answer-too-large");
    await abandoned;
  });

  it("are given up when their headers are too large", async () => {
    server.handler = (exchange) => exchange.answer(200, "fine", { "x-long": "x".repeat(17 * 1024) });
    const error = await netErrorOf(send(network, url), "answer-too-large");
    assert.match(error.message, /16384 bytes/);
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`x-${index}`, "x".repeat(40)]),
    );
    server.handler = (exchange) => exchange.answer(200, "fine", many);
    await netErrorOf(send(network, url), "answer-too-large");
  });

  // Attack: 6
  it("are not inflated: an encoded one is refused as it is", async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    for (const encoding of ["gzip", "br", "GZIP", "identity, gzip", "x\u00e4".repeat(100)]) {
      server.handler = (exchange) => exchange.answer(200, bomb, { "content-encoding": encoding });
      const error = await netErrorOf(send(network, url), "encoding-unwanted");
      assert.ok(error.message.length < 250);
    }
    assert.ok(server.requests.every(({ headers }) => headers["accept-encoding"] === "identity"));
  });

  it("are errors when they are cut off, or are not HTTP", async () => {
    server.handler = (exchange) => {
      const stream = exchange.stream();
      stream.raw("half");
      setImmediate(() => stream.cut());
    };
    // Whether the cut or the missing end is noticed first is up to the system.
    await assert.rejects(send(network, url), (error) => {
      return error instanceof NetError && /^(?:reset|bad-http)$/.test(error.code) && error.mayHaveRun;
    });
    server.handler = (exchange) => void exchange.socket.end("SSH-2.0-x\r\n");
    await netErrorOf(send(network, url), "bad-http");
    server.handler = (exchange) =>
      void exchange.socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
    await netErrorOf(send(network, url), "reset");
    assert.equal(server.connections, 3);
  });

  // Attack: 84
  it("have ten seconds in all, however steadily they drip", async () => {
    let drip: (() => void) | undefined;
    const abandoned = new Promise<void>((resolve) => {
      server.handler = (exchange) => {
        const stream = exchange.stream();
        drip = () => stream.raw("x");
        drip();
        void exchange.abandoned.then(resolve);
        began();
      };
    });
    let began = (): void => undefined;
    const begun = new Promise<void>((resolve) => (began = resolve));
    const failed = netErrorOf(send(network, url, { method: "POST", body: "code=1" }), "answer-timeout");
    await begun;
    for (let second = 0; second < 10; second += 1) {
      drip?.();
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1000);
    }
    const error = await failed;
    assert.match(error.message, /10 seconds/);
    assert.equal(error.mayHaveRun, true);
    await abandoned;
  });

  // Attack: 84
  it("have ten seconds with the headers too", async () => {
    let began = (): void => undefined;
    const begun = new Promise<void>((resolve) => (began = resolve));
    server.handler = (exchange) => {
      exchange.socket.write("HTTP/1.1 200 OK\r\nx-a: ");
      began();
    };
    const failed = netErrorOf(send(network, url), "answer-timeout");
    await begun;
    clock.advance(10_000);
    await failed;
  });

  it("are not waited for when nothing resolves, and nothing was sent then", async () => {
    const slow = pinnedNetwork({ clock, resolve: () => new Promise(() => undefined) });
    for (const work of [
      send(slow, "https://as.test/"),
      slow.zoneOf(new URL("https://as.test/"), new AbortController().signal),
    ]) {
      const failed = netErrorOf(work, "dns");
      clock.advance(10_000);
      const error = await failed;
      assert.match(error.message, /10 s/);
      assert.equal(error.mayHaveRun, false);
    }
  });

  it("are not waited for when there is no connection, and nothing was sent then", async () => {
    const silent = await Canary.start();
    try {
      const failed = netErrorOf(send(network, `https://127.0.0.1:${silent.port}/`), "connect-timeout");
      while (silent.bytes === 0) await new Promise((resolve) => setImmediate(resolve));
      clock.advance(10_000);
      assert.equal((await failed).mayHaveRun, false);
    } finally {
      await silent.close();
    }
  });

  it("end with the caller's signal at every point, with its reason", async () => {
    const early = AbortSignal.abort(new Error("enough"));
    await assert.rejects(send(network, url, { signal: early }), /enough/);
    assert.equal(server.connections, 0);
    const resolving = new AbortController();
    const slow = pinnedNetwork({ clock, resolve: () => new Promise(() => undefined) });
    const first = send(slow, "https://as.test/", { signal: resolving.signal });
    resolving.abort(new Error("enough"));
    await assert.rejects(first, /enough/);
    const reading = new AbortController();
    const abandoned = new Promise<void>((resolve) => {
      server.handler = (exchange) => {
        exchange.stream().raw("x");
        void exchange.abandoned.then(resolve);
        setImmediate(() => reading.abort(new Error("enough")));
      };
    });
    await assert.rejects(send(network, url, { signal: reading.signal }), /enough/);
    await abandoned;
  });

  it("leave a line in the log without query and body", async () => {
    await send(network, `${url}?code=secret-1`, { method: "POST", body: "secret-2" });
    assert.deepEqual(network.log.lines, [`debug POST ${url}: HTTP 200`]);
  });

  describe("of a server that hangs up before it was asked", () => {
    const sockets = new Set<Socket>();
    let listening: Server;

    beforeEach(async () => {
      listening = createServer((socket) => {
        sockets.add(socket);
        socket.on("error", () => undefined);
        socket.resetAndDestroy();
      });
      await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    });

    afterEach(async () => {
      await new Promise((resolve) => listening.close(resolve));
      sockets.clear();
    });

    it("are not asked for again", async () => {
      const { port } = listening.address() as { port: number };
      await assert.rejects(send(network, `http://127.0.0.1:${port}/`), { name: "NetError" });
      assert.equal(sockets.size, 1);
    });
  });
});
