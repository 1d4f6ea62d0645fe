import assert from "node:assert/strict";
import type { Disposable } from "../../../../src/base/disposable.ts";
import { createOpenedByPerson } from "../../../../src/host/resources/openedByPerson.ts";
import { WatchedResources } from "../../../../src/host/resources/watchedResources.ts";

const never = new AbortController().signal;

/** A pool that counts which resources are asked for. */
function countingPool() {
  const asked: string[] = [];
  return {
    asked,
    async watchResource(id: string, uri: string): Promise<Disposable> {
      if (uri === "no:way") throw new Error("does not tell");
      asked.push(`${id} ${uri}`);
      return { dispose: () => void asked.splice(asked.indexOf(`${id} ${uri}`), 1) };
    },
  };
}

describe("the resources that a person watches", () => {
  it("are asked for until they are no longer watched", async () => {
    const pool = countingPool();
    const watched = new WatchedResources(pool);
    let changes = 0;
    const listening = watched.onDidChange(() => (changes += 1));
    await watched.watch("s", "a:1", never);
    await watched.watch("s", "a:1", never);
    assert.ok(watched.isWatched("s", "a:1") && !watched.isWatched("t", "a:1"));
    assert.deepEqual(pool.asked, ["s a:1"]);
    assert.equal(watched.unwatch("s", "a:1"), true);
    assert.equal(watched.unwatch("s", "a:1"), false);
    assert.deepEqual(pool.asked, []);
    assert.equal(changes, 3);
    listening.dispose();
    watched.dispose();
  });

  it("are not there when the server does not tell of changes", async () => {
    const watched = new WatchedResources(countingPool());
    await assert.rejects(watched.watch("s", "no:way", never));
    assert.ok(!watched.isWatched("s", "no:way"));
    watched.dispose();
  });

  it("are at most a hundred, and given up with the window", async () => {
    const pool = countingPool();
    const watched = new WatchedResources(pool);
    for (let index = 0; index < 101; index += 1) await watched.watch("s", `a:${String(index)}`, never);
    assert.ok(!watched.isWatched("s", "a:0") && watched.isWatched("s", "a:100"));
    assert.equal(pool.asked.length, 100);
    watched.dispose();
    assert.deepEqual(pool.asked, []);
  });
});

describe("the resources that a person opened", () => {
  it("are remembered as digests, the newest of them", () => {
    const stored = new Map<string, unknown>();
    const opened = createOpenedByPerson({
      keys: () => [...stored.keys()],
      get: (key: string) => stored.get(key) as never,
      update: async (key: string, value: unknown) => void stored.set(key, value),
    });
    const address = (uri: string) => ({ serverId: "s", uri, part: 0 });
    opened.add(address("secret:path"));
    assert.ok(opened.has(address("secret:path")));
    assert.ok(!opened.has({ ...address("secret:path"), part: 1 }));
    assert.ok(!JSON.stringify([...stored]).includes("secret:path"));
    for (let index = 0; index < 200; index += 1) opened.add(address(`a:${String(index)}`));
    assert.ok(!opened.has(address("secret:path")) && opened.has(address("a:0")));
  });

  it("are none when the storage holds something else", () => {
    const memento = { keys: () => [], get: () => "odd" as never, update: () => Promise.resolve() };
    assert.equal(createOpenedByPerson(memento).has({ serverId: "s", uri: "a:1", part: 0 }), false);
  });
});
