import { type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";

/** Members are read together up to about this many characters. */
const GROUP_LENGTH = 64 * 1024;
/** Containers below this depth are read whole: what makes a message large stands near its top. */
const MAX_DEPTH = 8;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A container near the top of the text. Until something of it was read, it may still be read whole by its parent. */
interface Frame {
  readonly start: number;
  readonly isArray: boolean;
  items: JsonValue[] | Record<string, JsonValue>;
  /** Where what was not read yet begins. */
  groupStart: number;
  /** Where the last member begins. */
  memberStart: number;
  wasRead: boolean;
  /** True behind a member that was read on its own: a comma or the end has to follow. */
  isBehindMember: boolean;
}

/**
 * Reads a JSON text as `parseJson` does, in slices between which other work can go on: a text of many megabytes would
 * hold everything up. Large containers near the top are put together from groups of their members, and each group is
 * read by `JSON.parse`, so that nothing is accepted that it would not accept.
 *
 * @param pause awaited now and then, and told how many characters were looked at so far
 * @throws SyntaxError, whose position means nothing
 */
export async function parseSliced(
  text: string,
  pause: (at: number) => Promise<void> | undefined,
  groupLength = GROUP_LENGTH,
): Promise<JsonValue> {
  const scan = new Scan(text, groupLength);
  for (;;) {
    const value = scan.step();
    if (value !== undefined) return value;
    await pause(scan.at);
  }
}

class Scan {
  readonly #text: string;
  readonly #groupLength: number;
  readonly #frames: Frame[] = [];
  /** Containers that are open below those of `#frames`. */
  #below = 0;
  #at = 0;

  constructor(text: string, groupLength: number) {
    this.#text = text;
    this.#groupLength = groupLength;
  }

  get at(): number {
    return this.#at;
  }

  /** Goes on for about one group. Undefined until the end is reached. */
  step(): JsonValue | undefined {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + this.#groupLength);
    let at = this.#at;
    while (at < end) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = endOfString(text, at);
      else if (code === COMMA) {
        if (this.#below === 0) this.#onComma(at);
      } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) this.#onOpen(at, code === OPEN_ARRAY);
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        const whole = this.#onClose(at);
        if (whole !== undefined) return this.#finish(whole, at);
      }
      at += 1;
    }
    this.#at = at;
    // No container was closed as the outermost one: a lone value, or a text that is cut off.
    return at >= text.length ? parseJson(text) : undefined;
  }

  #finish({ value }: { readonly value: JsonValue | undefined }, at: number): JsonValue {
    // It was not large enough to be taken apart, or something stands around it, which is an error.
    if (value === undefined || this.#text.slice(at + 1).trim() !== "") return parseJson(this.#text);
    return value;
  }

  #onOpen(at: number, isArray: boolean): void {
    if (this.#below > 0 || this.#frames.length >= MAX_DEPTH) {
      this.#below += 1;
      return;
    }
    // What stands before the outermost container can only be white space; `parseJson` says what is wrong else.
    if (this.#frames.length === 0 && this.#text.slice(0, at).trim() !== "") parseJson(this.#text);
    this.#frames.push({
      start: at,
      isArray,
      items: isArray ? [] : {},
      groupStart: at + 1,
      memberStart: at + 1,
      wasRead: false,
      isBehindMember: false,
    });
  }

  #onComma(at: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    if (frame.isBehindMember) {
      this.#demandBlank(frame.groupStart, at);
      frame.isBehindMember = false;
      frame.groupStart = at + 1;
    } else if (at - frame.groupStart >= this.#groupLength) {
      this.#read(frame, at);
      frame.groupStart = at + 1;
    }
    frame.memberStart = at + 1;
  }

  /** Undefined while containers are open; else the value, or undefined where nothing of it was read yet. */
  #onClose(at: number): { readonly value: JsonValue | undefined } | undefined {
    if (this.#below > 0) {
      this.#below -= 1;
      return undefined;
    }
    const frame = this.#frames.pop();
    if (frame === undefined || frame.isArray !== (this.#text.charCodeAt(at) === CLOSE_ARRAY))
      throw new SyntaxError("A bracket that closes nothing");
    const parent = this.#frames.at(-1);
    // What could not be divided, as one long string, is read where its parent is: each copy of it costs.
    if (!frame.wasRead) return parent === undefined ? { value: undefined } : undefined;
    if (frame.isBehindMember) this.#demandBlank(frame.groupStart, at);
    else this.#read(frame, at);
    if (parent === undefined) return { value: frame.items as JsonValue };
    this.#adopt(parent, frame, at);
    return undefined;
  }

  /** Puts a member that was read on its own behind what stands before it. */
  #adopt(parent: Frame, child: Frame, end: number): void {
    if (parent.isBehindMember) throw new SyntaxError("No comma between two values");
    const { memberStart } = parent;
    // The comma before the member belongs to neither.
    if (memberStart > parent.groupStart) this.#read(parent, memberStart - 1);
    const name = this.#text.slice(memberStart, child.start);
    if (Array.isArray(parent.items)) {
      if (name.trim() !== "") throw new SyntaxError("Something stands before an item");
      parent.items.push(child.items);
    } else {
      // Reading it with nothing for its value checks the name and its colon as well.
      for (const key of Object.keys(parseJson(`{${name}null}`) as JsonObject))
        put(parent.items, key, child.items);
    }
    parent.wasRead = true;
    parent.isBehindMember = true;
    parent.groupStart = end + 1;
    parent.memberStart = end + 1;
  }

  /** Reads the members from where the last group ended. */
  #read(frame: Frame, end: number): void {
    const group = this.#text.slice(frame.groupStart, end);
    frame.wasRead = true;
    if (Array.isArray(frame.items)) {
      const items = parseJson(`[${group}]`) as JsonValue[];
      if (items.length === 0) throw new SyntaxError("A comma with nothing behind it");
      for (const item of items) frame.items.push(item);
      return;
    }
    const members = Object.entries(parseJson(`{${group}}`) as Record<string, JsonValue>);
    if (members.length === 0) throw new SyntaxError("A comma with nothing behind it");
    for (const [key, value] of members) put(frame.items, key, value);
  }

  #demandBlank(start: number, end: number): void {
    if (this.#text.slice(start, end).trim() !== "") throw new SyntaxError("Something stands behind a value");
  }
}

/** The position of the quote that ends the string which begins here; the last position when none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length - 1;
}

/** As JSON.parse does it: a member named `__proto__` is a member. */
function put(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}
