import type { Writable } from "node:stream";

/** Longer lines are not copied to be written together with others. */
const LONG = 64 * 1024;

/**
 * Writes lines to a pipe. What is written in one turn of the event loop goes out as one text and with one call to the
 * system, because both are dear for small messages.
 */
export class LineOutput {
  readonly #stream: Writable;
  #lines: string[] = [];
  #waitingLength = 0;
  #callbacks: ((error?: Error | null) => void)[] = [];

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** About how many bytes are on their way to the pipe. */
  get waiting(): number {
    return this.#stream.writableLength + this.#waitingLength;
  }

  /** Writes a line with its end; `onWritten` is told when the system took it, or why it did not. */
  write(line: string, onWritten?: (error?: Error | null) => void): void {
    if (this.#lines.length === 0) process.nextTick(flush, this);
    else if (line.length > LONG) this.flush();
    this.#lines.push(line);
    this.#waitingLength += line.length;
    if (onWritten !== undefined) this.#callbacks.push(onWritten);
    if (line.length > LONG) this.flush();
  }

  /** Hands everything to the pipe now. */
  flush(): void {
    const lines = this.#lines;
    const [first] = lines;
    if (first === undefined) return;
    const text = lines.length === 1 ? first : lines.join("");
    const callbacks = this.#callbacks;
    this.#lines = [];
    this.#waitingLength = 0;
    this.#callbacks = [];
    if (callbacks.length === 0) this.#stream.write(text);
    else {
      this.#stream.write(text, (error) => {
        for (const callback of callbacks) callback(error);
      });
    }
  }

  /** Closes the pipe behind the last line. */
  end(): void {
    this.flush();
    this.#stream.end();
  }
}

function flush(output: LineOutput): void {
  output.flush();
}
