#!/usr/bin/env node
// Runs the official conformance suite's client scenarios, one process for each scenario and revision.
// Options: --only REGEXP (on "REVISION/SCENARIO"), --jobs N, --timeout SECONDS, --shrink (take stale entries out of
// the list of expected failures), --command "COMMAND" (the client; its address is appended), --list.
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { compareWithBaseline, judgeRun, shrinkBaseline } from "./lib/conformanceVerdict.mjs";
import { runMain } from "./lib/main.mjs";
import { OUT, fromRoot } from "./lib/paths.mjs";
import { run, runOrThrow } from "./lib/processes.mjs";
import { ensureNode24, ensurePackages } from "./lib/provision.mjs";

const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"];
/** Extensions are on no revision's list; these are the wires that they exist on. */
const EXTENSION_REVISIONS = new Set(["2025-11-25", "2026-07-28"]);

const FOLDER = fromRoot("test", "conformance");
const BASELINE = path.join(FOLDER, "expected-failures.json");
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

async function runScenario(node, { revision, scenario, extension }) {
  const started = performance.now();
  const folder = path.join(RESULTS, revision, extension ? "extensions" : "core");
  const seconds = Number(flags.timeout);
  const command = flags.command || `"${node}" "${fromRoot("dist", "conformance-client.mjs")}"`;
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
  const checks =
    saved === undefined ? undefined : JSON.parse(await readFile(path.join(saved, "checks.json"), "utf8"));
  const verdict = judgeRun({ code, timedOut, output, checks });
  process.stderr.write(verdict.ok ? "." : "x");
  const ms = Math.round(performance.now() - started);
  return {
    revision,
    scenario,
    extension,
    ...verdict,
    ms,
    ...(verdict.ok ? {} : { output: output.slice(-4000) }),
  };
}

async function runAll(node, plan) {
  const results = new Array(plan.length);
  let next = 0;
  const worker = async () => {
    while (next < plan.length) {
      const at = next++;
      results[at] = await runScenario(node, plan[at]);
    }
  };
  await Promise.all(Array.from({ length: Number(flags.jobs) }, worker));
  process.stderr.write("\n");
  return results;
}

function report({ passed, expected, unexpected, stale }) {
  for (const line of unexpected) console.log(`FAILED  ${line}`);
  for (const line of stale) console.log(`STALE   ${line} is in expected-failures.json, but does not fail`);
  console.log(
    `${passed} passed, ${expected} failed as expected, ${unexpected.length} failed, ${stale.length} stale`,
  );
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
  const results = await runAll(node, plan);
  const whole = existsSync(BASELINE) ? JSON.parse(await readFile(BASELINE, "utf8")) : {};
  const baseline = flags.only === "" ? whole : onlyPlanned(whole, plan);
  const verdict = compareWithBaseline(results, baseline);
  report(verdict);
  await writeFile(path.join(RESULTS, "summary.json"), JSON.stringify({ ...verdict, results }, null, 1));
  if (flags.shrink) {
    await writeFile(BASELINE, `${JSON.stringify(shrinkBaseline(whole, verdict.stale), null, 2)}\n`);
  }
  const failed = verdict.unexpected.length + verdict.stale.length;
  if (process.env.SIGNALBOX_COUNTS) {
    await writeFile(process.env.SIGNALBOX_COUNTS, JSON.stringify({ passed: verdict.passed, failed }));
  }
  return failed === 0 ? 0 : 1;
});

/** The entries about what was run, so that a run of some scenarios does not find the others stale. */
function onlyPlanned(baseline, plan) {
  return Object.fromEntries(
    Object.entries(baseline).map(([revision, entries]) => [
      revision,
      entries.filter((entry) =>
        plan.some(
          (each) =>
            each.revision === revision && (entry === each.scenario || entry.startsWith(`${each.scenario}:`)),
        ),
      ),
    ]),
  );
}
