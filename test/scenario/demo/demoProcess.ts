import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Readable, Writable } from "node:stream";

const MAIN = fileURLToPath(new URL("../../../demo/main.ts", import.meta.url));
const READY_LIMIT_MS = 20_000;

/** The demo as a process, from its sources. */
export interface DemoProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly pid: number;
  /** Everything on stderr so far. */
  stderr(): string;
  /** Sends a control command and waits for its answer. */
  command(line: string): Promise<string>;
  /** Waits for the end; the exit code, or the name of the signal. */
  exited(): Promise<number | string | null>;
  /** Ends it the hard way if it still runs. */
  dispose(): void;
}

export interface HttpDemo extends DemoProcess {
  readonly url: string;
}

/** Starts `demo` with these arguments. */
export function startDemo(...args: readonly string[]): DemoProcess {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAIN, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const lines = args.includes("--control") ? createInterface({ input: child.stdout }) : undefined;
  const exit = once(child, "exit") as Promise<[number | null, string | null]>;
  return {
    child,
    pid: child.pid ?? 0,
    stderr: () => errors,
    async command(line) {
      if (lines === undefined) throw new Error("started without --control");
      const answer = once(lines, "line") as Promise<[string]>;
      child.stdin.write(`${line}\n`);
      return (await answer)[0];
    },
    async exited() {
      const [code, signal] = await exit;
      return signal ?? code;
    },
    dispose: () => {
      child.kill("SIGKILL");
    },
  };
}

/** Starts the HTTP demo on a free port and waits until it is ready. */
export async function startHttpDemo(...args: readonly string[]): Promise<HttpDemo> {
  const demo = startDemo("--http", "0", "--control", ...args);
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`The demo was not ready in time: ${demo.stderr()}`));
    }, READY_LIMIT_MS);
    demo.child.stderr.on("data", () => {
      const ready = /ready at (\S+)/.exec(demo.stderr())?.[1];
      if (ready === undefined) return;
      clearTimeout(timer);
      resolve(ready);
    });
    demo.child.once("exit", () => {
      clearTimeout(timer);
      reject(new Error(`The demo ended early: ${demo.stderr()}`));
    });
  });
  return { ...demo, url };
}

/** Process ids of the direct children. */
export function childrenOf(pid: number): readonly number[] {
  const pairs = process.platform === "linux" ? readProcFolder() : runPs();
  return pairs.filter(([, parent]) => parent === pid).map(([id]) => id);
}

type IdAndParent = readonly [id: number, parent: number];

/** A small machine may have no `ps`, but Linux always has this. */
function readProcFolder(): readonly IdAndParent[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "latin1");
        // The name in parentheses may hold anything; state and parent come after it.
        const [, parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return [[Number(name), Number(parent)] as const];
      } catch {
        // Gone since the folder was read.
        return [];
      }
    });
}

function runPs(): readonly IdAndParent[] {
  const { stdout, pid: own } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([id, parent]) =>
      id === undefined || parent === undefined || id === own ? [] : [[id, parent] as const],
    );
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
