import assert from "node:assert/strict";

import { LineFramer } from "../../../../../src/protocol/transports/stdio/lineFraming.ts";

function frame(
  chunks: readonly (string | Buffer)[],
  maximumBytes = 1_000,
): { lines: string[]; outcome: string } {
  const lines: string[] = [];
  const framer = new LineFramer(maximumBytes, (line) => lines.push(line));
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
    // Without its line end as well: the byte above the bound is no CR.
    assert.deepEqual(frame(["a\n12345", "6"], 5), { lines: ["a"], outcome: "too-long" });
  });

  it("puts a long line together from very many pieces", () => {
    const pieces = Array.from({ length: 5_000 }, (_, index) => String(index % 10));
    assert.deepEqual(frame([...pieces, "\n"], 10_000).lines, [pieces.join("")]);
  });

  it("copies every byte at most twice, however many pieces a line comes in", () => {
    const concat = Buffer.concat.bind(Buffer);
    let copied = 0;
    Buffer.concat = (pieces, length) => {
      const whole = concat(pieces, length);
      copied += whole.length;
      return whole;
    };
    try {
      const piece = Buffer.alloc(100, 0x61);
      let length = 0;
      const framer = new LineFramer(Number.MAX_SAFE_INTEGER, (line) => (length = line.length));
      for (let index = 0; index < 20_000; index += 1) framer.push(piece);
      framer.push(Buffer.from("\n"));
      assert.equal(length, 2_000_000);
      assert.ok(copied <= 2 * length, `${copied} bytes copied`);
    } finally {
      Buffer.concat = concat;
    }
  });
});
