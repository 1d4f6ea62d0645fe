import assert from "node:assert/strict";
import { endOf, startOf } from "../../../src/host/evidence.ts";

describe("evidence that is too long to be read", () => {
  const long = `first\n${"line\n".repeat(50_000)}last`;

  it("is cut at the side that says less", () => {
    assert.ok(startOf(long).startsWith("first\nline\n") && startOf(long).endsWith("…"));
    assert.ok(endOf(long).startsWith("…") && endOf(long).endsWith("line\nlast"));
    for (const cut of [startOf(long), endOf(long)]) assert.equal(cut.length, 16_385);
  });

  it("is left alone when it is short", () => {
    assert.deepEqual([startOf("x"), endOf("x")], ["x", "x"]);
  });
});
