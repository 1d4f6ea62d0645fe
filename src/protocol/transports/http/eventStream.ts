import { ByteList } from "../byteList.ts";

const LF = 0x0a;
const CR = 0x0d;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
/** Longest value that is kept of an event's id: it goes back to the server in a header. */
const MAXIMUM_ID_LENGTH = 4_096;
/** What holding one more line costs, so that very many empty ones reach the bound as well. */
const LINE_COST = 8;

/** One event of a stream that carries data. */
export interface StreamEvent {
  /** The event's type; `message` when it names none. */
  readonly type: string;
  readonly data: string;
}

/**
 * Reads Server-Sent Events from bytes in any chunking: lines end with LF, CRLF or a lone CR, in any mixture.
 * Linear in size: only new bytes are searched, and only whole lines are decoded.
 * Comments and events without data deliver nothing; ids and retry delays are kept.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export class EventStreamReader {
  readonly #maximumBytes: number;
  readonly #onEvent: (event: StreamEvent) => void;
  readonly #line = new ByteList();
  /** The data lines of the event that is being read. */
  #data: string[] = [];
  #dataBytes = 0;
  #type = "";
  #id: string | undefined;
  #lastEventId = "";
  #retryMs: number | undefined;
  /** A CR ended the last chunk: an LF at the start of the next one belongs to it. */
  #afterCr = false;
  #isFirst = true;

  /** @param maximumBytes for one line, and for all the data of one event */
  constructor(maximumBytes: number, onEvent: (event: StreamEvent) => void) {
    this.#maximumBytes = maximumBytes;
    this.#onEvent = onEvent;
  }

  /** The id of the last event that had one; empty when none had. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** How long the server wants a client to wait before it reconnects, in milliseconds. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /** Takes a chunk and hands on every event that it completes. After `too-large` the stream is of no more use. */
  push(chunk: Buffer): "ok" | "too-large" {
    let start = 0;
    if (this.#afterCr && chunk.length > 0) {
      this.#afterCr = false;
      if (chunk[0] === LF) start = 1;
    }
    let nextCr = chunk.indexOf(CR, start);
    let nextLf = chunk.indexOf(LF, start);
    while (nextCr !== -1 || nextLf !== -1) {
      const isCr = nextCr !== -1 && (nextLf === -1 || nextCr < nextLf);
      const end = isCr ? nextCr : nextLf;
      if (!this.#takeLine(chunk.subarray(start, end))) return "too-large";
      start = end + 1;
      if (isCr) {
        if (chunk[start] === LF) start += 1;
        else this.#afterCr = start === chunk.length;
        nextCr = chunk.indexOf(CR, start);
      }
      if (nextLf !== -1 && nextLf < start) nextLf = chunk.indexOf(LF, start);
    }
    this.#line.add(chunk.subarray(start));
    return this.#line.bytes > this.#maximumBytes ? "too-large" : "ok";
  }

  /**
   * The stream has ended. An event without its closing empty line is handed on all the same: the standard
   * would drop it, but some servers end so, and a message that was cut short is no valid JSON anyway.
   */
  end(): void {
    if (this.#line.bytes > 0) this.#takeLine(Buffer.alloc(0));
    // Its id does not count: whoever takes up the stream again must get the whole event.
    this.#id = this.#lastEventId;
    this.#dispatch();
  }

  /** Makes ready for another stream that goes on where this one broke: id and retry delay stay. */
  reset(): void {
    this.#line.clear();
    this.#data = [];
    this.#dataBytes = 0;
    this.#type = "";
    this.#id = undefined;
    this.#afterCr = false;
    this.#isFirst = true;
  }

  #takeLine(last: Buffer): boolean {
    let line = last;
    if (this.#line.bytes > 0) {
      this.#line.add(last);
      line = this.#line.take();
    }
    if (line.length > this.#maximumBytes) return false;
    if (this.#isFirst) {
      this.#isFirst = false;
      if (line.subarray(0, 3).equals(BOM)) line = line.subarray(3);
    }
    if (line.length === 0) this.#dispatch();
    else this.#field(line);
    return this.#dataBytes <= this.#maximumBytes;
  }

  #field(line: Buffer): void {
    const colon = line.indexOf(0x3a);
    if (colon === 0) return;
    const name = colon === -1 ? line.toString("utf8") : line.toString("utf8", 0, colon);
    const skip = colon === -1 ? line.length : line[colon + 1] === 0x20 ? colon + 2 : colon + 1;
    switch (name) {
      case "data":
        this.#dataBytes += line.length - skip + LINE_COST;
        this.#data.push(line.toString("utf8", skip));
        return;
      case "event":
        this.#type = line.toString("utf8", skip);
        return;
      case "id":
        if (line.length - skip <= MAXIMUM_ID_LENGTH && !line.includes(0))
          this.#id = line.toString("utf8", skip);
        return;
      case "retry": {
        const value = line.toString("latin1", skip);
        if (/^\d{1,9}$/.test(value)) this.#retryMs = Number(value);
      }
    }
  }

  #dispatch(): void {
    if (this.#id !== undefined) this.#lastEventId = this.#id;
    const data = this.#data.length === 1 ? (this.#data[0] ?? "") : this.#data.join("\n");
    const type = this.#type === "" ? "message" : this.#type;
    this.#data = [];
    this.#dataBytes = 0;
    this.#type = "";
    if (data !== "") this.#onEvent({ type, data });
  }
}
