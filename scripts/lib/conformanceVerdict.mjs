/**
 * What one run of one scenario shows, stricter than the suite's own verdict: the suite must end with 0, no check may
 * have failed or warned, and every check that shows that the client really did it must have succeeded.
 *
 * @param {{ code: number, timedOut: boolean, output: string, checks: readonly object[] | undefined }} run
 * @param {Readonly<Record<string, number>>} [required] check ids, with the least number of successes of each
 * @returns {{ ok: boolean, succeeded: Record<string, number>, bad: { id: string, status: string, message: string }[], reasons: string[], missing: string[] }}
 *   `reasons` tell how the run itself failed; `missing` names required checks, as `id (seen of wanted)`
 */
export function judgeRun({ code, timedOut, output, checks }, required = {}) {
  const all = checks ?? [];
  const succeeded = countSuccesses(all);
  const bad = all
    .filter(({ status }) => status === "FAILURE" || status === "WARNING")
    .map(({ id, status, errorMessage, description }) => ({
      id,
      status,
      message: errorMessage ?? description ?? "",
    }));
  const reasons = [];
  if (timedOut) reasons.push("it did not end and was killed");
  else if (checks === undefined) reasons.push("it left no results");
  if (!timedOut && code !== 0 && bad.length === 0)
    reasons.push(clientEnd(output) ?? `the suite ended with ${code}`);
  const missing = Object.entries(required)
    .filter(([id, wanted]) => (succeeded[id] ?? 0) < wanted)
    .map(([id, wanted]) => `${id} (${succeeded[id] ?? 0} of ${wanted})`);
  const checkedNothing = Object.keys(required).length === 0 && Object.keys(succeeded).length === 0;
  if (checkedNothing && bad.length === 0 && reasons.length === 0) missing.push("any check at all");
  const ok = bad.length === 0 && reasons.length === 0 && missing.length === 0;
  return { ok, succeeded, bad, reasons, missing };
}

function countSuccesses(checks) {
  const counts = {};
  for (const { id, status } of checks) if (status === "SUCCESS") counts[id] = (counts[id] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function clientEnd(output) {
  if (/CLIENT TIMED OUT/.test(output)) return "the client timed out";
  return /CLIENT EXITED WITH ERROR \(code -?\d+\)/.exec(output)?.[0].toLowerCase();
}

/** What to do about each kind of finding; every finding fails the gate. */
const REMEDIES = {
  failed:
    "Mend the client. Only what is not built may be listed in expected-failures.json, under its `notBuilt`.",
  vacuous:
    "The suite reports success, but did not see the client do it. Look at what src/conformanceClient.ts does in this scenario. Only if the suite names the check differently now, change required-checks.json.",
  stale: "It passes: take it off the list with `npm run test:conformance -- --shrink`.",
  gone: "The suite no longer has this scenario. If the suite was changed on purpose, take the scenario out of required-checks.json and expected-failures.json; else look at the suite's version in test/conformance/package.json.",
  unknown:
    "Add the scenario to required-checks.json with the checks that must succeed, so that it cannot pass without them.",
  column:
    "Change its `column` in required-checks.json, then write the table with `npm run conformance:table`.",
  unexplained:
    "Say in `notBuilt` of expected-failures.json what is not built, or make it pass: nothing else may fail.",
};

/**
 * Holds the results of a run against what is expected of it.
 *
 * @param results what `judgeRun` found, each with `revision`, `scenario`, and `answers`, the media types that came
 * @param {{ notBuilt: Record<string, string>, scenarios: Record<string, string[]> }} baseline the list of expected
 *   failures by revision: a scenario, or one check of it as `scenario:check-id`; `notBuilt` maps the start of a
 *   scenario's name to why it fails
 * @param required by revision and scenario: `column` and `checks`
 * @returns {{ passed: number, expected: number, findings: { kind: string, name: string, what: string, remedy: string }[] }}
 */
export function judgeGate(results, baseline, required) {
  const findings = [];
  const add = (kind, name, what = "") => findings.push({ kind, name, what, remedy: REMEDIES[kind] });
  let passed = 0;
  let expected = 0;
  for (const result of results) {
    const name = `${result.revision} ${result.scenario}`;
    const wanted = required[result.revision]?.[result.scenario];
    const before = findings.length;
    if (wanted === undefined) add("unknown", name, `successful now: ${JSON.stringify(result.succeeded)}`);
    else if (isOtherColumn(result, wanted.column))
      add("column", name, `it answered with ${result.answers.join(", ")}`);
    const found = judgeResult(result, baseline.scenarios[result.revision] ?? []);
    for (const [kind, suffix, what] of found) add(kind, `${name}${suffix}`, what);
    if (findings.length > before) continue;
    if (result.ok) passed += 1;
    else expected += 1;
  }
  for (const [kind, name] of judgeLists(results, baseline, required)) add(kind, name);
  return { passed, expected, findings };
}

/** What is wrong with one result: kind, what is added to its name, and the evidence. */
function judgeResult({ scenario, ok, bad, reasons, missing, succeeded }, entries) {
  if (entries.includes(scenario)) return ok ? [["stale", "", ""]] : [];
  const checks = entries
    .filter((entry) => entry.startsWith(`${scenario}:`))
    .map((entry) => entry.slice(scenario.length + 1));
  const found = checks
    .filter((id) => succeeded[id] !== undefined && !bad.some((check) => check.id === id))
    .map((id) => ["stale", `:${id}`, ""]);
  const failures = bad.filter(({ id }) => !checks.includes(id)).map(({ id, message }) => `${id}: ${message}`);
  const absent = missing.filter((text) => !checks.some((id) => text.startsWith(`${id} `)));
  if (failures.length > 0 || reasons.length > 0)
    found.push(["failed", "", [...failures, ...reasons].join("; ")]);
  else if (absent.length > 0) found.push(["vacuous", "", `without ${absent.join(", ")}`]);
  return found;
}

/** A client that was not watched has no `answers`, and signing in has a column whatever the answers are. */
function isOtherColumn({ answers = [] }, column) {
  if (answers.length === 0 || column === "oauth") return false;
  return answers.includes("text/event-stream") !== (column === "sse");
}

/** What the lists name that was not run, and what is expected to fail for no reason. */
function judgeLists(results, baseline, required) {
  const ran = new Set(results.map(({ revision, scenario }) => `${revision} ${scenario}`));
  const listed = Object.entries(required).flatMap(([revision, scenarios]) =>
    Object.keys(scenarios).map((scenario) => `${revision} ${scenario}`),
  );
  const entries = Object.entries(baseline.scenarios).flatMap(([revision, names]) =>
    names.map((entry) => `${revision} ${entry}`),
  );
  const gone = [...listed, ...entries.map(scenarioOf)].filter((name) => !ran.has(name));
  const prefixes = Object.keys(baseline.notBuilt);
  const explains = (prefix, entry) => entry.slice(entry.indexOf(" ") + 1).startsWith(prefix);
  const unexplained = entries.filter((entry) => !prefixes.some((prefix) => explains(prefix, entry)));
  const idle = prefixes.filter((prefix) => !entries.some((entry) => explains(prefix, entry)));
  return [
    ...[...new Set(gone)].map((name) => ["gone", name]),
    ...idle.map((prefix) => ["stale", `notBuilt ${prefix}`]),
    ...unexplained.map((name) => ["unexplained", name]),
  ];
}

/** Check ids have no slash and scenarios no colon. */
function scenarioOf(entry) {
  const colon = entry.indexOf(":");
  return colon === -1 ? entry : entry.slice(0, colon);
}

/**
 * The list without what passes now or is gone, and without reasons that nothing needs any more.
 * It never grows here: a new entry is written by hand, with a reason to review.
 */
export function shrinkBaseline({ notBuilt, scenarios }, findings) {
  const gone = new Set(findings.filter(({ kind }) => kind === "stale").map(({ name }) => name));
  const left = Object.fromEntries(
    Object.entries(scenarios)
      .map(([revision, entries]) => [revision, entries.filter((entry) => !gone.has(`${revision} ${entry}`))])
      .filter(([, entries]) => entries.length > 0),
  );
  return withNeededReasons({ notBuilt, scenarios: left });
}

function withNeededReasons({ notBuilt, scenarios }) {
  const names = Object.values(scenarios).flat();
  const needed = Object.entries(notBuilt).filter(([prefix]) => names.some((name) => name.startsWith(prefix)));
  return { notBuilt: Object.fromEntries(needed), scenarios };
}

/** The parts of the lists that are about what was run, for a run of some scenarios only. */
export function onlyPlanned(plan, baseline, required) {
  const planned = new Set(plan.map(({ revision, scenario }) => `${revision} ${scenario}`));
  const scenarios = Object.entries(baseline.scenarios).map(([revision, entries]) => [
    revision,
    entries.filter((entry) => planned.has(scenarioOf(`${revision} ${entry}`))),
  ]);
  const wanted = Object.entries(required).map(([revision, each]) => [
    revision,
    Object.fromEntries(Object.entries(each).filter(([scenario]) => planned.has(`${revision} ${scenario}`))),
  ]);
  return {
    baseline: withNeededReasons({ ...baseline, scenarios: Object.fromEntries(scenarios) }),
    required: Object.fromEntries(wanted),
  };
}
