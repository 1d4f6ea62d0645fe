import assert from "node:assert/strict";
import { describeProblem } from "../../../src/shared/problems.ts";
import { createTranslate } from "../../../src/shared/translate.ts";

describe("translate", () => {
  const t = createTranslate({ "Item {number}": "第 {number} 项", __proto__: "x" });

  it("translates and fills in", () => assert.equal(t("Item {number}", { number: 3 }), "第 3 项"));
  it("stays English without a translation", () => assert.equal(t("Run {name}", { name: "x" }), "Run x"));
  it("does not take inherited names for translations", () => assert.equal(t("toString"), "toString"));

  it("makes a sentence of every problem", () => {
    assert.equal(describeProblem({ code: "minimum", args: { limit: 1 } }, t), "This must be at least 1.");
    assert.equal(
      describeProblem({ code: "format", args: { format: "odd" } }, t),
      "This does not have the form “odd”.",
    );
    assert.equal(
      describeProblem({ code: "json", args: { line: 2, column: 3 } }, t),
      "Not valid JSON: line 2, column 3.",
    );
  });
});
