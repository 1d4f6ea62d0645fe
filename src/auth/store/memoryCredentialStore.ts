import type { CredentialStore } from "../model/credentialStore.ts";
import { StoreListeners } from "./storeListeners.ts";

/** Keeps credentials until the process ends. */
export function createMemoryCredentialStore(): CredentialStore {
  const values = new Map<string, string>();
  const listeners = new StoreListeners();
  return {
    kind: "memory",
    get: (key) => Promise.resolve(values.get(key)),
    set: (key, value) => {
      values.set(key, value);
      listeners.fire(key);
      return Promise.resolve();
    },
    delete: (key) => {
      if (values.delete(key)) listeners.fire(key);
      return Promise.resolve();
    },
    onDidChange: (listener) => listeners.add(listener),
  };
}
