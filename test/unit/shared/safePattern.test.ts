import assert from "node:assert/strict";
import { maxTestLength, testPattern } from "../../../src/shared/safePattern.ts";

describe("safePattern", () => {
  const hostile = [
    "^(a+)+$",
    "^(a|a)*$",
    "^(a|aa)+$",
    "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(.*)*$",
    "^(a?){50}a{50}$",
  ];
  for (const pattern of hostile) {
    it(`stays quick on ${pattern}`, () => {
      for (const length of [10, 20, 30, 60, 1_000, 50_000]) {
        const started = performance.now();
        testPattern(pattern, `${"a".repeat(length)}!`);
        assert.ok(performance.now() - started < 500, `took too long for ${String(length)} characters`);
      }
    });
  }

  it("tests ordinary patterns on ordinary values", () => {
    assert.equal(testPattern("^[a-z][a-z0-9-]*$", "orders-db"), "match");
    assert.equal(testPattern("^[a-z][a-z0-9-]*$", "Orders"), "mismatch");
    assert.equal(testPattern("^\\d{4}-\\d{2}$", "2026-07"), "match");
    assert.ok(maxTestLength("^[a-z]+$") > 1_000);
  });

  it("leaves invalid and very long patterns to the server", () => {
    assert.equal(testPattern("([", "x"), "unchecked");
    assert.equal(testPattern("a".repeat(5_000), "x"), "unchecked");
  });

  it("reads escapes that are only legal without the u flag", () => {
    assert.equal(testPattern("^\\-a$", "-a"), "match");
  });
});
