import { createHash, randomUUID } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { delay, systemClock } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import { errorText } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { CredentialStore } from "../model/credentialStore.ts";
import { createPrivateFile, isCode, makePrivateDirectory, readPrivateFile } from "./privateFiles.ts";
import { StoreListeners } from "./storeListeners.ts";

export interface FileStoreOptions {
  /** Absolute. Made when it is not there, for this user alone. */
  readonly directory: string;
  readonly log: Log;
}

/** What a crash left half written is deleted after this time. */
const LEFT_OVER_MS = 60_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Keeps credentials in files that only this user can read: for where the editor has no lasting secret storage. A file
 * is complete or not there. Methods reject with errors of the system, or when a file or the directory is a link or
 * belongs to somebody else.
 */
export function createFileCredentialStore(options: FileStoreOptions): CredentialStore {
  return new FileCredentialStore(options);
}

class FileCredentialStore implements CredentialStore {
  readonly kind = "file";
  readonly #directory: string;
  readonly #log: Log;
  readonly #listeners = new StoreListeners();
  /** By name of the file. */
  readonly #keys = new Map<string, string>();
  #ready: Promise<void> | undefined;
  #watcher: FSWatcher | undefined;

  constructor({ directory, log }: FileStoreOptions) {
    this.#directory = directory;
    this.#log = log;
  }

  async get(key: string): Promise<string | undefined> {
    await this.#prepare();
    return readPrivateFile(this.#pathOf(key), MAX_BYTES);
  }

  async set(key: string, value: string): Promise<void> {
    await this.#prepare();
    const path = this.#pathOf(key);
    const temporary = `${path}.${randomUUID()}.tmp`;
    const file = await createPrivateFile(temporary);
    try {
      try {
        await file.writeFile(value, "utf8");
        await file.sync();
      } finally {
        await file.close();
      }
      await replaceFile(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncDirectory(this.#directory);
  }

  async delete(key: string): Promise<void> {
    await this.#prepare();
    await rm(this.#pathOf(key), { force: true });
  }

  onDidChange(listener: (key: string) => void): Disposable {
    const added = this.#listeners.add(listener);
    void this.#watch();
    return {
      dispose: () => {
        added.dispose();
        if (this.#listeners.isEmpty) this.#unwatch();
      },
    };
  }

  /** The directory is made, and looked after, once; a failure is tried again with the next use. */
  #prepare(): Promise<void> {
    this.#ready ??= makePrivateDirectory(this.#directory)
      .then(() => this.#removeLeftOvers())
      .catch((error: unknown) => {
        this.#ready = undefined;
        throw error;
      });
    return this.#ready;
  }

  async #removeLeftOvers(): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      if (!name.endsWith(".tmp")) continue;
      const path = join(this.#directory, name);
      const changedMs = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      if (changedMs !== undefined && Date.now() - changedMs > LEFT_OVER_MS) await rm(path, { force: true });
    }
  }

  #pathOf(key: string): string {
    const name = `${createHash("sha256").update(key).digest("hex")}.json`;
    this.#keys.set(name, key);
    return join(this.#directory, name);
  }

  /** Best effort: who uses a credential reads it again before it is renewed or given up. */
  async #watch(): Promise<void> {
    try {
      await this.#prepare();
      if (this.#watcher !== undefined || this.#listeners.isEmpty) return;
      this.#watcher = watch(this.#directory, { persistent: false }, (_event, name) => {
        const key = name === null ? undefined : this.#keys.get(name);
        if (key !== undefined) this.#listeners.fire(key);
      });
      this.#watcher.on("error", (error) => {
        this.#noteUnwatched(error);
        this.#unwatch();
      });
    } catch (error) {
      this.#noteUnwatched(error);
    }
  }

  #noteUnwatched(error: unknown): void {
    this.#log.write("warn", `Changes of stored credentials are not seen at once: ${errorText(error)}`);
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}

/** Windows refuses to replace a file in the moment in which somebody reads it. */
async function replaceFile(from: string, to: string): Promise<void> {
  for (let attempts = 10; ; attempts -= 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (attempts === 0 || process.platform !== "win32" || !isCode(error, "EPERM", "EACCES", "EBUSY"))
        throw error;
      await delay(systemClock, 20, new AbortController().signal);
    }
  }
}

/** Makes the new name last. Not every system can do that with a directory. */
async function syncDirectory(path: string): Promise<void> {
  try {
    const directory = await open(path, "r");
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  } catch {
    // The file itself is written; only a loss of power in this moment could undo its name.
  }
}
