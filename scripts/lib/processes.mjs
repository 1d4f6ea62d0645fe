import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT } from "./paths.mjs";

/** Children started by this script; each leads a process group, so that ending it ends its own children too. */
const groups = new Set();
const atEnd = new Set();
let ending;
let signalled = false;
let signalCode;

/**
 * Starts a child as the leader of a group of its own and remembers it until it is gone.
 * The group is ended when the script ends, whatever ends it.
 */
export function startChild(command, args, options = {}) {
  installEndHooks();
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: "inherit",
    detached: process.platform !== "win32",
    ...options,
  });
  groups.add(child);
  child.once("exit", () => {
    // A leader that ends may leave children behind.
    signalGroup(child, "SIGTERM");
    groups.delete(child);
  });
  child.once("error", () => groups.delete(child));
  return child;
}

/** Runs a command to its end. Resolves to its exit code and what it printed when `capture` is set. */
export async function run(command, args, { capture = false, timeoutMs, onLine, ...options } = {}) {
  const quiet = capture || onLine !== undefined;
  const child = startChild(command, args, {
    stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    ...options,
  });
  const chunks = [];
  const collect = (stream) => {
    stream?.setEncoding("utf8");
    stream?.on("data", (text) => {
      chunks.push(text);
      onLine?.(text);
    });
  };
  if (quiet) [child.stdout, child.stderr].forEach(collect);
  let timedOut = false;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          signalGroup(child, "SIGKILL");
        }, timeoutMs);
  try {
    const [code, signal] = await once(child, "close");
    return { code: timedOut ? 124 : (code ?? 1), signal, output: chunks.join(""), timedOut };
  } catch (error) {
    return { code: 127, signal: null, output: `${chunks.join("")}\n${String(error)}`, timedOut };
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a command and throws with the end of its output when it fails. */
export async function runOrThrow(command, args, options = {}) {
  const result = await run(command, args, { capture: true, ...options });
  if (result.code !== 0) {
    throw new Error(`${command} ${args.join(" ")} ended with ${result.code}\n${result.output.slice(-4000)}`);
  }
  return result.output;
}

/** Ends a child and everything below it: asks first, insists after two seconds. */
export async function endChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) {
    signalGroup(child, "SIGKILL");
    return;
  }
  const gone = once(child, "exit");
  signalGroup(child, "SIGTERM");
  await Promise.race([gone, wait(2000, undefined, { ref: false })]);
  signalGroup(child, "SIGKILL");
  groups.delete(child);
}

/** Registers work to do when the script ends, by itself or by a signal. The answer takes it back. */
export function onEnd(work) {
  installEndHooks();
  atEnd.add(work);
  return () => atEnd.delete(work);
}

/** True once the script was told to end; what fails from then on fails because of that. */
export function isSignalled() {
  return signalled;
}

/** For a script that a person ends with Ctrl-C when they are done: that is no failure. */
export function endWithoutFailure() {
  signalCode = 0;
}

/** Ends every child and does all registered work, once. */
export function endEverything() {
  ending ??= (async () => {
    for (const work of [...atEnd].reverse()) {
      try {
        await work();
      } catch (error) {
        console.error(String(error));
      }
    }
    await Promise.all([...groups].map((child) => endChild(child)));
  })();
  return ending;
}

/** Ends the processes that carry a path of ours on their command line: those that left our groups on purpose. */
export async function endProcessesOf(pathOfOurs) {
  if (process.platform === "win32") return;
  const { output } = await run("ps", ["-ax", "-o", "pid=,command="], { capture: true });
  for (const line of output.split("\n")) {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    if (command?.includes(pathOfOurs) !== true || Number(pid) === process.pid) continue;
    try {
      process.kill(Number(pid), "SIGTERM");
    } catch {
      // It is gone already.
    }
  }
}

let hooked = false;

function installEndHooks() {
  if (hooked) return;
  hooked = true;
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ]) {
    process.on(signal, () => {
      signalled = true;
      void endEverything().then(() => process.exit(signalCode ?? code));
    });
  }
  process.on("exit", () => {
    for (const child of groups) signalGroup(child, "SIGKILL");
  });
}

function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}
