#!/usr/bin/env node
// Makes the .vsix. Options: --no-build (dist/ as it is), --out FILE.
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { runMain } from "./lib/main.mjs";
import { fromRoot } from "./lib/paths.mjs";
import { run } from "./lib/processes.mjs";
import { ensureDependencies } from "./lib/provision.mjs";
import { packageExtension } from "./lib/vsix.mjs";

const { values: flags } = parseArgs({
  options: { "no-build": { type: "boolean", default: false }, out: { type: "string" } },
});

await runMain(async () => {
  await ensureDependencies();
  if (!flags["no-build"]) {
    const { code } = await run(process.execPath, [fromRoot("scripts", "build.mjs"), "--production"]);
    if (code !== 0) throw new Error("The build failed, so nothing was packaged.");
  }
  const { version } = JSON.parse(await readFile(fromRoot("package.json"), "utf8"));
  const file = path.resolve(flags.out ?? fromRoot(`signalbox-${version}.vsix`));
  for (const note of await packageExtension(file)) console.warn(note.trim());
  const { size } = await stat(file);
  console.log(`${path.relative(process.cwd(), file)}  ${(size / 1024).toFixed(0)} KiB`);
  return 0;
});
