#!/usr/bin/env node
// Compares the table of duties in docs/protocol.md with test/duties/duties.json and the tags in the tests.
// Options: --write (writes the table instead), --open (lists the duties that no test shows).
import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { collectDuties, findDutyProblems, renderDuties, replaceBetween } from "./lib/duties.mjs";
import { runMain } from "./lib/main.mjs";
import { fromRoot } from "./lib/paths.mjs";

const TEST_FILE = /\.test\.(ts|mjs)$/;
const TABLE = "docs/protocol.md";
const { values: flags } = parseArgs({ options: { write: { type: "boolean" }, open: { type: "boolean" } } });

/** The test files below a folder, without those of packages that tests install. */
function findTests(folder) {
  return readdirSync(fromRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : findTests(name);
    return TEST_FILE.test(entry.name) ? [name] : [];
  });
}

async function readTests() {
  const tests = new Map();
  for (const file of findTests("test").sort()) {
    for (const { id, title } of collectDuties(await readFile(fromRoot(file), "utf8"))) {
      const shown = tests.get(id) ?? [];
      if (!shown.some((other) => other.file === file && other.title === title)) shown.push({ file, title });
      tests.set(id, shown);
    }
  }
  return tests;
}

await runMain(async () => {
  const duties = JSON.parse(await readFile(fromRoot("test", "duties", "duties.json"), "utf8"));
  const tests = await readTests();
  if (flags.open) {
    for (const { id, duty, why } of duties)
      if (!tests.has(id) && why === undefined) console.log(`${id}  ${duty}`);
    return 0;
  }
  const before = await readFile(fromRoot(TABLE), "utf8");
  const after = replaceBetween(before, "duties", renderDuties(duties, tests));
  if (flags.write) await writeFile(fromRoot(TABLE), after);
  const problems = findDutyProblems(duties, tests, (file) => existsSync(fromRoot(file)));
  if (!flags.write && after !== before)
    problems.push(`The table in ${TABLE} is not what the tests say. Run: node scripts/duties.mjs --write`);
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
});
