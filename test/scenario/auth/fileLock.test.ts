import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

import { deferred } from "../../../src/base/deferred.ts";
import { createFileLock } from "../../../src/auth/store/fileLock.ts";
import { createMemoryLock } from "../../../src/auth/store/memoryLock.ts";
import { failsWith } from "../../support/failsWith.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { never } from "../../support/transportHelpers.ts";

describe("a lock in a file", () => {
  let directory: string;
  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), "signalbox-lock-")), "locks");
  });
  afterEach(() => rm(join(directory, ".."), { recursive: true, force: true }));

  /** The file of the only lock, made by holding it once. */
  const fileOf = async (name: string): Promise<string> => {
    let path = "";
    await createFileLock({ directory }).run(
      name,
      async () => {
        path = join(directory, (await readdir(directory))[0] ?? "");
      },
      never,
    );
    return path;
  };
  const upMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);
  const holder = (change: object): string =>
    JSON.stringify({
      owner: "o",
      pid: process.pid,
      host: hostname(),
      atMs: Date.now(),
      upMs: upMs(),
      ...change,
    });

  it("is held by one at a time, here and elsewhere, and by several for different names", async () => {
    const locks = [
      createFileLock({ directory }),
      createFileLock({ directory }),
      createFileLock({ directory }),
    ];
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    await Promise.all(locks.flatMap((lock) => [lock.run("n", work, never), lock.run("n", work, never)]));
    assert.equal(most, 1);
    const [one, two] = [deferred(), deferred()];
    const first = locks[0]?.run("a", () => (one.resolve(undefined), two.promise), never);
    await one.promise;
    await locks[0]?.run("b", () => Promise.resolve(two.resolve(undefined)), never);
    await first;
    assert.deepEqual(await readdir(directory), []);
  });

  it("is released when the work fails, and gives its failure", async () => {
    const lock = createFileLock({ directory });
    await assert.rejects(
      lock.run("n", () => Promise.reject(new Error("broken")), never),
      /broken/,
    );
    assert.equal(await lock.run("n", () => Promise.resolve(7), never), 7);
  });

  // Attack: 47
  it("of a process that is gone is taken over at once", async () => {
    const path = await fileOf("n");
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "close");
    await writeFile(path, holder({ pid: child.pid }), { mode: 0o600 });
    assert.equal(await createFileLock({ directory }).run("n", () => Promise.resolve("in"), never), "in");
    assert.deepEqual(await readdir(directory), []);
  });

  // Attack: 47
  it("that is older than thirty seconds is taken over by exactly one of those who wait", async () => {
    const path = await fileOf("n");
    await writeFile(path, holder({ upMs: upMs() - 31_000 }), { mode: 0o600 });
    let inside = 0;
    const locks = Array.from({ length: 8 }, () => createFileLock({ directory }));
    await Promise.all(
      locks.map((lock) =>
        lock.run(
          "n",
          async () => {
            inside += 1;
            assert.equal(inside, 1);
            await new Promise((resolve) => setTimeout(resolve, 5));
            inside -= 1;
          },
          never,
        ),
      ),
    );
    assert.deepEqual(await readdir(directory), []);
  });

  // Attack: 47
  it("that nobody can read is taken over when its file is old", async () => {
    const path = await fileOf("n");
    await writeFile(path, "", { mode: 0o600 });
    const giveUp = AbortSignal.timeout(200);
    await assert.rejects(
      createFileLock({ directory }).run("n", () => Promise.resolve(), giveUp),
      /abort|timeout/i,
    );
    const before = new Date(Date.now() - 31_000);
    await utimes(path, before, before);
    assert.equal(await createFileLock({ directory }).run("n", () => Promise.resolve("in"), never), "in");
  });

  it("of a living process is waited for until the caller gives up", async () => {
    const path = await fileOf("n");
    await writeFile(path, holder({}), { mode: 0o600 });
    const reason = new Error("enough");
    const caller = new AbortController();
    const waiting = createFileLock({ directory }).run("n", () => Promise.resolve(), caller.signal);
    caller.abort(reason);
    await assert.rejects(waiting, reason);
    assert.match(await readFile(path, "utf8"), /"owner":"o"/, "it is not touched");
  });

  it("that was taken over meanwhile is not released by its first holder", async () => {
    const path = await fileOf("n");
    const other = holder({ owner: "another" });
    await createFileLock({ directory }).run("n", () => writeFile(path, other), never);
    assert.equal(await readFile(path, "utf8"), other);
  });

  it("is not made where the directory cannot be", async () => {
    await mkdir(join(directory, ".."), { recursive: true });
    await writeFile(directory, "a file");
    await assert.rejects(createFileLock({ directory }).run("n", () => Promise.resolve(), never));
  });
});

describe("a lock in memory", () => {
  it("is waited for no longer than ten seconds, and those behind wait on", async () => {
    const clock = new FakeClock();
    const lock = createMemoryLock(clock);
    const end = deferred();
    const order: string[] = [];
    const first = lock.run("n", () => end.promise.then(() => order.push("first")), never);
    const late = failsWith(
      "lock-timeout",
      lock.run("n", () => Promise.resolve(order.push("late")), never),
    );
    clock.advance(5_000);
    const third = lock.run("n", () => Promise.resolve(order.push("third")), never);
    clock.advance(5_000);
    await late;
    end.resolve(undefined);
    await Promise.all([first, third]);
    assert.deepEqual(order, ["first", "third"]);
    assert.equal(clock.pending, 0);
  });
});
