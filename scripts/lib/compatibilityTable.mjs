/** The columns of the table in the README, in order. */
const COLUMNS = { stdio: "stdio", json: "HTTP, JSON", sse: "HTTP, event stream", oauth: "OAuth" };
const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18"];
const BEGIN = "<!-- compatibility: written by `npm run conformance:table` -->";
const END = "<!-- end of compatibility -->";
const COMMAND =
  "npm run test:scenario -- --grep 'stdio matrix' && npm run test:conformance && npm run conformance:table";

/**
 * The cells of a conformance run: the checks that each scenario must succeed in, and how many did.
 *
 * @param results of `judgeRun`, each with `revision` and `scenario`
 * @param required by revision and scenario: `column` and `checks`
 * @returns by column and revision, the checks that `passed` of the `total`
 */
export function cellsOfRun(results, required) {
  const columns = { json: {}, sse: {}, oauth: {} };
  for (const { revision, scenario, succeeded, bad } of results) {
    const { column, checks } = required[revision]?.[scenario] ?? {};
    if (column === undefined) continue;
    const cell = (columns[column][revision] ??= { passed: 0, total: 0 });
    const failed = new Set(bad.map(({ id }) => id));
    for (const [id, wanted] of Object.entries(checks)) {
      cell.total += wanted;
      // A check that succeeded here and failed there is one that is missing.
      cell.passed += Math.min(succeeded[id] ?? 0, failed.has(id) ? wanted - 1 : wanted);
    }
  }
  return columns;
}

/** The README with the given columns; those that are not given stay as they are. */
export function updateReadme(readme, columns) {
  const [start, end] = bounds(readme);
  return `${readme.slice(0, start)}${render({ ...readColumns(readme.slice(start, end)), ...columns })}${readme.slice(end)}`;
}

/** Compares the given columns with the README, word for word; the answer says what to do, or is undefined. */
export function compareWithReadme(readme, columns) {
  const updated = updateReadme(readme, columns);
  if (updated === readme) return undefined;
  const [start, end] = bounds(updated);
  return `The table in README.md says something else than this run:\n${updated.slice(start, end).trim()}\nIf the run is right, write it: ${COMMAND}`;
}

function bounds(readme) {
  const start = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (start === -1 || end < start)
    throw new Error(`README.md has no table of compatibility between “${BEGIN}” and “${END}”.`);
  return [start + BEGIN.length, end];
}

function render(columns) {
  const names = Object.keys(COLUMNS);
  const rows = REVISIONS.map((revision) => [
    revision,
    ...names.map((name) => show(columns[name]?.[revision])),
  ]);
  const lines = [["revision", ...Object.values(COLUMNS)], ["---", ...names.map(() => "---")], ...rows];
  return `\n\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n\n`;
}

function show(cell) {
  return cell === undefined ? "–" : `${cell.passed}/${cell.total}`;
}

function readColumns(table) {
  const columns = {};
  for (const line of table.split("\n")) {
    const [revision, ...cells] = line
      .split("|")
      .slice(1, -1)
      .map((text) => text.trim());
    if (!REVISIONS.includes(revision)) continue;
    Object.keys(COLUMNS).forEach((name, at) => {
      const [, passed, total] = /^(\d+)\/(\d+)$/.exec(cells[at] ?? "") ?? [];
      if (total !== undefined)
        (columns[name] ??= {})[revision] = { passed: Number(passed), total: Number(total) };
    });
  }
  return columns;
}
