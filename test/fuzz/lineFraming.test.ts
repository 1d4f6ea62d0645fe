import assert from "node:assert/strict";
import fc from "fast-check";
import { isJsonObject, stringifyJson, type JsonObject } from "../../src/base/json.ts";
import { parseMessage, type ParsedMessage } from "../../src/protocol/transports/parseMessage.ts";
import { LineFramer } from "../../src/protocol/transports/stdio/lineFraming.ts";
import { byteStream, chunkSizes, cut } from "./support/byteCases.ts";
import { forAll } from "./support/forAll.ts";
import { jsonRpcMessage } from "./support/messageCases.ts";

const LF = 0x0a;
const CR = 0x0d;

/** What a reader that has everything at once finds: lines without their ends, until one is too long. */
function linesOf(bytes: Buffer, maximum: number): { readonly lines: string[]; readonly verdict: string } {
  const lines: string[] = [];
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(LF, start);
    const end = found === -1 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    const whole = line.at(-1) === CR ? line.subarray(0, -1) : line;
    if (whole.length > maximum) return { lines, verdict: "too-long" };
    if (found !== -1 || line.length > 0) lines.push(whole.toString("utf8"));
    start = end + 1;
  }
  return { lines, verdict: "ok" };
}

/** What the framer hands on of chunks that come one by one. */
function frame(
  chunks: readonly Buffer[],
  maximum: number,
): { readonly lines: string[]; readonly verdict: string } {
  const lines: string[] = [];
  const framer = new LineFramer(maximum, (line) => lines.push(line));
  for (const chunk of chunks) {
    const verdict = framer.push(chunk);
    if (verdict !== "ok") return { lines, verdict };
  }
  framer.end();
  return { lines, verdict: "ok" };
}

// Duty: 3.1, 3.5, 3.18
describe("fuzz: lines of a process", () => {
  const text = jsonRpcMessage.map((message) => stringifyJson(message));

  it("are the same however the bytes are cut", () => {
    forAll(fc.tuple(byteStream(text), chunkSizes), ([bytes, sizes]) => {
      const wide = bytes.length + 1;
      assert.deepEqual(frame(cut(bytes, sizes), wide), linesOf(bytes, wide));
    });
  });

  it("are handed on up to the first that is too long, and nothing of that", () => {
    forAll(fc.tuple(byteStream(), chunkSizes, fc.nat(24)), ([bytes, sizes, maximum]) => {
      const { lines, verdict } = frame(cut(bytes, sizes), maximum);
      const expected = linesOf(bytes, maximum);
      assert.deepEqual(lines, expected.lines);
      assert.equal(verdict, expected.verdict);
    });
  });

  it("end at the bound when no line end ever comes", () => {
    forAll(
      fc.tuple(fc.integer({ min: 1, max: 4096 }), fc.integer({ min: 1, max: 4096 })),
      ([size, maximum]) => {
        const chunk = Buffer.alloc(size, 0x61);
        const framer = new LineFramer(maximum, () => assert.fail("There is no line"));
        let held = 0;
        while (framer.push(chunk) === "ok") {
          held += size;
          assert.ok(held <= maximum + 1, `${String(held)} bytes are held`);
        }
      },
    );
  });

  it("give back every message, between noise and with either line end", () => {
    const noise = fc.constantFrom("", "listening…", "[]", "[1,2]", "42", "null", '"text"', "{", "\u001b[2K");
    const part = fc.record({ message: jsonRpcMessage, end: fc.constantFrom("\n", "\r\n"), before: noise });
    forAll(fc.tuple(fc.array(part, { maxLength: 6 }), chunkSizes), ([parts, sizes]) => {
      const sent = parts.map(({ message, end, before }) => `${before}${end}${stringifyJson(message)}${end}`);
      const received: ParsedMessage[] = [];
      const framer = new LineFramer(1_000_000, (line) => received.push(parseMessage(line)));
      for (const chunk of cut(Buffer.from(sent.join(""), "utf8"), sizes))
        assert.equal(framer.push(chunk), "ok");
      framer.end();
      const messages = received.flatMap((parsed) => ("message" in parsed ? [parsed.message] : []));
      assert.deepEqual(
        messages,
        parts.map(({ message }) => message),
      );
    });
  });
});

describe("fuzz: one line as a message", () => {
  it("is read without an error, whatever it holds", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.json({ maxDepth: 4 }),
      fc.tuple(fc.json(), fc.nat(40)).map(([json, end]) => json.slice(0, end)),
    );
    forAll(texts, (line) => {
      const parsed = parseMessage(line);
      if (!("message" in parsed)) return;
      const value: unknown = JSON.parse(line);
      assert.ok(isJsonObject(value) && value["jsonrpc"] === "2.0");
    });
  });

  it("is read without an error when it is nested deeper than any stack", () => {
    const shape = fc.record({
      open: fc.constantFrom(
        "[",
        '{"a":',
        '{"jsonrpc":"2.0","id":1,"result":',
        '{"jsonrpc":"2.0","method":"m","params":',
      ),
      // A few are deeper than a recursive reader gets; most are quick.
      depth: fc.oneof(
        { weight: 30, arbitrary: fc.integer({ min: 1, max: 100 }) },
        { weight: 1, arbitrary: fc.constant(20_000) },
      ),
      inner: fc.constantFrom("1", "9007199254740993", '"text"', ""),
      closed: fc.boolean(),
    });
    forAll(shape, ({ open, depth, inner, closed }) => {
      const end = open.startsWith("[") ? "]" : "}";
      const text = `${open.repeat(depth)}${inner}${closed ? end.repeat(depth) : ""}`;
      const kind: ParsedMessage["kind"] = parseMessage(text).kind;
      if (inner === "" || !closed)
        assert.equal(kind, inner === "" && closed && depth > 0 && end === "]" ? "invalid" : "not-json");
      else assert.notEqual(kind, "not-json");
    });
  });

  it("keeps each kind of message apart", () => {
    forAll(jsonRpcMessage, (message: JsonObject) => {
      const expected = "method" in message ? ("id" in message ? "request" : "notification") : "response";
      assert.equal(parseMessage(stringifyJson(message)).kind, expected);
    });
  });
});
