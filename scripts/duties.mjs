#!/usr/bin/env node
// Compares the table of duties in docs/protocol.md with test/duties/duties.json and the tags in the tests.
// Options: --write (writes the table instead), --open (lists the duties that no test shows).
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { findDutyProblems, renderDuties, replaceBetween } from "./lib/duties.mjs";
import { runMain } from "./lib/main.mjs";
import { fromRoot } from "./lib/paths.mjs";
import { readTaggedTests } from "./lib/tags.mjs";

const TABLE = "docs/protocol.md";
const { values: flags } = parseArgs({ options: { write: { type: "boolean" }, open: { type: "boolean" } } });

await runMain(async () => {
  const duties = JSON.parse(await readFile(fromRoot("test", "duties", "duties.json"), "utf8"));
  const tests = await readTaggedTests("Duty");
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
