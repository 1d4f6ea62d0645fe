import { type ChildProcess, spawn } from "node:child_process";

/** Groups that are still running; they must not outlive the extension host, however it ends. */
const running = new Set<ProcessTree>();

function killRunning(): void {
  for (const tree of running) tree.kill();
}

/**
 * A child process with everything that it started. On POSIX the child leads a process group of its own,
 * so that wrappers such as npx cannot leave the real server behind; Windows finds the tree by parent ids.
 */
export class ProcessTree {
  readonly #child: ChildProcess;
  readonly #isGroup: boolean;
  /** Resolves when the child itself has exited. */
  readonly exited: Promise<void>;

  constructor(child: ChildProcess, isGroup: boolean) {
    this.#child = child;
    this.#isGroup = isGroup;
    this.exited = new Promise((resolve) => {
      child.once("exit", () => {
        resolve();
      });
    });
    if (running.size === 0) process.on("exit", killRunning);
    running.add(this);
  }

  /** Must be called when the tree is gone or given up. */
  forget(): void {
    if (running.delete(this) && running.size === 0) process.off("exit", killRunning);
  }

  /** True while the child, or on POSIX anything in its group, is running. */
  get isAlive(): boolean {
    return this.#childIsAlive || (this.#isGroup && this.#signal(0));
  }

  get hasExited(): boolean {
    return !this.#childIsAlive;
  }

  /** Asks everything to end. */
  terminate(): void {
    if (this.#isGroup) this.#signal("SIGTERM");
    else this.#taskkill([]);
  }

  /** Ends everything. */
  kill(): void {
    if (this.#isGroup) this.#signal("SIGKILL");
    else this.#taskkill(["/f"]);
  }

  get #childIsAlive(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** False when there is nothing left to signal. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    if (pid === undefined) return false;
    try {
      process.kill(-pid, signal);
      return true;
    } catch (error) {
      // Not permitted still means that something is there: a server that changed its user.
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  }

  #taskkill(flags: readonly string[]): void {
    const { pid } = this.#child;
    if (pid === undefined || !this.#childIsAlive) return;
    const killer = spawn("taskkill", ["/pid", String(pid), "/t", ...flags], {
      stdio: "ignore",
      windowsHide: true,
    });
    killer.on("error", () => this.#child.kill());
  }
}
