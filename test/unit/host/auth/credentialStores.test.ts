import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CredentialStore } from "../../../../src/auth/model/credentialStore.ts";
import { silentLog } from "../../../../src/base/log.ts";
import { chooseStoreKind } from "../../../../src/host/auth/chooseCredentialStore.ts";
import { readInstallationId } from "../../../../src/host/auth/installationId.ts";
import { createLateStore } from "../../../../src/host/auth/lateStore.ts";
import { createSecretCredentialStore } from "../../../../src/host/auth/secretCredentialStore.ts";
import { readSecretsVerdict } from "../../../../src/host/auth/secretsLast.ts";

/** The two places of an editor, of which one may forget everything. */
function fakePlaces() {
  const secrets = new Map<string, string>();
  const state = new Map<string, unknown>();
  const context = {
    secrets: {
      get: async (key: string) => secrets.get(key),
      store: async (key: string, value: string) => void secrets.set(key, value),
    },
    globalState: {
      get: (key: string) => state.get(key),
      update: async (key: string, value: unknown) => void state.set(key, value),
    },
  } as unknown as Parameters<typeof readSecretsVerdict>[0];
  return { secrets, context };
}

function mapStore(kind: CredentialStore["kind"]) {
  const values = new Map<string, string>();
  const listeners = new Set<(key: string) => void>();
  const store: CredentialStore = {
    kind,
    get: async (key) => values.get(key),
    set: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
    onDidChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
  };
  return { store, values, listeners };
}

describe("where credentials are kept", () => {
  it("is found out by what an earlier session of the editor stored", async () => {
    const { context, secrets } = fakePlaces();
    assert.equal(await readSecretsVerdict(context, "one"), "unknown");
    assert.equal(await readSecretsVerdict(context, "one"), "unknown", "the same session proves nothing");
    assert.equal(await readSecretsVerdict(context, "two"), "last");
    secrets.clear();
    assert.equal(await readSecretsVerdict(context, "three"), "vanish");
    assert.equal(await readSecretsVerdict(context, "four"), "last");
  });

  it("counts as vanishing where nothing can be stored", async () => {
    const { context } = fakePlaces();
    const fails = (): Promise<never> => Promise.reject(new Error("no keyring"));
    const broken = { ...context, secrets: { get: fails, store: fails } } as unknown as typeof context;
    assert.equal(await readSecretsVerdict(broken, "one"), "vanish");
  });

  for (const [setting, verdict, isWeb, kind, announce] of [
    ["auto", "unknown", false, "secret-storage", false],
    ["auto", "last", false, "secret-storage", false],
    ["auto", "vanish", false, "file", true],
    ["auto", "unknown", true, "file", true],
    ["auto", "last", true, "secret-storage", false],
    ["secret", "vanish", true, "secret-storage", false],
    ["file", "last", false, "file", false],
  ] as const) {
    it(`is ${kind} for ${setting}, where secrets ${verdict}${isWeb ? " in a browser" : ""}`, () => {
      assert.deepEqual(chooseStoreKind({ setting, verdict, isWeb }), { kind, announce });
    });
  }

  it("is decided once, when it is first used", async () => {
    const secret = mapStore("secret-storage");
    const file = mapStore("file");
    let decisions = 0;
    const late = createLateStore(async () => {
      decisions += 1;
      return { store: file.store, older: secret.store };
    });
    const heard: string[] = [];
    const watching = late.onDidChange((key) => heard.push(key));
    assert.equal(decisions, 0);
    await Promise.all([late.set("a", "1"), late.get("b")]);
    assert.deepEqual([decisions, late.kind, file.values.get("a")], [1, "file", "1"]);
    for (const listener of file.listeners) listener("a");
    assert.deepEqual(heard, ["a"]);
    watching.dispose();
    assert.equal(file.listeners.size, 0);
  });

  it("takes along what was kept in the other place", async () => {
    const secret = mapStore("secret-storage");
    const file = mapStore("file");
    file.values.set("a", "old");
    const late = createLateStore(async () => ({ store: secret.store, older: file.store }));
    assert.equal(await late.get("a"), "old");
    assert.deepEqual([[...secret.values], [...file.values]], [[["a", "old"]], []]);
    file.values.set("b", "left");
    await late.delete("b");
    assert.equal(file.values.size, 0, "signing out leaves nothing anywhere");
  });
});

describe("the editor's secret storage as a place for credentials", () => {
  it("keeps them apart from the named secrets, and tells of changes in other windows", async () => {
    const kept = new Map<string, string>([["signalbox.secret.TOKEN", "a named one"]]);
    const listeners = new Set<(event: { readonly key: string }) => void>();
    const storage = {
      get: async (key: string) => kept.get(key),
      store: async (key: string, value: string) => void kept.set(key, value),
      delete: async (key: string) => void kept.delete(key),
      onDidChange: (listener: (event: { readonly key: string }) => void) => {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
    } as unknown as Parameters<typeof createSecretCredentialStore>[0];
    const store = createSecretCredentialStore(storage);
    assert.equal(store.kind, "secret-storage");
    await store.set("record", "{}");
    assert.equal(await store.get("record"), "{}");
    assert.equal(await store.get("TOKEN"), undefined);
    const heard: string[] = [];
    const watching = store.onDidChange((key) => heard.push(key));
    for (const listener of listeners) {
      for (const key of kept.keys()) listener({ key });
    }
    assert.deepEqual(heard, ["record"]);
    watching.dispose();
    assert.equal(listeners.size, 0);
    await store.delete("record");
    assert.deepEqual([...kept.keys()], ["signalbox.secret.TOKEN"]);
  });
});

describe("the id of an installation", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "signalbox-id-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is made once, for this user alone", async () => {
    const directory = join(folder, "new");
    const id = readInstallationId(directory, silentLog);
    assert.match(id, /^[\da-f-]{36}$/);
    assert.equal(readInstallationId(directory, silentLog), id);
    if (process.platform !== "win32")
      assert.equal((await stat(join(directory, "installation-id"))).mode & 0o777, 0o600);
  });

  it("is made anew when it was damaged", async () => {
    await writeFile(join(folder, "installation-id"), "half an i");
    const id = readInstallationId(folder, silentLog);
    assert.equal((await readFile(join(folder, "installation-id"), "utf8")).trim(), id);
  });
});
