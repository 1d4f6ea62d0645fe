import assert from "node:assert/strict";
import { errorText, fillTemplate, joinSentences } from "../../../src/base/errors.ts";

describe("joinSentences", () => {
  it("puts a full stop where a quoted text has none", () => {
    assert.equal(
      joinSentences("It failed: I am not well", "Try again."),
      "It failed: I am not well. Try again.",
    );
  });
  for (const message of ["It failed.", "Why?", "Wait…", "He said “no.”", "失败了。"]) {
    it(`adds none after ${message}`, () => {
      assert.equal(joinSentences(message, "Try again."), `${message} Try again.`);
    });
  }
  it("leaves no gap where the end of a message is missing", () => {
    assert.equal(
      joinSentences("It failed: invalid_grant ", "Try again."),
      "It failed: invalid_grant. Try again.",
    );
  });
  it("leaves a message without a remedy alone", () => {
    assert.equal(joinSentences("It failed", undefined), "It failed");
  });
});

describe("fillTemplate", () => {
  it("fills what it knows and leaves the rest as it is", () => {
    assert.equal(fillTemplate("{a} and {b} and ${c}", { a: 1, c: "x" }), "1 and {b} and $x");
  });
});

describe("errorText", () => {
  it("says something for whatever was thrown", () => {
    assert.equal(errorText(new Error("boom")), "boom");
    assert.equal(errorText(new TypeError()), "TypeError");
    assert.equal(errorText("text"), "text");
    assert.equal(errorText(new AggregateError([new Error("a"), new Error("b")])), "a; b");
  });
});
