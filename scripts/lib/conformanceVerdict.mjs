/**
 * What one run of one scenario shows, stricter than the suite's own verdict: the suite must end with 0,
 * at least one check must have succeeded, and none may have failed or warned.
 *
 * @param {{ code: number, timedOut: boolean, output: string, checks: readonly object[] | undefined }} run
 * @returns {{ ok: boolean, succeeded: string[], bad: { id: string, status: string, message: string }[], reasons: string[] }}
 */
export function judgeRun({ code, timedOut, output, checks }) {
  const all = checks ?? [];
  const succeeded = [...new Set(all.filter(({ status }) => status === "SUCCESS").map(({ id }) => id))].sort();
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
  else if (bad.length === 0 && succeeded.length === 0) reasons.push("it checked nothing");
  if (!timedOut && code !== 0 && bad.length === 0)
    reasons.push(clientEnd(output) ?? `the suite ended with ${code}`);
  return { ok: bad.length === 0 && reasons.length === 0, succeeded, bad, reasons };
}

function clientEnd(output) {
  if (/CLIENT TIMED OUT/.test(output)) return "the client timed out";
  return /CLIENT EXITED WITH ERROR \(code -?\d+\)/.exec(output)?.[0].toLowerCase();
}

/**
 * Holds results against the list of expected failures: `{ "2026-07-28": ["auth/x", "auth/y:check-id"] }`.
 * An entry names a scenario, or one check of a scenario. An entry that no longer fails is stale.
 */
export function compareWithBaseline(results, baseline) {
  const unexpected = [];
  const stale = [];
  let passed = 0;
  let expected = 0;
  for (const { revision, scenario, ok, bad, reasons, succeeded } of results) {
    const name = `${revision} ${scenario}`;
    const entries = baseline[revision] ?? [];
    const checks = entries
      .filter((entry) => entry.startsWith(`${scenario}:`))
      .map((entry) => entry.slice(scenario.length + 1));
    if (entries.includes(scenario)) {
      if (ok) stale.push(name);
      else expected += 1;
      continue;
    }
    const rest = bad.filter(({ id }) => !checks.includes(id)).map(({ id, message }) => `${id}: ${message}`);
    const gone = checks.filter((id) => succeeded.includes(id) && !bad.some((check) => check.id === id));
    stale.push(...gone.map((id) => `${name}:${id}`));
    if (rest.length > 0 || reasons.length > 0)
      unexpected.push(`${name}: ${[...rest, ...reasons].join("; ")}`);
    else if (ok) passed += 1;
    else expected += 1;
  }
  for (const [revision, entries] of Object.entries(baseline)) {
    const known = new Set(
      results.filter((result) => result.revision === revision).map(({ scenario }) => scenario),
    );
    const unknown = entries.filter(
      (entry) => !known.has(entry) && !known.has(entry.slice(0, entry.lastIndexOf(":"))),
    );
    stale.push(...unknown.map((entry) => `${revision} ${entry} (there is no such scenario)`));
  }
  return { passed, expected, unexpected, stale };
}

/** The list without what passes now. It never grows here: a new entry is written by hand, with a reason to review. */
export function shrinkBaseline(baseline, stale) {
  const gone = new Set(stale.map((entry) => entry.replace(" (there is no such scenario)", "")));
  return Object.fromEntries(
    Object.entries(baseline)
      .map(([revision, entries]) => [revision, entries.filter((entry) => !gone.has(`${revision} ${entry}`))])
      .filter(([, entries]) => entries.length > 0),
  );
}
