import { createHash, randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type Clock, delay, systemClock } from "../../base/clock.ts";
import { parseJson, stringifyJson } from "../../base/json.ts";
import { AuthError } from "../authError.ts";
import type { CredentialLock } from "../model/credentialStore.ts";
import { judgeLock, type LockHolder, type LockSight, STALE_MS } from "./judgeLock.ts";
import { createMemoryLock, LOCK_WAIT_MS } from "./memoryLock.ts";
import { createPrivateFile, isCode, makePrivateDirectory, readPrivateFile } from "./privateFiles.ts";

export interface FileLockOptions {
  /** Absolute. Made when it is not there, for this user alone. */
  readonly directory: string;
  readonly clock?: Clock;
}

const POLL_MS = 50;
const MAX_BYTES = 4096;

const holderSchema: z.ZodType<LockHolder> = z.strictObject({
  owner: z.string().min(1),
  pid: z.int(),
  host: z.string(),
  atMs: z.number(),
  upMs: z.number(),
});

/**
 * A lock among all processes that use the same directory: a file for each name, made by whoever comes first. What its
 * holder did not release is taken over when that process is gone, or after thirty seconds.
 */
export function createFileLock({ directory, clock = systemClock }: FileLockOptions): CredentialLock {
  // Those of this process wait for each other first, so that only one of them looks at the file.
  const own = createMemoryLock(clock);
  return {
    run: (name, work, signal) =>
      own.run(
        name,
        async () => {
          const file = new LockFile(join(directory, fileName(name)), clock);
          await makePrivateDirectory(directory);
          await acquire(file, { name, clock, signal });
          try {
            return await work();
          } finally {
            await file.release();
          }
        },
        signal,
      ),
  };
}

function fileName(name: string): string {
  return `${createHash("sha256").update(name).digest("hex")}.lock`;
}

async function acquire(
  file: LockFile,
  { name, clock, signal }: { name: string; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const startedMs = upMs();
  for (;;) {
    signal.throwIfAborted();
    if (await file.tryTake()) return;
    if (upMs() - startedMs > LOCK_WAIT_MS) throw new AuthError("lock-timeout", { server: name });
    // Several who wait look at different moments, so that none of them is always the last.
    await delay(clock, POLL_MS * (0.5 + Math.random()), signal);
  }
}

/** One try after another to hold one lock file. */
class LockFile {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #owner = randomUUID();

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  async tryTake(): Promise<boolean> {
    if (await this.#create(this.#path)) return true;
    if (!(await this.#isStale())) return false;
    return this.#takeOver();
  }

  async release(): Promise<void> {
    const holder = await readHolder(this.#path).catch(() => undefined);
    if (holder !== undefined && holder !== "unreadable" && holder.owner === this.#owner)
      await rm(this.#path, { force: true });
  }

  /**
   * A second file decides who removes a stale one: without it, two who saw the same stale lock could both remove one,
   * the second the fresh lock of the first.
   */
  async #takeOver(): Promise<boolean> {
    const guard = `${this.#path}.take`;
    if (!(await this.#create(guard))) {
      if (await isOld(guard)) await rm(guard, { force: true });
      return false;
    }
    try {
      if (await this.#isStale()) await rm(this.#path, { force: true });
      return await this.#create(this.#path);
    } finally {
      await rm(guard, { force: true });
    }
  }

  async #isStale(): Promise<boolean> {
    const holder = await readHolder(this.#path);
    if (holder === undefined) return false;
    // Its holder has not written it yet, or never will.
    if (holder === "unreadable") return isOld(this.#path);
    return judgeLock(holder, this.#sight()) === "stale";
  }

  async #create(path: string): Promise<boolean> {
    try {
      const file = await createPrivateFile(path);
      try {
        await file.writeFile(stringifyJson(this.#me()), "utf8");
      } catch (error) {
        // A lock that says nothing would keep everybody waiting until it is old.
        await rm(path, { force: true });
        throw error;
      } finally {
        await file.close();
      }
      return true;
    } catch (error) {
      // Windows says EPERM or EACCES for a file that is being deleted.
      if (isCode(error, "EEXIST") || (process.platform === "win32" && isCode(error, "EPERM", "EACCES")))
        return false;
      throw error;
    }
  }

  #me(): LockHolder {
    const { host, nowMs } = this.#sight();
    return { owner: this.#owner, pid: process.pid, host, atMs: nowMs, upMs: upMs() };
  }

  #sight(): LockSight {
    return { host: hostname(), nowMs: this.#clock.now(), upMs: upMs(), isRunning };
  }
}

async function readHolder(path: string): Promise<LockHolder | "unreadable" | undefined> {
  const text = await readPrivateFile(path, MAX_BYTES);
  if (text === undefined) return undefined;
  try {
    return holderSchema.safeParse(parseJson(text)).data ?? "unreadable";
  } catch {
    return "unreadable";
  }
}

async function isOld(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    return Math.abs(Date.now() - mtimeMs) > STALE_MS;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    return isCode(error, "EPERM");
  }
}

/** Milliseconds since the machine was started: the same for all of its processes, whatever the wall clock does. */
function upMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
