/** Characters of one log line; longer ones are cut. */
const MAXIMUM_LINE = 4_096;

/**
 * Keeps the last bytes of a process's error output in a ring, and cuts the output into lines for the log.
 * Both are bounded however much comes in and however long a line is.
 */
export class StderrTail {
  readonly #maximumBytes: number;
  readonly #onLine: (line: string) => void;
  #ring = Buffer.alloc(0);
  /** Where the next byte goes. */
  #next = 0;
  #full = false;
  #line = "";
  readonly #decoder = new TextDecoder();

  constructor(maximumBytes: number, onLine: (line: string) => void) {
    this.#maximumBytes = maximumBytes;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    this.#keep(chunk);
    const lines = (this.#line + this.#decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    let rest = lines.pop() ?? "";
    for (const line of lines) this.#report(line);
    while (rest.length > MAXIMUM_LINE) {
      this.#report(rest.slice(0, MAXIMUM_LINE));
      rest = rest.slice(MAXIMUM_LINE);
    }
    this.#line = rest;
  }

  /** Keeps a line of another output in its place among these, without reporting it. */
  note(line: string): void {
    this.#keep(Buffer.from(`${this.#line === "" ? "" : "\n"}${line}\n`));
  }

  /** Reports what stands after the last line end. */
  end(): void {
    const rest = this.#line + this.#decoder.decode();
    this.#line = "";
    this.#report(rest);
  }

  /** The last bytes as text. A character that was cut at the front is left out. */
  text(): string {
    const bytes = this.#full
      ? Buffer.concat([this.#ring.subarray(this.#next), this.#ring.subarray(0, this.#next)])
      : this.#ring.subarray(0, this.#next);
    let start = 0;
    while (this.#full && start < 3 && isContinuation(bytes[start])) start += 1;
    return bytes.subarray(start).toString("utf8");
  }

  #report(line: string): void {
    if (line.trim() !== "") this.#onLine(line);
  }

  #keep(chunk: Buffer): void {
    // Most servers write little: memory is taken when there is something to keep.
    if (this.#ring.length === 0) this.#ring = Buffer.alloc(this.#maximumBytes);
    const bytes = chunk.subarray(Math.max(0, chunk.length - this.#ring.length));
    const first = Math.min(bytes.length, this.#ring.length - this.#next);
    bytes.copy(this.#ring, this.#next, 0, first);
    bytes.copy(this.#ring, 0, first);
    if (this.#next + bytes.length >= this.#ring.length) this.#full = true;
    this.#next = this.#ring.length === 0 ? 0 : (this.#next + bytes.length) % this.#ring.length;
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
