import assert from "node:assert/strict";

import {
  EventStreamReader,
  type StreamEvent,
} from "../../../../../src/protocol/transports/http/eventStream.ts";

function read(
  chunks: readonly (string | Buffer)[],
  maximumBytes = 10_000,
): { events: StreamEvent[]; reader: EventStreamReader; outcome: string } {
  const events: StreamEvent[] = [];
  const reader = new EventStreamReader(maximumBytes, (event) => events.push(event));
  let outcome = "ok";
  for (const chunk of chunks) {
    outcome = reader.push(Buffer.from(chunk as string));
    if (outcome !== "ok") break;
  }
  return { events, reader, outcome };
}

/** Every way of cutting a text that finds chunking bugs: whole, byte by byte, in pairs, in threes. */
function cuts(text: string): Buffer[][] {
  const bytes = Buffer.from(text);
  return [bytes.length, 1, 2, 3].map((size) => {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    return chunks;
  });
}

describe("EventStreamReader", () => {
  const rows: readonly [
    name: string,
    text: string,
    events: readonly (string | [type: string, data: string])[],
  ][] = [
    ["LF", "data: a\n\ndata: b\n\n", ["a", "b"]],
    ["CRLF", "event: message\r\ndata: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["a lone CR", "data: a\r\rdata: b\r\r", ["a", "b"]],
    ["a mixture of line ends", "data: a\r\n\ndata: b\n\r\ndata: c\r\r\ndata: d\n\n", ["a", "b", "c", "d"]],
    ["no invented boundary between CR and LF", "data: a\r\ndata: b\r\n\r\n", ["a\nb"]],
    ["data without a space", "data:a\n\n", ["a"]],
    ["only one space is taken off", "data:  a\n\n", [" a"]],
    ["several data lines", "data: a\ndata: b\ndata:\n\n", ["a\nb\n"]],
    ["a comment", ": keep-alive\n\ndata: a\n: x\ndata: b\n\n", ["a\nb"]],
    ["a priming event with empty data", "id: s1-0\nretry: 800\ndata:\n\ndata: a\n\n", ["a"]],
    ["an event without data", "event: ping\n\ndata: a\n\n", ["a"]],
    [
      "the type of an event, for that event only",
      "event: ping\ndata: a\n\ndata: b\n\n",
      [["ping", "a"], "b"],
    ],
    ["unknown fields", "foo: x\nbar\ndata: a\n\n", ["a"]],
    ["a field without a colon", "data\n\ndata: a\n\n", ["a"]],
    ["a byte order mark", "\ufeffdata: a\n\n", ["a"]],
    ["characters of several bytes", "data: é — 读 🎉\n\n", ["é — 读 🎉"]],
    ["a colon in the data", 'data: {"a":1}\n\n', ['{"a":1}']],
    ["an event that is not complete yet", "data: a\n\ndata: b\n", ["a"]],
    ["nothing", "", []],
  ];
  for (const [name, text, expected] of rows) {
    it(name, () => {
      const events = expected.map((item) =>
        typeof item === "string" ? { type: "message", data: item } : { type: item[0], data: item[1] },
      );
      for (const chunks of cuts(text)) assert.deepEqual(read(chunks).events, events);
    });
  }

  it("keeps the last id and the retry delay", () => {
    for (const chunks of cuts("id: s1-0\nretry: 800\ndata:\n\nid\nretry: x\ndata: a\n\nid: b\0\n\n")) {
      assert.equal(read(chunks).reader.retryMs, 800);
    }
    assert.equal(read(["id: s1-0\ndata:\n\n"]).reader.lastEventId, "s1-0");
    assert.equal(read(["id: s1-0\n\nid: b\0\n\n"]).reader.lastEventId, "s1-0");
    assert.equal(read(["id: s1-0\n"]).reader.lastEventId, "");
  });

  it("hands on an unfinished event when the stream ends", () => {
    for (const text of ["data: a\n", "data: a"]) {
      const { events, reader } = read([text]);
      reader.end();
      assert.deepEqual(events, [{ type: "message", data: "a" }]);
    }
  });

  it("does not take the id of an event that was cut short for read", () => {
    const reader = new EventStreamReader(1_000, () => undefined);
    reader.push(Buffer.from('id: 1\ndata: {}\n\nid: 2\ndata: {"cu'));
    reader.end();
    assert.equal(reader.lastEventId, "1");
  });

  it("bounds a line, the data of an event and the number of its lines", () => {
    assert.equal(read([`data: ${"x".repeat(200)}`], 100).outcome, "too-large");
    assert.equal(read([`data: ${"x".repeat(200)}\n\n`], 100).outcome, "too-large");
    assert.equal(read([`data: ${"x".repeat(60)}\ndata: ${"x".repeat(60)}\n`], 100).outcome, "too-large");
    assert.equal(read(["data:\n".repeat(100)], 100).outcome, "too-large");
    assert.equal(
      read(
        Array.from({ length: 50 }, () => "data: 0123456789\n\n"),
        100,
      ).outcome,
      "ok",
    );
  });
});
