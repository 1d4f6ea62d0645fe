import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { readCompletion } from "../../../../src/protocol/completion/complete.ts";

// Duty: 8.3.1, 8.3.2
describe("the result of a completion", () => {
  const read = (completion: JsonObject): ReturnType<typeof readCompletion> => readCompletion({ completion });

  it("is its values, the number of all, and whether there are more", () => {
    assert.deepEqual(read({ values: ["a", "b"], total: 7, hasMore: true }), {
      values: ["a", "b"],
      total: 7,
      hasMore: true,
    });
  });

  it("is as good as what came of it", () => {
    assert.deepEqual(read({ values: ["a", 7, null, "b", "a"] }), { values: ["a", "b"], hasMore: false });
    assert.deepEqual(read({ values: ["a"], total: "many", hasMore: "no" }), {
      values: ["a"],
      hasMore: false,
    });
    assert.deepEqual(read({ values: ["a", "b"], total: -1 }), { values: ["a", "b"], hasMore: false });
  });

  it("is nothing in any other form", () => {
    for (const result of [{}, { completion: null }, { completion: [] }, { completion: { values: "a" } }])
      assert.deepEqual(readCompletion(result), { values: [], hasMore: false });
  });

  it("is a hundred values at most", () => {
    const values = Array.from({ length: 150 }, (_, index) => String(index));
    const completion = read({ values });
    assert.equal(completion.values.length, 100);
    assert.equal(completion.hasMore, true);
  });
});
