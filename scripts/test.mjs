#!/usr/bin/env node
// Runs the test tiers. Without arguments: every tier, two at a time. With names: those, one after the other.
// What follows `--` goes to mocha or to the tier's script, as in `npm run test:unit -- --grep framing`.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { runMain } from "./lib/main.mjs";
import { OUT, fromRoot } from "./lib/paths.mjs";
import { run } from "./lib/processes.mjs";
import { ensureDependencies, ensureNode24, ensurePeers } from "./lib/provision.mjs";
import { TIERS, runTier } from "./lib/tiers.mjs";

/** Two lanes for two cores: what computes beside what mostly waits. */
const LANES = [
  ["types", "lint", "arch", "unit", "fuzz", "scenario", "webview"],
  ["peers", "conformance", "vscode", "e2e"],
];
/** Tiers that run what `npm run build` makes. */
const NEED_BUILD = new Set(["webview", "peers", "conformance", "vscode", "e2e", "scenario"]);

const line = ({ name, passed, failed, seconds }) =>
  `${failed === 0 ? "ok    " : "FAILED"}  ${name.padEnd(12)} ${String(passed).padStart(4)} passed, ${failed} failed  (${seconds.toFixed(1)} s)`;

async function build() {
  const { code } = await run(process.execPath, [fromRoot("scripts", "build.mjs"), "--production"]);
  if (code !== 0) throw new Error("The build failed, so the tests were not run.");
}

async function runEverything() {
  // Not beside the lanes: the compiler and the linter look into that folder, and half an install has half the types.
  // What keeps it from being installed is told by the tiers that need it.
  await ensurePeers().catch(() => undefined);
  await build();
  await mkdir(path.join(OUT, "logs"), { recursive: true });
  const results = [];
  await Promise.all(
    LANES.map(async (lane) => {
      for (const name of lane) {
        console.log(`        ${name} …`);
        const result = await runTier(name, { quiet: true });
        results.push(result);
        await writeFile(path.join(OUT, "logs", `${name}.log`), result.output);
        if (result.failed > 0) console.log(result.output.trimEnd());
        console.log(line(result));
      }
    }),
  );
  const order = Object.keys(TIERS);
  return results.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

async function runNamed(names, mochaArguments) {
  const unknown = names.filter((name) => !(name in TIERS));
  if (unknown.length > 0)
    throw new Error(`No such tier: ${unknown.join(", ")}. There are: ${Object.keys(TIERS).join(", ")}`);
  if (names.some((name) => NEED_BUILD.has(name)) && !process.env.SIGNALBOX_NO_BUILD) await build();
  const results = [];
  for (const name of names) results.push(await runTier(name, { mochaArguments }));
  return results;
}

await runMain(async () => {
  await ensureDependencies();
  await ensureNode24();
  const [own, passedOn] = splitArguments(process.argv.slice(2));
  const results = own.length === 0 ? await runEverything() : await runNamed(own, passedOn);
  console.log();
  for (const result of results) console.log(line(result));
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") === 0 ? 0 : 1;
});

/** Tier names come first; the first argument that looks like an option starts what is passed on. */
function splitArguments(all) {
  const at = all.findIndex((argument) => argument.startsWith("-"));
  return at === -1 ? [all, []] : [all.slice(0, at), all.slice(at).filter((argument) => argument !== "--")];
}
