import assert from "node:assert/strict";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { EventStreamReader, type StreamEvent } from "../../src/protocol/transports/http/eventStream.ts";
import { byteStream, chunkSizes, cut } from "./support/byteCases.ts";
import { forAll } from "./support/forAll.ts";

/** Fields as they are meant, and as they are not. */
const field = fc.tuple(
  fc.constantFrom("data", "event", "id", "retry", "data ", " data", "Data", "ids", "", "\ufeffdata"),
  fc.constantFrom("", ":", ": ", ":  ", "::"),
  fc.oneof(
    fc.constantFrom(
      "",
      "0",
      "500",
      "1e3",
      "-1",
      "５",
      "message",
      "endpoint",
      '{"jsonrpc":"2.0"}',
      "a\u0000b",
    ),
    fc.string({ unit: "grapheme", maxLength: 6 }),
  ),
);
const line = fc
  .tuple(field, fc.constantFrom("\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\r\r", ""))
  .map(([parts, end]) => `${parts.join("")}${end}`);

interface Read {
  readonly events: readonly StreamEvent[];
  readonly lastEventId: string;
  readonly retryMs: number | undefined;
}

function read(chunks: readonly Buffer[]): Read {
  const events: StreamEvent[] = [];
  const reader = new EventStreamReader(1_000_000, (event) => events.push(event));
  for (const chunk of chunks) assert.equal(reader.push(chunk), "ok");
  return { events, lastEventId: reader.lastEventId, retryMs: reader.retryMs };
}

/** What the other reader finds. Events without data deliver nothing here, and that one has no default type. */
function readByOracle(text: string): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = "message", data }) => {
      if (data !== "") events.push({ type: event, data });
    },
  });
  parser.feed(text);
  return events;
}

/** The standard's steps on whole text, for what the other reader does not keep: the id and the delay of the stream. */
function readByStandard(text: string): Omit<Read, "events"> {
  let lastEventId = "";
  let id = "";
  let retryMs: number | undefined;
  const lines = text.split(/\r\n|\r|\n/);
  // What follows the last line end is no line yet.
  lines.pop();
  for (const each of lines) {
    if (each === "") lastEventId = id;
    const [, name = each, value = ""] = /^([^:]*):? ?([^]*)$/.exec(each) ?? [];
    if (name === "id" && !value.includes("\u0000")) id = value;
    if (name === "retry" && /^[0-9]{1,9}$/.test(value)) retryMs = Number(value);
  }
  return { lastEventId, retryMs };
}

// Duty: 4.4.2
describe("fuzz: event streams", () => {
  it("hold the events that another reader finds, however the bytes are cut", () => {
    forAll(fc.tuple(byteStream(line), chunkSizes), ([bytes, sizes]) => {
      // The other reader keeps a CR at the very end back; with an LF behind it both see the same line end.
      const whole = Buffer.concat([bytes, Buffer.from("\n")]);
      assert.deepEqual(read(cut(whole, sizes)).events, readByOracle(new TextDecoder().decode(whole)));
    });
  });

  it("have the last id and the delay that the standard gives them", () => {
    forAll(fc.tuple(byteStream(line), chunkSizes), ([bytes, sizes]) => {
      const { lastEventId, retryMs } = read(cut(bytes, sizes));
      const text = new TextDecoder().decode(bytes);
      assert.deepEqual({ lastEventId, retryMs }, readByStandard(text));
    });
  });

  it("lose nothing and add nothing when they end in the middle of an event", () => {
    forAll(fc.tuple(byteStream(line), chunkSizes), ([bytes, sizes]) => {
      const events: StreamEvent[] = [];
      const reader = new EventStreamReader(1_000_000, (event) => events.push(event));
      for (const chunk of cut(bytes, sizes)) reader.push(chunk);
      const before = { events: [...events], lastEventId: reader.lastEventId };
      reader.end();
      // The event that was under way is handed on, but whoever takes up the stream must ask for it again.
      assert.deepEqual(events.slice(0, before.events.length), before.events);
      assert.ok(events.length <= before.events.length + 1);
      assert.equal(reader.lastEventId, before.lastEventId);
    });
  });

  it("begin afresh after a break, with the id and the delay that they had", () => {
    forAll(fc.tuple(byteStream(line), byteStream(line), chunkSizes), ([first, second, sizes]) => {
      const events: StreamEvent[] = [];
      const reader = new EventStreamReader(1_000_000, (event) => events.push(event));
      for (const chunk of cut(first, sizes)) reader.push(chunk);
      const { lastEventId, retryMs } = reader;
      reader.reset();
      assert.deepEqual([reader.lastEventId, reader.retryMs], [lastEventId, retryMs]);
      events.length = 0;
      for (const chunk of cut(second, sizes)) reader.push(chunk);
      assert.deepEqual(events, read([second]).events);
    });
  });

  it("end at the bound, whatever they are made of", () => {
    const parts = fc.constantFrom(
      "data: a\n",
      "data\n",
      "d",
      ": comment\n",
      "id: 1\n",
      "event: x\n",
      "\n",
      "\r",
      "retry: 1\n",
    );
    const cases = fc.record({
      parts: fc.array(parts, { minLength: 1, maxLength: 4 }),
      maximum: fc.integer({ min: 1, max: 400 }),
    });
    forAll(cases, ({ parts: repeated, maximum }) => {
      let longest = 0;
      const reader = new EventStreamReader(maximum, ({ data }) => (longest = Math.max(longest, data.length)));
      const chunk = Buffer.from(repeated.join(""), "utf8");
      for (let round = 0; round < 500 && reader.push(chunk) === "ok"; round += 1);
      assert.ok(longest <= maximum, `an event of ${String(longest)} is above ${String(maximum)}`);
    });
    // Data that never ends in an event is refused at the bound, however small its lines are.
    forAll(
      fc.record({
        text: fc.constantFrom("data:\n", "data\r", "data: ab\n", "x"),
        maximum: fc.integer({ min: 1, max: 2_000 }),
      }),
      ({ text, maximum }) => {
        const reader = new EventStreamReader(maximum, () => assert.fail("No event is complete"));
        let pushed = 0;
        while (reader.push(Buffer.from(text)) === "ok") {
          pushed += 1;
          assert.ok(pushed <= maximum, `${String(pushed)} pieces are held`);
        }
      },
    );
  });
});
