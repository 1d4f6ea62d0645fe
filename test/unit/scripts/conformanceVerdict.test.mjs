import assert from "node:assert/strict";
import { compareWithBaseline, judgeRun, shrinkBaseline } from "../../../scripts/lib/conformanceVerdict.mjs";

const success = (id) => ({ id, status: "SUCCESS" });
const failure = (id) => ({ id, status: "FAILURE", errorMessage: `${id} went wrong` });
const ended = { code: 0, timedOut: false, output: "" };

describe("the verdict on a conformance run", () => {
  it("accepts an exit with 0 and a check that succeeded", () => {
    assert.deepEqual(judgeRun({ ...ended, checks: [success("a"), success("a")] }), {
      ok: true,
      succeeded: ["a"],
      bad: [],
      reasons: [],
    });
  });

  it("does not accept a run that checked nothing", () => {
    const { ok, reasons } = judgeRun({ ...ended, checks: [{ id: "a", status: "SKIPPED" }] });
    assert.equal(ok, false);
    assert.deepEqual(reasons, ["it checked nothing"]);
  });

  it("does not accept warnings, missing results, time-outs or a client that failed", () => {
    assert.equal(judgeRun({ ...ended, checks: [success("a"), { id: "b", status: "WARNING" }] }).ok, false);
    assert.deepEqual(judgeRun({ ...ended, checks: undefined }).reasons, ["it left no results"]);
    assert.deepEqual(judgeRun({ code: 124, timedOut: true, output: "", checks: undefined }).reasons, [
      "it did not end and was killed",
    ]);
    const output = "CLIENT EXITED WITH ERROR (code 3)";
    assert.deepEqual(judgeRun({ code: 1, timedOut: false, output, checks: [success("a")] }).reasons, [
      "client exited with error (code 3)",
    ]);
  });
});

describe("the list of expected failures", () => {
  const result = (scenario, ...checks) => ({
    revision: "2026-07-28",
    scenario,
    ...judgeRun({ ...ended, checks }),
  });

  it("lets a scenario fail that is on it, and nothing else", () => {
    const results = [result("one", failure("a")), result("two", failure("b")), result("three", success("c"))];
    assert.deepEqual(compareWithBaseline(results, { "2026-07-28": ["one"] }), {
      passed: 1,
      expected: 1,
      unexpected: ["2026-07-28 two: b: b went wrong"],
      stale: [],
    });
  });

  it("lets one check of a scenario fail, and no other one", () => {
    const baseline = { "2026-07-28": ["one:a"] };
    const expected = compareWithBaseline([result("one", success("b"), failure("a"))], baseline);
    assert.deepEqual([expected.expected, expected.unexpected], [1, []]);
    const other = compareWithBaseline([result("one", failure("a"), failure("b"))], baseline);
    assert.deepEqual(other.unexpected, ["2026-07-28 one: b: b went wrong"]);
  });

  it("is stale where something passes, or does not exist", () => {
    const results = [result("one", success("a")), result("two", success("b"))];
    const { stale } = compareWithBaseline(results, {
      "2026-07-28": ["one", "two:b", "three"],
      "2020-01-01": ["four"],
    });
    assert.deepEqual(stale, [
      "2026-07-28 one",
      "2026-07-28 two:b",
      "2026-07-28 three (there is no such scenario)",
      "2020-01-01 four (there is no such scenario)",
    ]);
  });

  it("only ever shrinks", () => {
    const baseline = { "2026-07-28": ["one", "two:b", "three"], "2020-01-01": ["four"] };
    const stale = ["2026-07-28 one", "2026-07-28 two:b", "2020-01-01 four (there is no such scenario)"];
    assert.deepEqual(shrinkBaseline(baseline, stale), { "2026-07-28": ["three"] });
  });
});
