import assert from "node:assert/strict";
import {
  judgeGate,
  judgeRun,
  onlyPlanned,
  shrinkBaseline,
} from "../../../scripts/lib/conformanceVerdict.mjs";

const REVISION = "2026-07-28";
const success = (id) => ({ id, status: "SUCCESS" });
const failure = (id) => ({ id, status: "FAILURE", errorMessage: `${id} went wrong` });
const skipped = (id) => ({ id, status: "SKIPPED" });
const ended = { code: 0, timedOut: false, output: "" };

describe("the verdict on one conformance run", () => {
  it("accepts an exit with 0 when every required check succeeded", () => {
    assert.deepEqual(
      judgeRun({ ...ended, checks: [success("b"), success("a"), success("a")] }, { a: 2, b: 1 }),
      {
        ok: true,
        succeeded: { a: 2, b: 1 },
        bad: [],
        reasons: [],
        missing: [],
      },
    );
  });

  it("does not accept a success without the checks that show it", () => {
    const { ok, missing, reasons } = judgeRun(
      { ...ended, checks: [success("a"), skipped("b")] },
      { a: 2, b: 1 },
    );
    assert.equal(ok, false);
    assert.deepEqual([missing, reasons], [["a (1 of 2)", "b (0 of 1)"], []]);
  });

  it("does not accept a run that checked nothing, whatever is required of it", () => {
    const { ok, missing } = judgeRun({ ...ended, checks: [skipped("a")] });
    assert.deepEqual([ok, missing], [false, ["any check at all"]]);
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

describe("the conformance gate", () => {
  const result = (scenario, checks, { required = { a: 1 }, answers = ["application/json"] } = {}) => ({
    revision: REVISION,
    scenario,
    answers,
    ...judgeRun({ ...ended, checks }, required),
  });
  const requiring = (...scenarios) => ({
    [REVISION]: Object.fromEntries(scenarios.map((name) => [name, { column: "json", checks: { a: 1 } }])),
  });
  const expecting = (...entries) => ({ notBuilt: { new: "Not built." }, scenarios: { [REVISION]: entries } });
  const nothing = { notBuilt: {}, scenarios: {} };
  const kinds = ({ findings }) => findings.map(({ kind, name }) => `${kind} ${name}`);

  it("lets pass what passed before and what is not built", () => {
    const results = [result("old", [success("a")]), result("new", [failure("a")])];
    const verdict = judgeGate(results, expecting("new"), requiring("old", "new"));
    assert.deepEqual(verdict, { passed: 1, expected: 1, findings: [] });
  });

  it("fails when a pass becomes a failure, and says with what", () => {
    const { passed, findings } = judgeGate([result("old", [failure("a")])], nothing, requiring("old"));
    assert.equal(passed, 0);
    assert.deepEqual(
      findings.map(({ kind, name, what }) => [kind, name, what]),
      [["failed", `${REVISION} old`, "a: a went wrong"]],
    );
    assert.match(findings[0].remedy, /Mend the client/);
  });

  it("fails when an expected failure passes, and says how to take it off the list", () => {
    const verdict = judgeGate([result("new", [success("a")])], expecting("new"), requiring("new"));
    assert.deepEqual(kinds(verdict), [`stale ${REVISION} new`]);
    assert.match(verdict.findings[0].remedy, /--shrink/);
  });

  it("fails when a scenario disappears, whether it passed or was expected to fail", () => {
    const verdict = judgeGate(
      [result("old", [success("a")])],
      expecting("new"),
      requiring("old", "lost", "new"),
    );
    assert.deepEqual(kinds(verdict), [`gone ${REVISION} lost`, `gone ${REVISION} new`]);
    assert.match(verdict.findings[0].remedy, /no longer has this scenario/);
    assert.deepEqual(kinds(judgeGate([], expecting("newer:a"), {})), [`gone ${REVISION} newer`]);
  });

  it("fails on a vacuous pass, and names the checks that were not seen", () => {
    const verdict = judgeGate([result("old", [success("b")])], nothing, requiring("old"));
    assert.deepEqual(
      verdict.findings.map(({ kind, what }) => [kind, what]),
      [["vacuous", "without a (0 of 1)"]],
    );
    assert.match(verdict.findings[0].remedy, /did not see the client do it/);
    // For an expected failure it is a failure like any other.
    const expected = judgeGate([result("new", [skipped("a")])], expecting("new"), requiring("new"));
    assert.deepEqual(expected, { passed: 0, expected: 1, findings: [] });
  });

  it("fails on a scenario of which nobody said what must succeed", () => {
    const verdict = judgeGate([result("added", [success("z")], { required: {} })], nothing, {});
    assert.deepEqual(kinds(verdict), [`unknown ${REVISION} added`]);
    assert.match(verdict.findings[0].what, /"z":1/);
  });

  it("fails on an expected failure without a reason, and on a reason that nothing needs", () => {
    const results = [result("old", [failure("a")]), result("new", [failure("a")])];
    const lists = {
      notBuilt: { new: "Not built.", gone: "Built." },
      scenarios: { [REVISION]: ["old", "new"] },
    };
    assert.deepEqual(kinds(judgeGate(results, lists, requiring("old", "new"))), [
      "stale notBuilt gone",
      `unexplained ${REVISION} old`,
    ]);
  });

  it("fails when a scenario is answered in another way than its column says", () => {
    const answers = ["application/json", "text/event-stream"];
    const verdict = judgeGate([result("old", [success("a")], { answers })], nothing, requiring("old"));
    assert.deepEqual(kinds(verdict), [`column ${REVISION} old`]);
    const unwatched = judgeGate([result("old", [success("a")], { answers: [] })], nothing, requiring("old"));
    assert.deepEqual(unwatched.findings, []);
  });

  it("lets one check of a scenario fail, and no other one", () => {
    const baseline = expecting("new:a");
    const run = (...checks) => judgeGate([result("new", checks)], baseline, requiring("new"));
    assert.deepEqual(run(success("b"), failure("a")), { passed: 0, expected: 1, findings: [] });
    assert.deepEqual(run(skipped("a"), success("b")), { passed: 0, expected: 1, findings: [] });
    assert.deepEqual(
      run(failure("a"), failure("b")).findings.map(({ what }) => what),
      ["b: b went wrong"],
    );
    assert.deepEqual(kinds(run(success("a"))), [`stale ${REVISION} new:a`]);
  });

  it("judges a run of some scenarios by what is said about those", () => {
    const plan = [{ revision: REVISION, scenario: "old" }];
    const lists = onlyPlanned(plan, expecting("new", "newer:a"), requiring("old", "new", "newer"));
    const verdict = judgeGate([result("old", [success("a")])], lists.baseline, lists.required);
    assert.deepEqual(verdict, { passed: 1, expected: 0, findings: [] });
  });

  it("only ever shrinks the list", () => {
    const baseline = {
      notBuilt: { one: "One.", two: "Two." },
      scenarios: { [REVISION]: ["one", "two:b", "two:c"], "2025-11-25": ["one"] },
    };
    const stale = [`${REVISION} one`, `${REVISION} two:b`, "2025-11-25 one"];
    assert.deepEqual(
      shrinkBaseline(
        baseline,
        stale.map((name) => ({ kind: "stale", name })),
      ),
      { notBuilt: { two: "Two." }, scenarios: { [REVISION]: ["two:c"] } },
    );
    assert.deepEqual(shrinkBaseline(baseline, [{ kind: "failed", name: `${REVISION} one` }]), baseline);
  });
});
