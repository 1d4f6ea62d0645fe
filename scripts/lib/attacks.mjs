import { escape } from "./duties.mjs";

/**
 * What is wrong with the attacks and the tests' tags: a tag that names no attack, an attack that no test shows, a
 * number that is used twice.
 *
 * @param {{no: number, section: string, attack: string, outcome: string}[]} attacks
 * @param {Map<string, {file: string, title: string}[]>} tests by the number of the attack
 * @returns {string[]} one sentence for each
 */
export function findAttackProblems(attacks, tests) {
  const known = new Set();
  const problems = [];
  for (const { no } of attacks) {
    if (known.has(String(no))) problems.push(`The attack ${no} is there twice.`);
    known.add(String(no));
    if (!tests.has(String(no))) problems.push(`The attack ${no} is shown by no test.`);
  }
  for (const [id, [first]] of tests)
    if (!known.has(id)) problems.push(`${first.file} is tagged with the attack ${id}, which does not exist.`);
  return problems;
}

/**
 * The table as Markdown, for a document in `docs/`.
 *
 * @param {{no: number, section: string, attack: string, outcome: string}[]} attacks
 * @param {Map<string, {file: string, title: string}[]>} tests
 */
export function renderAttacks(attacks, tests) {
  const lines = [];
  let section = "";
  for (const { no, section: own, attack, outcome } of attacks) {
    if (own !== section) {
      section = own;
      lines.push(
        "",
        `## ${section}`,
        "",
        "| no. | what is tried | what has to come of it | shown by |",
        "|---|---|---|---|",
      );
    }
    const shown = (tests.get(String(no)) ?? []).map(({ file, title }) => `[${escape(title)}](../${file})`);
    lines.push(`| ${no} | ${escape(attack)} | ${escape(outcome)} | ${shown.join("; ") || "–"} |`);
  }
  return lines.join("\n").trim();
}
