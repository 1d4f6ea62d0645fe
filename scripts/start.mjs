#!/usr/bin/env node
// Opens VS Code with Signalbox installed, a sample workspace and three servers that are ready to connect.
// Options: --browser (do not use a desktop VS Code), --port N (of the browser's VS Code), --reset (start afresh).
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { runMain } from "./lib/main.mjs";
import { DIST, TOOLS, fromRoot } from "./lib/paths.mjs";
import { endProcessesOf, endWithoutFailure, onEnd, run, runOrThrow, startChild } from "./lib/processes.mjs";
import { ensureCodeServer, ensureDependencies, ensureNode24, hasCommand } from "./lib/provision.mjs";

const { values: flags } = parseArgs({
  options: {
    browser: { type: "boolean", default: false },
    reset: { type: "boolean", default: false },
    port: { type: "string", default: "8930" },
  },
});

const HOME = path.join(TOOLS, "start");
const WORKSPACE = path.join(HOME, "workspace");
const VSIX = path.join(HOME, "signalbox.vsix");
const RUNNING = path.join(HOME, "running.json");
const DEMO_PORT = 8931;

const say = (text) => console.log(`signalbox: ${text}`);

/** The address of a start that is still going on, if there is one. */
async function findRunning() {
  if (!existsSync(RUNNING)) return undefined;
  try {
    const { pid, address } = JSON.parse(await readFile(RUNNING, "utf8"));
    process.kill(pid, 0);
    return address;
  } catch {
    await rm(RUNNING, { force: true });
    return undefined;
  }
}

async function buildAndPackage() {
  say("building …");
  const { code } = await run(process.execPath, [fromRoot("scripts", "build.mjs"), "--production"]);
  if (code !== 0) throw new Error("The build failed; the messages above say why.");
  say("packaging …");
  await runOrThrow(process.execPath, [fromRoot("scripts", "package.mjs"), "--no-build", "--out", VSIX]);
}

/** The workspace is copied once, so that what a person changes in it is there the next time. */
async function prepareWorkspace() {
  if (flags.reset) await rm(HOME, { recursive: true, force: true });
  await mkdir(HOME, { recursive: true });
  if (!existsSync(WORKSPACE))
    await cp(fromRoot("scripts", "sample-workspace"), WORKSPACE, { recursive: true });
}

/** The three servers of the sample workspace. Signalbox asks once before it starts or reaches each of them. */
function sampleServers(demoUrl) {
  const program = (name, ...args) => ({ command: process.execPath, args: [path.join(DIST, name), ...args] });
  return {
    "demo-http": { url: demoUrl, description: "The demo server over HTTP (2026-07-28), two replicas" },
    "demo-stdio": {
      ...program("demo.mjs", "--stdio"),
      description: "The demo server over stdio (2026-07-28)",
    },
    "notes-legacy": {
      ...program("demo-legacy.mjs"),
      description: "A server of the older generation (2025-11-25)",
    },
  };
}

/** Puts the sample servers into the workspace's settings and leaves everything else in there alone. */
async function writeWorkspaceSettings(servers) {
  const { applyEdits, modify } = await import("jsonc-parser");
  const file = path.join(WORKSPACE, ".vscode", "settings.json");
  let text = existsSync(file) ? await readFile(file, "utf8") : "{}\n";
  for (const [name, server] of Object.entries(servers)) {
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    text = applyEdits(text, modify(text, ["signalbox.servers", name], server, { formattingOptions }));
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The settings of the profile: what it holds already, and the workspace's README as the guide through it. */
async function writeProfileSettings(profile, userFolder) {
  const { parse } = await import("jsonc-parser");
  const file = path.join(profile, userFolder, "settings.json");
  const before = existsSync(file) ? (parse(await readFile(file, "utf8")) ?? {}) : {};
  const settings = { "workbench.startupEditor": "readme", ...before };
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`);
  return settings;
}

async function findDesktop() {
  if (flags.browser || process.getuid?.() === 0) return undefined;
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return undefined;
  const command = process.platform === "win32" ? "code.cmd" : "code";
  return (await hasCommand(command)) ? command : undefined;
}

async function openDesktop(command) {
  const profile = path.join(HOME, "desktop");
  await writeProfileSettings(profile, "User");
  const own = ["--user-data-dir", profile, "--extensions-dir", path.join(HOME, "desktop-extensions")];
  say("installing the extension into a profile of its own …");
  await runOrThrow(command, [...own, "--install-extension", VSIX, "--force"], {
    shell: process.platform === "win32",
  });
  const window = startChild(
    command,
    [...own, "--disable-workspace-trust", "--new-window", "--wait", WORKSPACE],
    {
      shell: process.platform === "win32",
    },
  );
  // The window belongs to a process group of its own, which is found by its profile.
  onEnd(() => endProcessesOf(profile));
  await remember("a window of your desktop VS Code");
  say("VS Code is open. Close its window or press Ctrl-C to end everything.");
  await new Promise((resolve) => window.once("exit", resolve));
}

async function openBrowser() {
  const { startEditor, workbenchAddress } = await import("./lib/editor.mjs");
  await ensureCodeServer();
  const profile = path.join(HOME, "browser");
  say("starting VS Code …");
  const editor = await startEditor({
    profile,
    vsix: [VSIX],
    port: Number(flags.port),
    token: randomBytes(16).toString("hex"),
    settings: await writeProfileSettings(profile, path.join("data", "User")),
  });
  const address = workbenchAddress(editor, WORKSPACE);
  await remember(address);
  say("VS Code is ready. Open this address in a browser on this machine:");
  console.log(`\n  ${address}\n`);
  say("Press Ctrl-C to end everything.");
  const code = await new Promise((resolve) => editor.child.once("exit", resolve));
  throw new Error(`VS Code ended by itself with ${code}.\n${editor.output().slice(-2000)}`);
}

async function remember(address) {
  await writeFile(RUNNING, JSON.stringify({ pid: process.pid, address }));
  onEnd(() => rm(RUNNING, { force: true }));
}

await runMain(async () => {
  endWithoutFailure();
  const running = await findRunning();
  if (running !== undefined) {
    say(`it is running already: ${running}`);
    return 0;
  }
  await ensureDependencies();
  await ensureNode24();
  await prepareWorkspace();
  await buildAndPackage();
  const [{ startDemo }, { freePort }] = await Promise.all([
    import("./lib/demo.mjs"),
    import("./lib/editor.mjs"),
  ]);
  const demo = await startDemo({ port: await freePort(DEMO_PORT) });
  say(`the demo server runs at ${demo.url} (two replicas)`);
  await writeWorkspaceSettings(sampleServers(demo.url));
  const desktop = await findDesktop();
  if (desktop === undefined) {
    say("no desktop VS Code to use here, so its code-server build is used");
    await openBrowser();
  } else {
    await openDesktop(desktop);
  }
  return 0;
});
