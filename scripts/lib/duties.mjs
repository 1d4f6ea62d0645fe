/**
 * What a table of duties is made of: `[{id, section, level, era, duty, where: [path], why?}]`. The level is what the
 * specification makes of it; a fact is what servers do, advice is our own, unclear is what the specification leaves open.
 */
const LEVELS = new Set(["must", "should", "may", "fact", "advice", "unclear"]);

/**
 * What the tests of one file show. A comment such as `// Duty: 8.4.1, 8.4.6` stands above an `it` or a `describe` and
 * belongs to it; above anything else, such as a row of a table, it belongs to the block that it is in.
 *
 * @param {string} text the source of a test file
 * @param {string} [word] with which the comments begin
 * @returns {{id: string, title: string}[]} the titles are those of the blocks from the outermost on, as one sentence
 */
export function collectTags(text, word = "Duty") {
  const found = [];
  const comment = new RegExp(`^\\s*// ${word}: ([\\d., ]+)$`);
  const lines = text.split("\n");
  let open = [];
  for (const [index, line] of lines.entries()) {
    const block = blockAt(lines, index);
    if (block !== undefined) open = [...around(open, block), block];
    const ids = comment.exec(line)?.[1];
    if (ids === undefined) continue;
    const next = lines.findIndex((other, at) => at > index && !other.trim().startsWith("//"));
    const below = next === -1 ? undefined : blockAt(lines, next);
    const path = below === undefined ? open : [...around(open, below), below];
    const title = path.map((one) => one.title).join(" ");
    for (const id of ids.split(",")) found.push({ id: id.trim(), title });
  }
  return found;
}

/** The groups that a block stands in, which is laid out farther to the right than they are. */
function around(blocks, { indent }) {
  return blocks.filter((block) => block.isGroup && block.indent < indent);
}

/** The `it` or `describe` that begins on this line; its title may begin on the next one. Parts that vary are “…”. */
function blockAt(lines, index) {
  const begin = /^(\s*)(it|describe)\(/.exec(lines[index]);
  if (begin === null) return undefined;
  const [, , title] = /\(\s*(["'`])((?:\\.|(?!\1).)*)\1/.exec(lines.slice(index, index + 2).join(" ")) ?? [];
  const text = title?.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, "…").replaceAll(/\\(.)/g, "$1");
  return { indent: begin[1].length, isGroup: begin[2] === "describe", title: text ?? "…" };
}

/**
 * What is wrong with the duties and the tests' tags: a tag that names no duty, a duty that nothing shows and that
 * gives no reason, a reason for one that is shown, a file that is not there, a number that is used twice.
 *
 * @param {object[]} duties
 * @param {Map<string, {file: string, title: string}[]>} tests by the id of the duty
 * @param {(file: string) => boolean} exists
 * @returns {string[]} one sentence for each
 */
export function findDutyProblems(duties, tests, exists) {
  const problems = [];
  const known = new Set();
  for (const { id, level } of duties) {
    if (known.has(id)) problems.push(`The duty ${id} is there twice.`);
    if (!LEVELS.has(level)) problems.push(`The duty ${id} has the level “${level}”, which means nothing.`);
    known.add(id);
  }
  for (const [id, [first]] of tests) {
    if (!known.has(id)) problems.push(`${first.file} is tagged with the duty ${id}, which does not exist.`);
  }
  for (const { id, where, why } of duties) {
    const isShown = tests.has(id);
    if (!isShown && why === undefined)
      problems.push(`The duty ${id} is shown by no test, and no “why” says that none is needed.`);
    if (isShown && why !== undefined)
      problems.push(`The duty ${id} is shown by a test, so its “why” is no longer true.`);
    if (isShown && where.length === 0) problems.push(`The duty ${id} does not say where it is done.`);
    for (const file of where)
      if (!exists(file)) problems.push(`The duty ${id} names ${file}, which does not exist.`);
  }
  return problems;
}

/**
 * The table as Markdown, for a document in `docs/`.
 *
 * @param {object[]} duties
 * @param {Map<string, {file: string, title: string}[]>} tests
 */
export function renderDuties(duties, tests) {
  const lines = [];
  let section = "";
  for (const duty of duties) {
    if (duty.section !== section) {
      section = duty.section;
      lines.push(
        "",
        `### ${section}`,
        "",
        "| no. | era | level | duty | done in | shown by |",
        "|---|---|---|---|---|---|",
      );
    }
    const where = duty.where.map((file) => `[${nameOf(file)}](../${file})`).join(", ");
    const shown = (tests.get(duty.id) ?? []).map(({ file, title }) => `[${escape(title)}](../${file})`);
    lines.push(
      `| ${duty.id} | ${duty.era} | ${duty.level} | ${escape(duty.duty)} | ${where || "–"} | ${shown.join("; ") || `– ${escape(duty.why ?? "")}`} |`,
    );
  }
  return lines.join("\n").trim();
}

const nameOf = (file) =>
  file
    .split("/")
    .at(-1)
    .replace(/\.\w+$/, "");
export const escape = (text) =>
  text.replaceAll("|", "\\|").replaceAll(/[[\]]/g, "\\$&").replaceAll("<", "&lt;");

/** A document with what stands between two marks replaced. Throws when they are missing. */
export function replaceBetween(text, name, content) {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The marks “${begin}” and “${end}” are missing.`);
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}
