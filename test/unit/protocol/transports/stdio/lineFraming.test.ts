import assert from "node:assert/strict";

import { LineFramer } from "../../../../../src/protocol/transports/stdio/lineFraming.ts";

function frame(
  chunks: readonly (string | Buffer)[],
  maximumBytes = 1_000,
): { lines: string[]; outcome: string } {
  const lines: string[] = [];
  const framer = new LineFramer(maximumBytes, (line) => lines.push(line.toString("utf8")));
  for (const chunk of chunks) {
    if (framer.push(Buffer.from(chunk as string)) === "too-long") return { lines, outcome: "too-long" };
  }
  framer.end();
  return { lines, outcome: "ok" };
}

describe("LineFramer", () => {
  const rows: readonly [name: string, chunks: readonly (string | Buffer)[], lines: readonly string[]][] = [
    ["one line in one chunk", ["a\n"], ["a"]],
    ["several lines in one chunk", ["a\nb\nc\n"], ["a", "b", "c"]],
    ["a line over several chunks", ["ab", "cd", "e\n"], ["abcde"]],
    ["a line end alone in its chunk", ["abc", "\n", "d\n"], ["abc", "d"]],
    ["CRLF", ["a\r\nb\r\n"], ["a", "b"]],
    ["CRLF cut between its two bytes", ["a\r", "\nb\r", "\n"], ["a", "b"]],
    ["a CR inside a line is kept", ["a\rb\n"], ["a\rb"]],
    ["empty lines", ["\n\r\na\n"], ["", "", "a"]],
    ["an empty chunk", ["a", "", "b\n"], ["ab"]],
    ["a last line without its end", ["a\nb"], ["a", "b"]],
    ["nothing", [], []],
  ];
  for (const [name, chunks, lines] of rows) {
    it(name, () => {
      assert.deepEqual(frame(chunks), { lines, outcome: "ok" });
    });
  }

  it("keeps characters whole that are cut anywhere", () => {
    const text = "é — 读 🎉";
    const bytes = [...Buffer.from(`${text}\n`)].map((byte) => Buffer.of(byte));
    assert.deepEqual(frame(bytes).lines, [text]);
  });

  it("accepts a line of exactly the bound, with LF or CRLF, in any chunking", () => {
    for (const end of ["\n", "\r\n"]) {
      assert.deepEqual(frame([`12345${end}`], 5), { lines: ["12345"], outcome: "ok" });
      assert.deepEqual(frame(Array.from(`12345${end}`), 5), { lines: ["12345"], outcome: "ok" });
    }
  });

  it("refuses a longer line, and hands on what came before it", () => {
    assert.deepEqual(frame(["a\n123456\n"], 5), { lines: ["a"], outcome: "too-long" });
    assert.deepEqual(frame(["a\n", "123", "4567"], 5), { lines: ["a"], outcome: "too-long" });
    assert.deepEqual(frame(Array.from("123456\n"), 5), { lines: [], outcome: "too-long" });
  });

  it("puts a long line together from very many pieces", () => {
    const pieces = Array.from({ length: 5_000 }, (_, index) => String(index % 10));
    assert.deepEqual(frame([...pieces, "\n"], 10_000).lines, [pieces.join("")]);
  });

  it("takes time in proportion to the size", function () {
    const time = (bytes: number): number => {
      const chunk = Buffer.alloc(8_192, 0x61);
      const started = process.cpuUsage();
      const framer = new LineFramer(Number.MAX_SAFE_INTEGER, () => undefined);
      for (let sent = 0; sent < bytes; sent += chunk.length) framer.push(chunk);
      framer.push(Buffer.from("\n"));
      return process.cpuUsage(started).user;
    };
    time(8 << 20);
    // Framing that copies or searches again on every chunk takes 64 times as long for 8 times the size.
    assert.ok(time(64 << 20) < 30 * Math.max(time(8 << 20), 2_000));
  });
});
