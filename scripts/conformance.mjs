#!/usr/bin/env node
// Runs the official conformance suite's client scenarios, one process for each scenario and revision.
// Options: --only REGEXP (on "REVISION/SCENARIO"), --jobs N, --timeout SECONDS, --shrink (take stale entries out of
// the list of expected failures), --command "COMMAND" (the client; its address is appended), --list.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { cellsOfRun, compareWithReadme } from "./lib/compatibilityTable.mjs";
import { judgeGate, judgeRun, onlyPlanned, shrinkBaseline } from "./lib/conformanceVerdict.mjs";
import { runMain } from "./lib/main.mjs";
import { OUT, fromRoot } from "./lib/paths.mjs";
import { run, runOrThrow } from "./lib/processes.mjs";
import { ensureNode24, ensurePackages } from "./lib/provision.mjs";

const REVISIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
/** Extensions are on no revision's list; these are the wires that they exist on. */
const EXTENSION_REVISIONS = new Set(["2025-11-25", "2026-07-28"]);

const FOLDER = fromRoot("test", "conformance");
const BASELINE = path.join(FOLDER, "expected-failures.json");
const REQUIRED = path.join(FOLDER, "required-checks.json");
/** Loaded into the client, so that the run can tell how the scenario's server answered. */
const WATCHER = pathToFileURL(path.join(FOLDER, "watchAnswers.mjs")).href;
const RESULTS = path.join(OUT, "conformance");
const SUITE = path.join(FOLDER, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

const { values: flags } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    jobs: { type: "string", default: "2" },
    timeout: { type: "string", default: "30" },
    command: { type: "string", default: "" },
    shrink: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

/** Every scenario of every revision, and every extension on the revisions that carry it. */
async function planRuns(node) {
  const list = async (...more) => {
    const output = await runOrThrow(node, ["--no-deprecation", SUITE, "list", "--client", ...more]);
    return [...output.matchAll(/^\s+- (\S+) \[(.*)\]/gm)].map(([, scenario, tags]) => ({ scenario, tags }));
  };
  const extensions = (await list()).filter(({ tags }) => tags.includes("extension"));
  const plan = [];
  for (const revision of REVISIONS) {
    const own = await list("--spec-version", revision);
    plan.push(...own.map(({ scenario }) => ({ revision, scenario, extension: false })));
    if (!EXTENSION_REVISIONS.has(revision)) continue;
    plan.push(...extensions.map(({ scenario }) => ({ revision, scenario, extension: true })));
  }
  const pattern = new RegExp(flags.only);
  return plan.filter(({ revision, scenario }) => pattern.test(`${revision}/${scenario}`));
}

async function runScenario(node, { revision, scenario, extension }, required) {
  const started = performance.now();
  const folder = path.join(RESULTS, revision, extension ? "extensions" : "core");
  const seconds = Number(flags.timeout);
  const command =
    flags.command || `"${node}" --import "${WATCHER}" "${fromRoot("dist", "conformance-client.mjs")}"`;
  const { code, timedOut, output } = await run(
    node,
    [
      ...["--no-deprecation", SUITE, "client", "--command", command, "--scenario", scenario],
      ...["--spec-version", revision, "--output-dir", folder, "--timeout", String(seconds * 1000)],
      // An extension that is not forced is skipped, and a skipped one looks like a success.
      ...(extension ? ["--force"] : []),
    ],
    // The suite's own limit ends its shell and then waits for the client; this one ends the whole group.
    { capture: true, timeoutMs: (seconds + 10) * 1000 },
  );
  const saved = /Results saved to (.*)/.exec(output)?.[1].trim();
  const checks = saved === undefined ? undefined : await readJson(path.join(saved, "checks.json"));
  const verdict = judgeRun({ code, timedOut, output, checks }, required[revision]?.[scenario]?.checks);
  process.stderr.write(verdict.ok ? "." : "x");
  const ms = Math.round(performance.now() - started);
  return {
    revision,
    scenario,
    extension,
    ...verdict,
    answers: saved === undefined ? [] : await readAnswers(saved),
    ms,
    ...(verdict.ok ? {} : { output: output.slice(-4000) }),
  };
}

/** The media types that `watchAnswers.mjs` saw; none when another client was run. */
async function readAnswers(folder) {
  const text = await readFile(path.join(folder, "stderr.txt"), "utf8").catch(() => "");
  const types = /^answered with: (.+)$/m.exec(text)?.[1];
  return types === undefined ? [] : types.split(", ");
}

async function readJson(file) {
  return JSON.parse(await readFile(file, "utf8"));
}

async function runAll(node, plan, required) {
  const results = new Array(plan.length);
  let next = 0;
  const worker = async () => {
    while (next < plan.length) {
      const at = next++;
      results[at] = await runScenario(node, plan[at], required);
    }
  };
  await Promise.all(Array.from({ length: Number(flags.jobs) }, worker));
  process.stderr.write("\n");
  return results;
}

function report({ passed, expected, findings }, { notBuilt, scenarios }) {
  for (const { kind, name, what, remedy } of findings) {
    console.log(
      `${kind.toUpperCase().padEnd(12)}${name}${what === "" ? "" : `: ${what}`}\n            ${remedy}`,
    );
  }
  const entries = Object.values(scenarios).flat();
  for (const [prefix, why] of Object.entries(notBuilt)) {
    const count = entries.filter((entry) => entry.startsWith(prefix)).length;
    console.log(`not built   ${why} (${count} scenarios ${prefix}*)`);
  }
  console.log(`${passed} passed, ${expected} failed as expected, ${findings.length} findings`);
}

await runMain(async () => {
  const node = await ensureNode24();
  await ensurePackages(FOLDER, "the official conformance suite");
  const plan = await planRuns(node);
  if (flags.list) {
    for (const { revision, scenario } of plan) console.log(`${revision}/${scenario}`);
    return 0;
  }
  await rm(RESULTS, { recursive: true, force: true });
  await mkdir(RESULTS, { recursive: true });
  const lists = { baseline: await readJson(BASELINE), required: await readJson(REQUIRED) };
  const { baseline, required } =
    flags.only === "" ? lists : onlyPlanned(plan, lists.baseline, lists.required);
  const results = await runAll(node, plan, required);
  const verdict = judgeGate(results, baseline, required);
  report(verdict, baseline);
  const isWhole = flags.only === "" && flags.command === "";
  await writeFile(
    path.join(RESULTS, "summary.json"),
    JSON.stringify({ isWhole, ...verdict, results }, null, 1),
  );
  if (flags.shrink) {
    await writeFile(
      BASELINE,
      `${JSON.stringify(shrinkBaseline(lists.baseline, verdict.findings), null, 2)}\n`,
    );
  }
  // The README speaks of the whole run, so that a part of it is not compared.
  const readme = await readFile(fromRoot("README.md"), "utf8");
  const difference = isWhole ? compareWithReadme(readme, cellsOfRun(results, required)) : undefined;
  if (difference !== undefined) console.log(difference);
  const failed = verdict.findings.length + (difference === undefined ? 0 : 1);
  if (process.env.SIGNALBOX_COUNTS) {
    await writeFile(process.env.SIGNALBOX_COUNTS, JSON.stringify({ passed: verdict.passed, failed }));
  }
  return failed === 0 ? 0 : 1;
});
