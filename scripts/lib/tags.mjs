import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { collectTags } from "./duties.mjs";
import { fromRoot } from "./paths.mjs";

const TEST_FILE = /\.test\.(ts|mjs)$/;

/** The test files below a folder, without those of packages that tests install. */
function findTests(folder) {
  return readdirSync(fromRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : findTests(name);
    return TEST_FILE.test(entry.name) ? [name] : [];
  });
}

/**
 * Which tests carry which tags.
 *
 * @param {string} word with which the comments begin, such as `Duty`
 * @returns {Promise<Map<string, {file: string, title: string}[]>>} by what is tagged
 */
export async function readTaggedTests(word) {
  const tests = new Map();
  for (const file of findTests("test").sort()) {
    for (const { id, title } of collectTags(await readFile(fromRoot(file), "utf8"), word)) {
      if (title === "") throw new Error(`${file}: the tag “${word}: ${id}” stands in no test.`);
      const shown = tests.get(id) ?? [];
      if (!shown.some((other) => other.file === file && other.title === title)) shown.push({ file, title });
      tests.set(id, shown);
    }
  }
  return tests;
}
