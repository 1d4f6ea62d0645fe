#!/usr/bin/env node
// Writes the table of compatibility in README.md from the reports of the last runs: of the conformance tier, and of
// the stdio matrix. A report of a part of the scenarios, or none, is an error that names the command.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { cellsOfRun, updateReadme } from "./lib/compatibilityTable.mjs";
import { runMain } from "./lib/main.mjs";
import { OUT, fromRoot } from "./lib/paths.mjs";

const README = fromRoot("README.md");

async function readReport(file, command) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`There is no ${file}. Run \`${command}\` first.`);
  return JSON.parse(text);
}

await runMain(async () => {
  const run = await readReport(path.join(OUT, "conformance", "summary.json"), "npm run test:conformance");
  if (!run.isWhole)
    throw new Error("The last conformance run was of some scenarios. Run `npm run test:conformance`.");
  const stdio = await readReport(
    path.join(OUT, "stdioMatrix", "report.json"),
    "npm run test:scenario -- --grep 'stdio matrix'",
  );
  const required = JSON.parse(
    await readFile(fromRoot("test", "conformance", "required-checks.json"), "utf8"),
  );
  const before = await readFile(README, "utf8");
  const after = updateReadme(before, { ...cellsOfRun(run.results, required), stdio });
  if (after !== before) await writeFile(README, after);
  console.log(after === before ? "README.md has it already." : "README.md is written.");
  return 0;
});
