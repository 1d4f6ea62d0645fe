import assert from "node:assert/strict";
import { digestJson } from "../../../demo/argumentDigest.ts";

describe("demo: argument digest", () => {
  it("does not depend on the order of keys, at any depth", () => {
    assert.equal(
      digestJson({ a: 1, b: { c: [1, 2], d: "x" } }),
      digestJson({ b: { d: "x", c: [1, 2] }, a: 1 }),
    );
    assert.equal(digestJson({ a: 1, b: undefined }), digestJson({ a: 1 }));
  });

  it("depends on every value, its type and the order of lists", () => {
    const values: unknown[] = [
      { a: 1 },
      { a: "1" },
      { a: null },
      { a: [1, 2] },
      { a: [2, 1] },
      { a: true },
      {},
      [],
      "{}",
      0,
    ];
    assert.equal(new Set(values.map(digestJson)).size, values.length);
  });

  it("keeps keys and values apart", () => {
    assert.notEqual(digestJson({ a: 'b","c":"d' }), digestJson({ a: "b", c: "d" }));
  });
});
