#!/usr/bin/env node
// Runs test/vscode/suite inside the extension host of a real VS Code, the code-server build, in Chromium.
// Options: --grep TEXT, --no-build, --keep (leaves the profile), --timeout SECONDS. DEBUG=1 shows what the editor logs about itself.
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { format, parseArgs } from "node:util";
import { runMain } from "./lib/main.mjs";
import { OUT, ROOT, fromRoot } from "./lib/paths.mjs";
import { onEnd, run } from "./lib/processes.mjs";
import { ensureChromium, ensureCodeServer, ensureDependencies, ensureNode24 } from "./lib/provision.mjs";

const { values: flags } = parseArgs({
  options: {
    grep: { type: "string", default: "" },
    "no-build": { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    timeout: { type: "string", default: "300" },
  },
});

/** How the suite marks its lines, and the title of a failed test among them; see test/vscode/index.ts. */
const MARK = "##";
const FAILED = "##failed ";

/** Opens the window, passes on what the suite prints, and answers its exit code. */
async function runInWindow(window, address) {
  const { page } = window;
  const screenshots = path.join(OUT, "vscode");
  await mkdir(screenshots, { recursive: true });
  const shots = [];
  let finish;
  const exit = new Promise((resolve, reject) => {
    finish = resolve;
    const seconds = Number(flags.timeout);
    setTimeout(() => reject(new Error(`The suite did not end within ${seconds} s.`)), seconds * 1000).unref();
    page.once("crash", () => reject(new Error("The window crashed.")));
  });
  await page.exposeFunction("codeAutomationLog", (_type, args) => {
    const text = format(...args);
    if (text.startsWith(FAILED)) {
      const name = text
        .slice(FAILED.length)
        .replace(/[^\w]+/g, "-")
        .slice(0, 100);
      shots.push(page.screenshot({ path: path.join(screenshots, `${name}.png`) }).catch(() => undefined));
    } else if (text.startsWith(MARK)) {
      console.log(text.slice(MARK.length));
    } else if (process.env.DEBUG) {
      console.log(text);
    }
  });
  await page.exposeFunction("codeAutomationExit", (code) => finish(code));
  await page.goto(address);
  try {
    return await exit;
  } catch (error) {
    await page.screenshot({ path: path.join(screenshots, "stuck.png") }).catch(() => undefined);
    throw error;
  } finally {
    await Promise.all(shots);
  }
}

/** The window takes one folder of an extension under development, so those of the tests are installed. */
async function packageFixtures(folder, fixtures, packageExtension) {
  const files = [];
  for (const fixture of fixtures) {
    const file = path.join(folder, `${path.basename(fixture)}.vsix`);
    await packageExtension(file, fixture);
    files.push(file);
  }
  return files;
}

await runMain(async () => {
  await ensureDependencies();
  if (!flags["no-build"]) {
    const { code } = await run(process.execPath, [fromRoot("scripts", "build.mjs")]);
    if (code !== 0) throw new Error("The build failed, so the tests were not run.");
  }
  // What imports packages is loaded only when they are there.
  const [
    { startEditor, workbenchAddress },
    { openWindow },
    { bundleSuite, prepareFixtures, makeTestWorkspace },
    { packageExtension },
  ] = await Promise.all([
    import("./lib/editor.mjs"),
    import("./lib/browser.mjs"),
    import("./lib/inEditor.mjs"),
    import("./lib/vsix.mjs"),
  ]);
  await Promise.all([ensureNode24(), ensureCodeServer(), ensureChromium()]);
  await mkdir(path.join(OUT, "test"), { recursive: true });
  const folder = await mkdtemp(path.join(OUT, "test", "vscode-"));
  const scratch = await mkdtemp(path.join(os.tmpdir(), "signalbox-workspace-"));
  onEnd(() => Promise.all([folder, scratch].map((each) => rm(each, { recursive: true, force: true }))));

  const [suite, vsix, workspace] = [
    await bundleSuite(folder),
    await packageFixtures(folder, await prepareFixtures(), packageExtension),
    await makeTestWorkspace(path.join(scratch, "workspace")),
  ];
  const counts = process.env.SIGNALBOX_COUNTS ?? path.join(folder, "counts.json");
  const editor = await startEditor({
    automation: true,
    keep: flags.keep,
    vsix,
    onOutput: process.env.DEBUG ? (text) => process.stderr.write(text) : undefined,
    env: {
      SIGNALBOX_COUNTS: counts,
      SIGNALBOX_IN_EDITOR: "1",
      SIGNALBOX_ROOT: ROOT,
      SIGNALBOX_GREP: flags.grep,
    },
  });
  const window = await openWindow();
  const remote = (file) => `vscode-remote://localhost:${editor.port}${file}`;
  const address = workbenchAddress(editor, workspace, [
    ["extensionDevelopmentPath", remote(ROOT)],
    ["extensionTestsPath", remote(suite)],
    ["skipWelcome", "true"],
    ["enableProposedApi", ""],
  ]);
  const code = await runInWindow(window, address);
  await window.dispose();
  await editor.dispose();
  if (flags.keep) console.log(`The profile is in ${editor.profile}`);
  if (!existsSync(counts)) throw new Error("The suite left no counts: it did not run to its end.");
  const { passed, failed } = JSON.parse(await readFile(counts, "utf8"));
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && code === 0 ? 0 : 1;
});
