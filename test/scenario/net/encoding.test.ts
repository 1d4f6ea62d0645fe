import assert from "node:assert/strict";
import * as zlib from "node:zlib";
import type { Transform } from "node:stream";

import { deferred } from "../../../src/base/deferred.ts";
import { canDecode } from "../../../src/net/contentDecoder.ts";
import { NetError } from "../../../src/net/netError.ts";
import { DEFAULT_LIMITS } from "../../../src/protocol/limits.ts";
import { createHttpTransport } from "../../../src/protocol/transports/http/httpTransport.ts";
import type { HttpTransport } from "../../../src/protocol/transports/transport.ts";
import { CollectingListener, CollectingLog } from "../../support/collectingListener.ts";
import { type ScriptedHandler, type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { engineError, never, request, resultOf } from "../../support/transportHelpers.ts";

const LIMIT = 1024 * 1024;

interface Encoding {
  readonly whole: (text: string | Buffer) => Buffer;
  /** Encodes a stream; everything written is sent at once after `flush`. */
  readonly stream: () => Transform & { flush(kind: number, done: () => void): void };
  readonly flush: number;
}

const ENCODINGS: Readonly<Record<string, Encoding>> = {
  gzip: { whole: zlib.gzipSync, stream: () => zlib.createGzip(), flush: zlib.constants.Z_SYNC_FLUSH },
  deflate: {
    whole: zlib.deflateSync,
    stream: () => zlib.createDeflate(),
    flush: zlib.constants.Z_SYNC_FLUSH,
  },
  br: {
    whole: (text) => zlib.brotliCompressSync(text, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
    stream: () => zlib.createBrotliCompress(),
    flush: zlib.constants.BROTLI_OPERATION_FLUSH,
  },
  zstd: {
    whole: zlib.zstdCompressSync,
    stream: () => zlib.createZstdCompress(),
    flush: zlib.constants.ZSTD_e_flush,
  },
};

describe("encoded answers", () => {
  let server: ScriptedHttp;
  let transport: HttpTransport;
  let listener: CollectingListener;

  async function start(handler: ScriptedHandler): Promise<void> {
    server = await startScriptedHttp(handler);
    listener = new CollectingListener();
    transport = createHttpTransport({
      serverName: "demo",
      url: server.url,
      headers: { "Accept-Encoding": "gzip" },
      limits: { ...DEFAULT_LIMITS, messageBytes: LIMIT },
      log: new CollectingLog(),
    });
    await transport.start(listener);
  }

  afterEach(async () => {
    await transport.close();
    await server.close();
  });

  const ask = (id = 1) => transport.exchange(request(id), { signal: never });
  const answerOf = (result: object, id = 1): string => JSON.stringify({ jsonrpc: "2.0", id, result });
  const event = (message: object): string => `data: ${JSON.stringify(message)}\n\n`;
  const PROGRESS = { jsonrpc: "2.0", method: "notifications/progress" };

  // Older platforms know no Zstandard.
  for (const [name, encoding] of Object.entries(ENCODINGS).filter(([known]) => canDecode(known))) {
    describe(name, () => {
      it("is read in a JSON body, at any status", async () => {
        const result = { text: "déjà vu ".repeat(10_000) };
        await start((exchange) =>
          exchange.answer(200, encoding.whole(answerOf(result)), {
            "content-type": "application/json",
            "content-encoding": name.toUpperCase(),
          }),
        );
        assert.deepEqual(resultOf(await ask()), result);
        assert.equal(server.requests[0]?.headers["accept-encoding"], "gzip");
        server.handler = (exchange) =>
          exchange.answer(404, encoding.whole("nothing here"), { "content-encoding": name });
        await assert.rejects(
          ask(),
          engineError("http-status", (error) => assert.equal(error.detail, "nothing here")),
        );
      });

      it("holds back no event of a stream", async () => {
        const second = deferred();
        await start((exchange) => {
          const stream = exchange.stream({ "content-encoding": name });
          const encoder = encoding.stream();
          encoder.on("data", (chunk: Buffer) => stream.raw(chunk)).on("end", () => stream.end());
          encoder.write(event(PROGRESS));
          encoder.flush(encoding.flush, () => {
            void second.promise.then(() => {
              encoder.end(event({ jsonrpc: "2.0", id: exchange.message.id as number, result: { ok: true } }));
            });
          });
        });
        const answer = ask();
        await listener.count("notifications", 1);
        second.resolve(undefined);
        assert.deepEqual(resultOf(await answer), { ok: true });
        assert.deepEqual(resultOf(await ask(2)), { ok: true });
      });

      it("is bounded by what comes out of it", async () => {
        const bomb = encoding.whole(Buffer.alloc(32 * LIMIT, "x"));
        assert.ok(bomb.length < LIMIT);
        await start((exchange) =>
          exchange.answer(200, bomb, { "content-type": "application/json", "content-encoding": name }),
        );
        const tooLarge = engineError("message-too-large", (error) => assert.match(error.message, /1048576/));
        await assert.rejects(ask(), tooLarge);
        server.handler = (exchange) => {
          exchange.stream({ "content-encoding": name }).raw(bomb);
        };
        await assert.rejects(ask(), tooLarge);
        server.handler = (exchange) => exchange.answer(500, bomb, { "content-encoding": name });
        await assert.rejects(ask(), tooLarge);
      });
    });
  }

  it("are named when they are not what they say", async () => {
    await start((exchange) =>
      exchange.answer(200, answerOf({}), { "content-type": "application/json", "content-encoding": "gzip" }),
    );
    const isNamed = (error: unknown): boolean =>
      error instanceof NetError &&
      error.code === "bad-encoding" &&
      error.mayHaveRun &&
      /127\.0\.0\.1.*“demo”.*“gzip”.*unknown/.test(error.message);
    await assert.rejects(ask(), isNamed);
    server.handler = (exchange) => {
      exchange.stream({ "content-encoding": "gzip" }).raw(event(PROGRESS));
    };
    await assert.rejects(ask(), isNamed);
    server.handler = (exchange) => {
      const whole = zlib.gzipSync(answerOf({ text: "x" }));
      exchange.answer(200, whole.subarray(0, whole.length - 6), {
        "content-type": "application/json",
        "content-encoding": "gzip",
      });
    };
    await assert.rejects(ask(), isNamed);
  });

  /** The beginning of an encoded body: the text is whole, the body is not. */
  const begin = (text: string): Buffer => zlib.gzipSync(text, { finishFlush: zlib.constants.Z_SYNC_FLUSH });

  it("are complete when a stream is cut off after the answer, and end the call when before", async () => {
    await start((exchange) => {
      const stream = exchange.stream({ "content-encoding": "gzip" });
      stream.raw(begin(event({ jsonrpc: "2.0", id: 1, result: { ok: true } })));
      stream.end();
    });
    assert.deepEqual(resultOf(await ask()), { ok: true });
    server.handler = (exchange) => {
      const stream = exchange.stream({ "content-encoding": "gzip" });
      stream.raw(begin(event(PROGRESS)));
      stream.end();
    };
    await assert.rejects(ask(), engineError("stream-ended"));
    assert.equal(listener.notifications.length, 1);
  });

  it("deliver what came before a connection broke", async () => {
    await start((exchange) => {
      const stream = exchange.stream({ "content-encoding": "gzip" });
      stream.raw(begin(event(PROGRESS)));
      void listener.count("notifications", 1).then(() => stream.cut());
    });
    await assert.rejects(ask(), engineError("stream-ended"));
  });

  it("may be empty, whatever they are marked as", async () => {
    await start((exchange) => exchange.answer(202, undefined, { "content-encoding": "gzip" }));
    await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" }, { signal: never });
  });

  it("are given up at once when the call is aborted", async () => {
    await start((exchange) => {
      exchange.stream({ "content-encoding": "gzip" }).raw(begin(event(PROGRESS)));
    });
    const abort = new AbortController();
    const answer = transport.exchange(request(), { signal: abort.signal });
    await listener.count("notifications", 1);
    abort.abort(new Error("enough"));
    await assert.rejects(answer, /enough/);
  });
});
