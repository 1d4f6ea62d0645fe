import { ByteList } from "../byteList.ts";

const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts a byte stream into lines: bytes in, complete lines out, without their line end (LF or CRLF).
 * Linear in size: only new bytes are searched, and a line is put together once, when it is complete.
 * Lines are bytes; a character that was cut by a chunk boundary is whole again when its line is decoded.
 */
export class LineFramer {
  readonly #maximumBytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #pending = new ByteList();

  /** @param maximumBytes the longest line, without its line end */
  constructor(maximumBytes: number, onLine: (line: Buffer) => void) {
    this.#maximumBytes = maximumBytes;
    this.#onLine = onLine;
  }

  /**
   * Takes a chunk and hands on every line that it completes.
   * `too-long` means that a line exceeds the bound: nothing of it was handed on, and the stream cannot be
   * framed any further. Chunks after that are a mistake of the caller.
   */
  push(chunk: Buffer): "ok" | "too-long" {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const line = this.#complete(chunk.subarray(start, end));
      if (line.length > this.#maximumBytes) return "too-long";
      this.#onLine(line);
      start = end + 1;
    }
    if (this.#isTooLong(chunk, start)) {
      this.#pending.clear();
      return "too-long";
    }
    this.#pending.add(chunk.subarray(start));
    return "ok";
  }

  /** Hands on what stands after the last line end, when the stream has ended. */
  end(): void {
    if (this.#pending.bytes > 0) this.#onLine(this.#complete(Buffer.alloc(0)));
  }

  /** What would be pending exceeds the bound. One byte more is allowed for the CR of a line that just fits. */
  #isTooLong(chunk: Buffer, start: number): boolean {
    const excess = this.#pending.bytes + chunk.length - start - this.#maximumBytes;
    return excess > 1 || (excess === 1 && chunk.length > start && chunk.at(-1) !== CR);
  }

  #complete(last: Buffer): Buffer {
    let line = last;
    if (this.#pending.bytes > 0) {
      this.#pending.add(last);
      line = this.#pending.take();
    }
    return line.at(-1) === CR ? line.subarray(0, -1) : line;
  }
}
