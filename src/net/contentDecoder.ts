import type { Transform } from "node:stream";
import * as zlib from "node:zlib";

import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";

/** What the platform may offer: Node 20 has no Zstandard. */
const platform: { readonly createZstdDecompress?: typeof zlib.createZstdDecompress } = zlib;

/** Makers of decoders, by the name of the encoding. `deflate` is its two forms, told apart by the first byte. */
const DECODERS: ReadonlyMap<string, (first: Buffer) => Transform> = new Map<
  string,
  (first: Buffer) => Transform
>([
  ["gzip", () => zlib.createGunzip()],
  ["x-gzip", () => zlib.createGunzip()],
  ["br", () => zlib.createBrotliDecompress()],
  ["deflate", (first) => (isZlib(first) ? zlib.createInflate() : zlib.createInflateRaw())],
  ...zstandard(),
]);

function zstandard(): [string, () => Transform][] {
  const create = platform.createZstdDecompress;
  return create === undefined ? [] : [["zstd", () => create()]];
}

/** The encodings of bodies that can be read, as `Accept-Encoding` lists them. */
export const ACCEPTED_ENCODINGS = [...DECODERS.keys()].filter((name) => name !== "x-gzip").join(", ");

/** Where the content of an encoded body goes. Nothing comes after `onEnd` or `onError`. */
export interface DecodedBody {
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(error: Error): void;
  /** More has come than is decoded yet: nothing further should be read, until `resume`. */
  pause(): void;
  resume(): void;
}

/** True for the error of a body that ended before its encoding did: what it held so far is good. */
export function isCutOff(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR";
}

/** True when bodies of this `Content-Encoding` can be read by a `ContentDecoder`. */
export function canDecode(encoding: string): boolean {
  return DECODERS.has(encoding);
}

/**
 * Takes the encoding off a body as it comes, so that the events of a stream are not held back. It bounds nothing:
 * the receiver counts what comes out, and disposes it when that is too much.
 */
export class ContentDecoder implements Disposable {
  readonly #encoding: string;
  readonly #body: DecodedBody;
  #transform: Transform | undefined;
  #isOver = false;

  /** @param encoding one that `canDecode` */
  constructor(encoding: string, body: DecodedBody) {
    this.#encoding = encoding;
    this.#body = body;
    trackDisposable(this);
  }

  push(chunk: Buffer): void {
    if (this.#isOver || chunk.length === 0) return;
    this.#transform ??= this.#create(chunk);
    if (!this.#transform.write(chunk)) this.#body.pause();
  }

  /** The encoded body has ended. What is still being decoded comes before `onEnd`. */
  end(): void {
    if (this.#isOver) return;
    // Answers without a body may be marked as encoded all the same.
    if (this.#transform === undefined) this.#finish()?.onEnd();
    else this.#transform.end();
  }

  /** Stops decoding at once. */
  dispose(): void {
    this.#finish();
  }

  #create(first: Buffer): Transform {
    const make = DECODERS.get(this.#encoding);
    if (make === undefined) throw new Error(`No decoder for ${this.#encoding}`);
    return make(first)
      .on("data", (chunk: Buffer) => {
        if (!this.#isOver) this.#body.onData(chunk);
      })
      .on("drain", () => {
        if (!this.#isOver) this.#body.resume();
      })
      .on("end", () => this.#finish()?.onEnd())
      .on("error", (error: Error) => this.#finish()?.onError(error));
  }

  /** The receiver, once. */
  #finish(): DecodedBody | undefined {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    untrackDisposable(this);
    this.#transform?.destroy();
    return this.#body;
  }
}

/** The two bytes at the start of the form with a header are a multiple of 31, and name the method 8. */
function isZlib(first: Buffer): boolean {
  return ((first[0] ?? 0) & 0x0f) === 8;
}
