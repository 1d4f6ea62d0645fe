import assert from "node:assert/strict";

import { StderrTail } from "../../../../../src/protocol/transports/stdio/stderrTail.ts";

function tailOf(
  chunks: readonly (string | Buffer)[],
  maximumBytes: number,
): { text: string; lines: string[] } {
  const lines: string[] = [];
  const tail = new StderrTail(maximumBytes, (line) => lines.push(line));
  for (const chunk of chunks) tail.push(Buffer.from(chunk as string));
  tail.end();
  return { text: tail.text(), lines };
}

describe("StderrTail", () => {
  it("keeps lines of another output on lines of their own, and does not report them", () => {
    const lines: string[] = [];
    const tail = new StderrTail(100, (line) => lines.push(line));
    tail.note("hello");
    tail.push(Buffer.from("half"));
    tail.note("world");
    tail.push(Buffer.from(" a line\n"));
    tail.end();
    assert.equal(tail.text(), "hello\nhalf\nworld\n a line\n");
    assert.deepEqual(lines, ["half a line"]);
  });

  const rows: readonly [name: string, chunks: readonly string[], bytes: number, text: string][] = [
    ["keeps everything below the bound", ["abc", "def"], 10, "abcdef"],
    ["keeps exactly the bound", ["abcde", "fghij"], 10, "abcdefghij"],
    ["keeps the last bytes beyond it", ["abcdefgh", "ijklmn"], 10, "efghijklmn"],
    ["keeps the end of a chunk larger than the bound", ["x", "abcdefghijklmnop"], 10, "ghijklmnop"],
    ["goes round more than once", ["abcdefg", "hijklmn", "opqrstu"], 10, "lmnopqrstu"],
    ["leaves out a character that was cut at the front", ["a🎉bcdefg"], 8, "bcdefg"],
    ["has nothing when nothing came", [], 10, ""],
    ["has nothing when nothing may be kept", ["abc"], 0, ""],
  ];
  for (const [name, chunks, bytes, text] of rows) {
    it(name, () => {
      assert.equal(tailOf(chunks, bytes).text, text);
    });
  }

  it("reports lines, whole characters and the unfinished last line", () => {
    const bytes = Buffer.from("one é\r\n\ntwo\nthree");
    const chunks = [bytes.subarray(0, 5), bytes.subarray(5)];
    assert.deepEqual(tailOf(chunks, 100).lines, ["one é", "two", "three"]);
  });

  it("cuts a line that does not end", () => {
    const { lines } = tailOf(["x".repeat(10_000)], 100);
    assert.deepEqual(
      lines.map((line) => line.length),
      [4_096, 4_096, 1_808],
    );
  });
});
