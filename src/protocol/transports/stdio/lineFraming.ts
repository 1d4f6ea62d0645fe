import { ByteList } from "../byteList.ts";

const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts a byte stream into lines: bytes in, complete lines out as text, without their line end (LF or CRLF).
 * Linear in size: only new bytes are searched, and a line is put together once, when it is complete. Lines that
 * came together are decoded together; a character that was cut by a chunk boundary is whole again by then.
 */
export class LineFramer {
  readonly #maximumBytes: number;
  readonly #onLine: (line: string) => void;
  readonly #pending = new ByteList();

  /** @param maximumBytes the longest line, without its line end */
  constructor(maximumBytes: number, onLine: (line: string) => void) {
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
    if (this.#pending.bytes > 0) {
      const end = chunk.indexOf(LF);
      if (end !== -1) {
        this.#pending.add(chunk.subarray(0, end));
        if (!this.#put(this.#pending.take())) return "too-long";
        start = end + 1;
      }
    }
    const last = chunk.lastIndexOf(LF);
    if (last >= start) {
      if (!this.#putAll(chunk, start, last)) return "too-long";
      start = last + 1;
    }
    if (this.#isTooLong(chunk, start)) {
      this.#pending.clear();
      return "too-long";
    }
    if (start < chunk.length) this.#pending.add(chunk.subarray(start));
    return "ok";
  }

  /** Hands on what stands after the last line end, when the stream has ended. */
  end(): void {
    if (this.#pending.bytes > 0) this.#put(this.#pending.take());
  }

  /** What would be pending exceeds the bound. One byte more is allowed for the CR of a line that just fits. */
  #isTooLong(chunk: Buffer, start: number): boolean {
    const excess = this.#pending.bytes + chunk.length - start - this.#maximumBytes;
    return excess > 1 || (excess === 1 && chunk.length > start && chunk.at(-1) !== CR);
  }

  /** Whole lines that stand in one chunk, the last one without its line end. False when one is too long. */
  #putAll(chunk: Buffer, start: number, end: number): boolean {
    if (end - start > this.#maximumBytes) return this.#putEach(chunk, start, end);
    const text = chunk.toString("utf8", start, end);
    let from = 0;
    for (let to = text.indexOf("\n"); to !== -1; to = text.indexOf("\n", from)) {
      this.#onLine(text.slice(from, text.charCodeAt(to - 1) === CR && to > from ? to - 1 : to));
      from = to + 1;
    }
    this.#onLine(text.endsWith("\r") && text.length > from ? text.slice(from, -1) : text.slice(from));
    return true;
  }

  /** The same where a line may be too long. */
  #putEach(chunk: Buffer, start: number, end: number): boolean {
    let from = start;
    while (from <= end) {
      const to = chunk.indexOf(LF, from);
      if (!this.#put(chunk.subarray(from, to))) return false;
      from = to + 1;
    }
    return true;
  }

  #put(line: Buffer): boolean {
    const length = line.at(-1) === CR ? line.length - 1 : line.length;
    if (length > this.#maximumBytes) return false;
    this.#onLine(line.toString("utf8", 0, length));
    return true;
  }
}
