import assert from "node:assert/strict";
import { type Disposable, DisposableStore } from "../../../../src/base/disposable.ts";
import { Emitter } from "../../../../src/base/emitter.ts";
import type { PoolNotice } from "../../../../src/client/serverPool.ts";
import { createOpenedByPerson } from "../../../../src/host/resources/openedByPerson.ts";
import { WatchedResources } from "../../../../src/host/resources/watchedResources.ts";

const never = new AbortController().signal;

let own: DisposableStore;

/** A pool that counts which resources are asked for. */
function countingPool() {
  const asked: string[] = [];
  const notices = own.add(new Emitter<PoolNotice>());
  return {
    asked,
    notices,
    onDidNotice: notices.event,
    async watchResource(id: string, uri: string): Promise<Disposable> {
      if (uri === "no:way") throw new Error("does not tell");
      asked.push(`${id} ${uri}`);
      return { dispose: () => void asked.splice(asked.indexOf(`${id} ${uri}`), 1) };
    },
  };
}

describe("the resources that a person watches", () => {
  beforeEach(() => {
    own = new DisposableStore();
  });
  afterEach(() => {
    own.dispose();
  });

  it("are asked for until they are no longer watched", async () => {
    const pool = countingPool();
    const watched = new WatchedResources(pool, () => false);
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
    const watched = new WatchedResources(countingPool(), () => false);
    await assert.rejects(watched.watch("s", "no:way", never));
    assert.ok(!watched.isWatched("s", "no:way"));
    watched.dispose();
  });

  it("are marked when they change unseen, until somebody looks at them", async () => {
    const pool = countingPool();
    const open = new Set<string>();
    const watched = new WatchedResources(pool, (_server, uri) => open.has(uri));
    await watched.watch("s", "a:1", never);
    await watched.watch("s", "a:open", never);
    await watched.watch("t", "a:1", never);
    let changes = 0;
    const listening = watched.onDidChange(() => (changes += 1));
    const tell = (serverId: string, uri: string): void => {
      pool.notices.fire({ serverId, notice: { kind: "resource-updated", uri } });
    };
    open.add("a:open");
    tell("s", "a:open");
    tell("s", "a:2");
    assert.equal(changes, 0);
    tell("s", "a:1/below");
    tell("s", "a:1");
    assert.equal(changes, 1);
    assert.ok(watched.isChanged("s", "a:1"), "also by what is below it");
    assert.ok(!watched.isChanged("t", "a:1") && !watched.isChanged("s", "a:open"));
    watched.markSeen("s", "a:1");
    watched.markSeen("s", "a:1");
    assert.ok(!watched.isChanged("s", "a:1") && watched.isWatched("s", "a:1"));
    assert.equal(changes, 2);
    tell("s", "a:1");
    watched.unwatch("s", "a:1");
    assert.ok(!watched.isChanged("s", "a:1"));
    listening.dispose();
    watched.dispose();
  });

  it("are at most a hundred, and given up with the window", async () => {
    const pool = countingPool();
    const watched = new WatchedResources(pool, () => false);
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
