import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { endChild, onEnd, runOrThrow, startChild } from "./processes.mjs";
import { ensureCodeServer, ensureNode24 } from "./provision.mjs";

const START_LIMIT_MS = 60_000;

/** Settings that keep a fresh profile quiet: no tips, no telemetry, no look-ups. */
const QUIET_SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "git.enabled": false,
  "security.workspace.trust.startupPrompt": "never",
};

/**
 * Starts the code-server build of VS Code with a profile of its own.
 *
 * @param {object} options
 * @param {string} [options.profile] folder of the profile; a temporary one that is deleted when none is given
 * @param {object} [options.settings] user settings, added to the quiet ones
 * @param {string[]} [options.vsix] packaged extensions to install
 * @param {boolean} [options.automation] obey the test payload in the address
 * @param {boolean} [options.trust] ask about workspace trust, which is switched off otherwise
 * @param {string} [options.token] what a visitor has to know; anyone on this machine may come in when there is none
 * @param {number} [options.port] the port to use, when it is free
 * @param {boolean} [options.keep] keep a temporary profile
 * @param {Record<string, string>} [options.env] variables that the extension host sees
 * @param {(text: string) => void} [options.onOutput] receives what the server prints
 */
export async function startEditor(options = {}) {
  const [node, folder] = [await ensureNode24(), await ensureCodeServer()];
  const profile = options.profile ?? (await mkdtemp(path.join(os.tmpdir(), "signalbox-vscode-")));
  const temporary = options.profile === undefined && options.keep !== true;
  const removeProfile = async () => {
    if (temporary) await rm(profile, { recursive: true, force: true, maxRetries: 3 });
  };
  const program = path.join(folder, "out", "server-main.js");
  const env = {
    ...process.env,
    ...options.env,
    // For tests that look at what was written.
    SIGNALBOX_PROFILE: profile,
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
  };
  await writeSettings(profile, { ...QUIET_SETTINGS, ...options.settings });
  for (const file of options.vsix ?? []) {
    await runOrThrow(
      node,
      [
        program,
        "--install-extension",
        file,
        "--force",
        "--server-data-dir",
        profile,
        "--accept-server-license-terms",
      ],
      { env },
    );
  }
  const port = await freePort(options.port);
  const child = startChild(
    node,
    [
      program,
      ...["--host", "127.0.0.1", "--port", String(port), "--server-data-dir", profile],
      ...[...accessArguments(options.token), "--accept-server-license-terms", "--telemetry-level", "off"],
      ...(options.automation ? ["--enable-smoke-test-driver"] : []),
      ...(options.trust ? [] : ["--disable-workspace-trust"]),
    ],
    { stdio: ["ignore", "pipe", "pipe"], env },
  );
  const output = collectOutput(child, options.onOutput);
  const forget = onEnd(removeProfile);
  const dispose = async () => {
    await endChild(child);
    await removeProfile();
    forget();
  };
  try {
    await untilItAnswers(port, child);
  } catch (error) {
    await dispose();
    throw new Error(`VS Code did not start: ${error.message}\n${output().slice(-2000)}`);
  }
  return { port, token: options.token, url: `http://localhost:${port}`, profile, child, output, dispose };
}

function accessArguments(token) {
  return token === undefined ? ["--without-connection-token"] : ["--connection-token", token];
}

/** Replaces the user settings of a profile; a running VS Code follows. */
export async function writeSettings(profile, settings) {
  const folder = path.join(profile, "data", "User");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
}

/** The address that opens a folder, with what the workbench should do there. */
export function workbenchAddress(editor, folder, payload) {
  const query = new URLSearchParams({ folder });
  if (editor.token !== undefined) query.set("tkn", editor.token);
  if (payload !== undefined) query.set("payload", JSON.stringify(payload));
  return `${editor.url}/?${query}`;
}

/** A port that is free now: the wanted one when it is. */
export async function freePort(wanted = 0) {
  const probe = createServer();
  const listen = (port) =>
    new Promise((resolve, reject) => {
      probe.once("error", reject);
      probe.listen(port, "127.0.0.1", resolve);
    });
  try {
    await listen(wanted);
  } catch {
    await listen(0);
  }
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function collectOutput(child, onOutput) {
  let kept = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text) => {
      kept = (kept + text).slice(-64 * 1024);
      onOutput?.(text);
    });
  }
  return () => kept;
}

async function untilItAnswers(port, child) {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    if (await answers(port)) return;
    await wait(150);
  }
  throw new Error(`no answer on port ${port} within ${START_LIMIT_MS / 1000} s`);
}

/** True when something answers HTTP on a local port. */
export function answers(port) {
  return new Promise((resolve) => {
    const request = http.get({ host: "127.0.0.1", port, path: "/", timeout: 5000 }, (response) => {
      response.resume();
      resolve((response.statusCode ?? 500) < 500);
    });
    request.once("error", () => resolve(false));
    request.once("timeout", () => request.destroy());
  });
}
