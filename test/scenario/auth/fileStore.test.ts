import assert from "node:assert/strict";
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog } from "../../../src/base/log.ts";
import type { CredentialStore } from "../../../src/auth/model/credentialStore.ts";
import { createFileCredentialStore } from "../../../src/auth/store/fileCredentialStore.ts";

const isPosix = process.platform !== "win32";

describe("credentials in files", () => {
  let root: string;
  let directory: string;
  let store: CredentialStore;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "signalbox-store-"));
    directory = join(root, "deep", "credentials");
    store = createFileCredentialStore({ directory, log: silentLog });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const pathOfOnly = async (): Promise<string> => {
    const names = await readdir(directory);
    assert.equal(names.length, 1, names.join());
    return join(directory, names[0] ?? "");
  };

  it("come back, are replaced and deleted", async () => {
    assert.equal(await store.get("a/b"), undefined);
    await store.set("a/b", "one");
    await store.set("../c", "other");
    assert.equal(await store.get("a/b"), "one");
    await store.set("a/b", "two");
    assert.equal(await createFileCredentialStore({ directory, log: silentLog }).get("a/b"), "two");
    await store.delete("a/b");
    await store.delete("a/b");
    assert.equal(await store.get("a/b"), undefined);
    assert.equal(await store.get("../c"), "other");
    assert.deepEqual(await readdir(root), ["deep"], "no key leads out of the directory");
  });

  // Duty: 16.8.3
  it("can be read by this user alone, and their names tell nothing", async function () {
    if (!isPosix) this.skip();
    await store.set("oauth.v1/key", "value");
    const path = await pathOfOnly();
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    assert.equal(path.includes("key"), false);
  });

  it("are taken away from others when they could read them", async function () {
    if (!isPosix) this.skip();
    await mkdir(directory, { recursive: true, mode: 0o755 });
    await chmod(directory, 0o755);
    await store.set("k", "value");
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    const path = await pathOfOnly();
    await chmod(path, 0o644);
    assert.equal(await store.get("k"), "value");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it("are not read through a link, and not written through one", async function () {
    if (!isPosix) this.skip();
    await store.set("k", "value");
    const path = await pathOfOnly();
    const elsewhere = join(root, "elsewhere");
    await writeFile(elsewhere, "theirs", { mode: 0o600 });
    await rm(path);
    await symlink(elsewhere, path);
    await assert.rejects(store.get("k"), /is a link/);
    await store.set("k", "mine");
    assert.equal(await readFile(elsewhere, "utf8"), "theirs");
    assert.equal((await lstat(path)).isSymbolicLink(), false);
    assert.equal(await store.get("k"), "mine");
    await rm(path);
    await link(elsewhere, path);
    await assert.rejects(store.get("k"), /second name/);
    await rm(path);
    await mkdir(path);
    await assert.rejects(store.get("k"), /not a file/);
  });

  it("are not kept in a directory that is a link", async function () {
    if (!isPosix) this.skip();
    const real = join(root, "real");
    await mkdir(real);
    await mkdir(join(root, "deep"));
    await symlink(real, directory);
    await assert.rejects(store.set("k", "value"), /not a directory/);
    assert.deepEqual(await readdir(real), []);
  });

  it("that were half written are swept away when they are old", async () => {
    await mkdir(directory, { recursive: true });
    const [old, fresh] = [join(directory, "x.json.1.tmp"), join(directory, "x.json.2.tmp")];
    for (const path of [old, fresh]) await writeFile(path, "secret");
    const before = new Date(Date.now() - 120_000);
    await utimes(old, before, before);
    await store.get("k");
    assert.deepEqual(await readdir(directory), ["x.json.2.tmp"]);
  });

  it("that are too long are not read", async () => {
    await store.set("k", "x".repeat(2 * 1024 * 1024));
    await assert.rejects(store.get("k"), /too long/);
  });

  it("tell when another window changes them", async () => {
    await store.set("k", "one");
    const changed = new Promise<string>((resolve) => {
      const subscription = store.onDidChange((key) => {
        subscription.dispose();
        resolve(key);
      });
    });
    const other = createFileCredentialStore({ directory, log: silentLog });
    // Watching begins a moment after it is asked for.
    const writes: Promise<void>[] = [];
    const writing = setInterval(() => writes.push(other.set("k", String(writes.length))), 20);
    try {
      assert.equal(await changed, "k");
    } finally {
      clearInterval(writing);
      await Promise.all(writes);
    }
  });
});
