#!/usr/bin/env node
// Runs test/vscode/suite in a desktop VS Code that @vscode/test-electron downloads. Needs a desktop and a network.
// Options: --grep TEXT, --version VERSION (of VS Code; "stable" when none is given), --no-build.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { runMain } from "./lib/main.mjs";
import { OUT, ROOT, TOOLS, fromRoot } from "./lib/paths.mjs";
import { onEnd, run } from "./lib/processes.mjs";
import { ensureDependencies } from "./lib/provision.mjs";

const { values: flags } = parseArgs({
  options: {
    grep: { type: "string", default: "" },
    version: { type: "string", default: "stable" },
    "no-build": { type: "boolean", default: false },
  },
});

await runMain(async () => {
  await ensureDependencies();
  if (!flags["no-build"]) {
    const { code } = await run(process.execPath, [fromRoot("scripts", "build.mjs")]);
    if (code !== 0) throw new Error("The build failed, so the tests were not run.");
  }
  const [{ runTests }, { bundleSuite, prepareFixtures, makeTestWorkspace }] = await Promise.all([
    import("@vscode/test-electron"),
    import("./lib/inEditor.mjs"),
  ]);
  await mkdir(path.join(OUT, "test"), { recursive: true });
  const folder = await mkdtemp(path.join(OUT, "test", "electron-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const workspace = await makeTestWorkspace(path.join(folder, "workspace"));
  return runTests({
    version: flags.version,
    cachePath: path.join(TOOLS, "electron"),
    extensionDevelopmentPath: [ROOT, ...(await prepareFixtures())],
    extensionTestsPath: await bundleSuite(folder),
    extensionTestsEnv: {
      SIGNALBOX_COUNTS: path.join(folder, "counts.json"),
      SIGNALBOX_IN_EDITOR: "1",
      SIGNALBOX_ROOT: ROOT,
      SIGNALBOX_GREP: flags.grep,
    },
    launchArgs: [
      workspace,
      "--disable-workspace-trust",
      "--skip-welcome",
      `--user-data-dir=${path.join(folder, "profile")}`,
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
});
