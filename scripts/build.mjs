#!/usr/bin/env node
// Builds every bundle into dist/. Options: --production, --watch, --lenient (skip entries that do not exist),
// --only=PREFIX (bundles whose output starts with it, such as --only=dist/demo), --report (sizes).
import path from "node:path";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { BUNDLES, entryExists, esbuildOptions, writeWhenChanged } from "./lib/entries.mjs";
import { runMain } from "./lib/main.mjs";
import { ROOT } from "./lib/paths.mjs";

const { values: flags } = parseArgs({
  options: {
    production: { type: "boolean", default: false },
    watch: { type: "boolean", default: false },
    lenient: { type: "boolean", default: false },
    report: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});

const writer = {
  name: "write-when-changed",
  setup(build) {
    build.onEnd(async (result) => {
      for (const file of result.outputFiles ?? []) await writeWhenChanged(file.path, file.contents);
      if (flags.watch) console.log(summary(result));
    });
  },
};

function summary(result) {
  if (result.errors.length > 0)
    return esbuild.formatMessagesSync(result.errors, { kind: "error", color: true }).join("");
  return (result.outputFiles ?? [])
    .map((file) => `${path.relative(ROOT, file.path)}  ${(file.contents.length / 1024).toFixed(0)} KiB`)
    .join("\n");
}

async function buildOne(bundle) {
  const options = esbuildOptions(bundle, flags);
  options.plugins = [...(options.plugins ?? []), writer];
  if (flags.watch) {
    await (await esbuild.context(options)).watch();
    return true;
  }
  try {
    const result = await esbuild.build(options);
    for (const warning of result.warnings) {
      console.warn(esbuild.formatMessagesSync([warning], { kind: "warning" }).join("").trimEnd());
    }
    if (flags.report) console.log(summary(result));
    return true;
  } catch (error) {
    const messages =
      error.errors === undefined
        ? [String(error)]
        : esbuild.formatMessagesSync(error.errors, { kind: "error" });
    console.error(`${bundle.out} was not built:\n${messages.join("").trimEnd()}`);
    return false;
  }
}

await runMain(async () => {
  const wanted = BUNDLES.filter((bundle) => bundle.out.startsWith(flags.only));
  const missing = wanted.filter((bundle) => !entryExists(bundle));
  for (const bundle of missing)
    console.warn(`${bundle.entry} does not exist${flags.lenient ? "; skipped" : ""}`);
  const started = performance.now();
  const built = await Promise.all(wanted.filter(entryExists).map(buildOne));
  if (flags.watch) await new Promise(() => undefined);
  const failed = built.includes(false) || (missing.length > 0 && !flags.lenient);
  if (!failed)
    console.log(`Built ${built.length} bundles in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  return failed ? 1 : 0;
});
