import assert from "node:assert/strict";
import * as zlib from "node:zlib";

import { deferred } from "../../../src/base/deferred.ts";
import { ACCEPTED_ENCODINGS, canDecode, ContentDecoder } from "../../../src/net/contentDecoder.ts";

interface Decoded {
  readonly text: string;
  readonly error: string | undefined;
}

/** Decodes what a script pushes; resolves at the end or the error. */
async function decode(encoding: string, run: (decoder: ContentDecoder) => void): Promise<Decoded> {
  const done = deferred<string | undefined>();
  const chunks: Buffer[] = [];
  const decoder = new ContentDecoder(encoding, {
    onData: (chunk) => chunks.push(chunk),
    onEnd: () => done.resolve(undefined),
    onError: (error) => done.resolve((error as NodeJS.ErrnoException).code),
    pause: () => undefined,
    resume: () => undefined,
  });
  run(decoder);
  const error = await done.promise;
  return { text: Buffer.concat(chunks).toString("utf8"), error };
}

describe("ContentDecoder", () => {
  const text = "déjà vu ".repeat(2_000);
  const encoders: Readonly<Record<string, (data: string) => Buffer>> = {
    gzip: zlib.gzipSync,
    "x-gzip": zlib.gzipSync,
    br: zlib.brotliCompressSync,
    deflate: zlib.deflateSync,
    "deflate without a header": zlib.deflateRawSync,
    zstd: zlib.zstdCompressSync,
  };
  for (const [name, encode] of Object.entries(encoders)) {
    const [encoding = ""] = name.split(" ");
    // Older platforms know no Zstandard.
    if (!canDecode(encoding)) continue;
    it(`reads ${name}, in any chunking`, async () => {
      const bytes = encode(text);
      const whole = await decode(encoding, (decoder) => {
        decoder.push(bytes);
        decoder.end();
      });
      assert.deepEqual(whole, { text, error: undefined });
      const single = await decode(encoding, (decoder) => {
        for (const byte of bytes) decoder.push(Buffer.of(byte));
        decoder.end();
      });
      assert.deepEqual(single, { text, error: undefined });
    });
  }

  it("lists what it can read", () => {
    assert.match(ACCEPTED_ENCODINGS, /^gzip, br, deflate/);
    assert.equal(canDecode("compress"), false);
    assert.equal(canDecode("gzip, br"), false);
  });

  it("takes an empty body for empty, whatever it is marked as", async () => {
    assert.deepEqual(await decode("gzip", (decoder) => decoder.end()), { text: "", error: undefined });
  });

  it("reports a body that is cut off, after what it held", async () => {
    const bytes = zlib.gzipSync(text);
    const result = await decode("gzip", (decoder) => {
      decoder.push(bytes.subarray(0, bytes.length - 8));
      decoder.end();
    });
    assert.equal(result.error, "Z_BUF_ERROR");
    assert.equal(result.text, text);
  });

  it("reports a body that is something else", async () => {
    const result = await decode("br", (decoder) => decoder.push(Buffer.from("no such thing")));
    assert.match(result.error ?? "", /ERR_/);
  });

  it("asks to pause while more comes than it has decoded, and to resume", async () => {
    const bytes = zlib.gzipSync(Buffer.alloc(1024 * 1024, 1), { level: 0 });
    const calls: string[] = [];
    const done = deferred();
    const decoder = new ContentDecoder("gzip", {
      onData: () => undefined,
      onEnd: () => done.resolve(undefined),
      onError: done.reject,
      pause: () => calls.push("pause"),
      resume: () => {
        calls.push("resume");
        decoder.end();
      },
    });
    decoder.push(bytes);
    await done.promise;
    assert.deepEqual(calls, ["pause", "resume"]);
  });

  it("delivers nothing after it was disposed", async () => {
    const seen = deferred();
    let count = 0;
    const decoder = new ContentDecoder("gzip", {
      onData: () => {
        count += 1;
        decoder.dispose();
        seen.resolve(undefined);
      },
      onEnd: () => seen.reject(new Error("it went on to the end")),
      onError: seen.reject,
      pause: () => undefined,
      resume: () => undefined,
    });
    decoder.push(zlib.gzipSync(Buffer.alloc(10 * 1024 * 1024)));
    decoder.end();
    await seen.promise;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(count, 1);
  });
});
