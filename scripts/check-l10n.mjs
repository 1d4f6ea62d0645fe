#!/usr/bin/env node
// Checks that every text of the user interface has a translation with the same placeholders, and no more than that.
// Options: --update (adds missing keys with an empty translation and removes stale ones), --verbose (lists the calls
// whose text is made at run time), --json (prints the English texts).
import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { collectTexts, placeholdersOf } from "./lib/l10nTexts.mjs";
import { runMain } from "./lib/main.mjs";
import { fromRoot } from "./lib/paths.mjs";

const SOURCES = ["src", "webview"];
const LANGUAGES = ["zh-cn"];

const { values: flags } = parseArgs({
  options: { update: { type: "boolean" }, verbose: { type: "boolean" }, json: { type: "boolean" } },
});

async function readTexts() {
  const texts = new Set();
  const unknown = [];
  for (const top of SOURCES) {
    for (const name of readdirSync(fromRoot(top), { recursive: true }).sort()) {
      if (!name.endsWith(".ts")) continue;
      const file = path.join(top, name);
      const found = collectTexts(file, await readFile(fromRoot(file), "utf8"));
      for (const text of found.texts) texts.add(text);
      unknown.push(...found.unknown);
    }
  }
  return { texts: [...texts], unknown };
}

const readJson = async (file) => (existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : {});

/** What is wrong with one translation of some texts. `english` maps each key to its English text. */
function compare(name, english, translated) {
  const problems = [];
  for (const [key, text] of Object.entries(english)) {
    const translation = translated[key];
    if (translation === undefined) problems.push(`${name} lacks ${JSON.stringify(key)}`);
    else if (translation === "") problems.push(`${name} has no translation of ${JSON.stringify(key)}`);
    else if (placeholdersOf(text).join() !== placeholdersOf(translation).join()) {
      problems.push(`${name} has other placeholders in ${JSON.stringify(key)}`);
    }
  }
  for (const key of Object.keys(translated)) {
    if (!(key in english)) problems.push(`${name} has ${JSON.stringify(key)}, which nothing uses`);
  }
  return problems;
}

async function update(file, english, translated) {
  const next = Object.fromEntries(Object.keys(english).map((key) => [key, translated[key] ?? ""]));
  await writeFile(file, `${JSON.stringify(next, null, 2)}\n`);
}

await runMain(async () => {
  const { texts, unknown } = await readTexts();
  if (flags.verbose) for (const call of unknown) console.log(`made at run time  ${call}`);
  if (flags.json) console.log(JSON.stringify(texts, null, 1));
  const english = Object.fromEntries(texts.map((text) => [text, text]));
  const manifest = await readJson(fromRoot("package.nls.json"));
  const used = new Set(
    [...(await readFile(fromRoot("package.json"), "utf8")).matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key),
  );
  const problems = [
    ...[...used].filter((key) => !(key in manifest)).map((key) => `package.nls.json lacks "${key}"`),
    ...Object.keys(manifest)
      .filter((key) => !used.has(key))
      .map((key) => `package.nls.json has "${key}", which nothing uses`),
  ];
  for (const language of LANGUAGES) {
    for (const [file, source] of [
      [`l10n/bundle.l10n.${language}.json`, english],
      [`package.nls.${language}.json`, manifest],
    ]) {
      const translated = await readJson(fromRoot(file));
      if (flags.update) await update(fromRoot(file), source, translated);
      problems.push(...compare(file, source, flags.update ? await readJson(fromRoot(file)) : translated));
    }
  }
  for (const problem of problems) console.log(problem);
  if (problems.length === 0)
    console.log(`${texts.length + Object.keys(manifest).length} texts, all translated.`);
  return problems.length === 0 ? 0 : 1;
});
