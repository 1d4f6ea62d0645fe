#!/usr/bin/env node
// Compares docs/attacks.md with test/attacks/attacks.json and the tags in the tests.
// Options: --write (writes the table instead), --open (lists the attacks that no test shows).
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { findAttackProblems, renderAttacks } from "./lib/attacks.mjs";
import { replaceBetween } from "./lib/duties.mjs";
import { runMain } from "./lib/main.mjs";
import { fromRoot } from "./lib/paths.mjs";
import { readTaggedTests } from "./lib/tags.mjs";

const TABLE = "docs/attacks.md";
const { values: flags } = parseArgs({ options: { write: { type: "boolean" }, open: { type: "boolean" } } });

await runMain(async () => {
  const attacks = JSON.parse(await readFile(fromRoot("test", "attacks", "attacks.json"), "utf8"));
  const tests = await readTaggedTests("Attack");
  if (flags.open) {
    for (const { no, attack } of attacks) if (!tests.has(String(no))) console.log(`${no}  ${attack}`);
    return 0;
  }
  const before = await readFile(fromRoot(TABLE), "utf8");
  const after = replaceBetween(before, "attacks", renderAttacks(attacks, tests));
  if (flags.write) await writeFile(fromRoot(TABLE), after);
  const problems = findAttackProblems(attacks, tests);
  if (!flags.write && after !== before)
    problems.push(`The table in ${TABLE} is not what the tests say. Run: node scripts/attacks.mjs --write`);
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
});
