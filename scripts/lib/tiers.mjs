import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { OUT, ROOT, fromRoot } from "./paths.mjs";
import { run } from "./processes.mjs";
import { ensureChromium, ensureCodeServer, ensureNode24, ensurePackages, ensurePeers } from "./provision.mjs";

const bin = (name) => fromRoot("node_modules", ...name.split("/"));
/** What Prettier formats: code and styles. Prose and translations are laid out by hand. */
const SOURCES = "**/*.{ts,mjs,cjs,css}";
const ESLINT = ["eslint/bin/eslint.js", "-c", "test/lint/eslint.config.mjs"];

/** A browser has handles that come and go as it likes, so the watch over handles in package.json is left out. */
const BROWSER = ["--no-package", "--timeout=120000", "--fail-zero"];

/**
 * The tiers in the order in which their results are shown.
 * A tier is a list of checks (each counts as one), a set of mocha files, or a script that writes its own counts.
 */
export const TIERS = {
  types: {
    checks: [
      ["host, engine, tests", "typescript/bin/tsc", "-p", "."],
      ["pages", "typescript/bin/tsc", "-p", "webview"],
    ],
  },
  lint: {
    checks: [
      ["eslint", ...ESLINT, "--max-warnings=0", "src", "webview", "demo", "test"],
      ["prettier", "prettier/bin/prettier.cjs", "--check", "--log-level=warn", SOURCES],
      ["knip", "knip/bin/knip.js"],
      ["translations", "scripts/check-l10n.mjs"],
      ["duties", "scripts/duties.mjs"],
      ["attacks", "scripts/attacks.mjs"],
    ],
  },
  arch: { files: ["test/unit/architecture.test.ts"] },
  unit: { files: ["test/unit/**/*.test.{ts,mjs}"], ignore: ["test/unit/architecture.test.ts"] },
  fuzz: { files: ["test/fuzz/*.test.ts"], options: ["--timeout=60000"] },
  "fuzz:all": {
    files: ["test/fuzz/*.test.ts"],
    options: ["--timeout=3600000"],
    // Other cases each time; a failure prints the seed that finds it again.
    env: { SIGNALBOX_FUZZ_CASES: "100000", SIGNALBOX_FUZZ_SEED: process.env.SIGNALBOX_FUZZ_SEED ?? "random" },
    limitMs: 7_200_000,
  },
  scenario: { files: ["test/scenario/**/*.test.ts"], limitMs: 300_000 },
  webview: { files: ["test/webview/**/*.test.ts"], needs: ["chromium"], options: BROWSER },
  peers: { files: ["test/peers/*.test.ts"], needs: ["peers"], limitMs: 300_000 },
  // Many servers, and many megabytes to install: for a night, not for each change.
  "peers:all": {
    files: ["test/peers/all/*.test.ts"],
    needs: ["peers", "morePeers"],
    limitMs: 1_200_000,
  },
  conformance: { script: "scripts/conformance.mjs", needs: ["conformance"], limitMs: 600_000 },
  vscode: {
    script: "scripts/vscode-tests.mjs",
    arguments: ["--no-build"],
    needs: ["editor"],
    limitMs: 400_000,
  },
  e2e: { files: ["test/e2e/*.test.ts"], needs: ["editor", "peers"], options: BROWSER, limitMs: 400_000 },
};

const PREPARE = {
  chromium: async () => ({ CHROMIUM: await ensureChromium() }),
  editor: async () => {
    await ensureCodeServer();
    return { CHROMIUM: await ensureChromium() };
  },
  peers: ensurePeers,
  morePeers: () => ensurePackages(fromRoot("test", "peers", "all"), "more peer servers, some minutes"),
  conformance: () => ensurePackages(fromRoot("test", "conformance"), "the official conformance suite"),
};

/**
 * Runs one tier to its end, with its output passed on or, when `quiet`, kept for the answer.
 * What keeps a tier from running counts as a failure.
 */
export async function runTier(name, { quiet = false, mochaArguments = [] } = {}) {
  const started = performance.now();
  const result = await runKind(name, TIERS[name], { quiet, mochaArguments }).catch((error) => ({
    passed: 0,
    failed: 1,
    output: error instanceof Error ? error.message : String(error),
  }));
  return { name, seconds: (performance.now() - started) / 1000, ...result };
}

async function runKind(name, tier, options) {
  const node = await ensureNode24();
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
  for (const need of tier.needs ?? []) Object.assign(env, await PREPARE[need]());
  if (tier.checks) return runChecks(tier.checks, { node, env, ...options });
  // Screenshots of an earlier run would be taken for this one's.
  await rm(path.join(OUT, name), { recursive: true, force: true });
  const counts = path.join(OUT, "counts", `${name}.json`);
  await mkdir(path.dirname(counts), { recursive: true });
  await rm(counts, { force: true });
  const command = tier.files
    ? mochaCommand(tier, options.mochaArguments)
    : [tier.script, ...(tier.arguments ?? []), ...options.mochaArguments];
  const { code, output, timedOut } = await run(node, command, {
    cwd: ROOT,
    env: { ...env, ...tier.env, SIGNALBOX_COUNTS: counts, ...(options.quiet ? { NO_COLOR: "1" } : {}) },
    capture: options.quiet,
    timeoutMs: tier.limitMs ?? 240_000,
  });
  return countsOf(counts, code, timedOut ? `${output}\nThe tier did not end within its limit.` : output);
}

/** The counts that a tier left; a tier that failed without any, or that ran nothing, failed once. */
async function countsOf(file, code, output) {
  const { passed, failed } = existsSync(file)
    ? JSON.parse(await readFile(file, "utf8"))
    : { passed: 0, failed: 0 };
  const broken = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: failed + (broken ? 1 : 0), output };
}

function mochaCommand({ files, ignore = [], options = [] }, mochaArguments) {
  const reporter = path.join(ROOT, "scripts", "lib", "reporter.cjs");
  return [
    "--disable-warning=ExperimentalWarning",
    bin("mocha/bin/mocha.js"),
    "--reporter",
    reporter,
    ...options,
    ...ignore.flatMap((pattern) => ["--ignore", pattern]),
    ...mochaArguments,
    ...files,
  ];
}

async function runChecks(checks, { node, env, quiet }) {
  let passed = 0;
  const outputs = [];
  for (const [title, script, ...args] of checks) {
    const file = script.startsWith("scripts/") ? fromRoot(script) : bin(script);
    const { code, output } = await run(node, [file, ...args], {
      cwd: ROOT,
      env,
      capture: quiet,
      timeoutMs: 300_000,
    });
    if (code === 0) passed += 1;
    else outputs.push(`${title} failed\n${output}`);
    if (!quiet) console.log(`${code === 0 ? "passed" : "FAILED"}  ${title}`);
  }
  return { passed, failed: checks.length - passed, output: outputs.join("\n") };
}
