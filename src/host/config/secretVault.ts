import type * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { SecretVault } from "../services.ts";

const INDEX_KEY = "signalbox.secretNames";
const STORAGE_PREFIX = "signalbox.secret.";

/** What a placeholder `${secret:NAME}` may name. */
const SECRET_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** True for a name that `${secret:NAME}` can refer to. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Secrets in SecretStorage with an index of their names in `globalState`, because the storage of the oldest
 * supported editor cannot list its keys. The index is kept on this machine: secrets are not synchronised either.
 */
export function createSecretVault(
  storage: vscode.SecretStorage,
  state: vscode.Memento,
): SecretVault & Disposable {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<string>());
  store.add(
    storage.onDidChange((event) => {
      if (event.key.startsWith(STORAGE_PREFIX)) changed.fire(event.key.slice(STORAGE_PREFIX.length));
    }),
  );

  function names(): readonly string[] {
    const stored: unknown = state.get(INDEX_KEY);
    if (!Array.isArray(stored)) return [];
    return stored.filter((name): name is string => typeof name === "string").sort();
  }

  return {
    names,
    get: async (name) => storage.get(STORAGE_PREFIX + name),
    async set(name, value) {
      if (!isSecretName(name)) throw new RangeError(`Not a name for a secret: ${name}`);
      await storage.store(STORAGE_PREFIX + name, value);
      await state.update(INDEX_KEY, [...new Set([...names(), name])].sort());
    },
    async delete(name) {
      await storage.delete(STORAGE_PREFIX + name);
      await state.update(
        INDEX_KEY,
        names().filter((other) => other !== name),
      );
    },
    onDidChange: changed.event,
    dispose: () => {
      store.dispose();
    },
  };
}
