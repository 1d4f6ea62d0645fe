import type * as vscode from "vscode";
import type { CredentialStore } from "../../auth/model/credentialStore.ts";

const PREFIX = "signalbox.oauth.";

/** Keeps credentials in the editor's SecretStorage, beside the named secrets and apart from them. */
export function createSecretCredentialStore(storage: vscode.SecretStorage): CredentialStore {
  return {
    kind: "secret-storage",
    get: async (key) => storage.get(PREFIX + key),
    set: async (key, value) => storage.store(PREFIX + key, value),
    delete: async (key) => storage.delete(PREFIX + key),
    // The editor tells of changes in other windows too.
    onDidChange: (listener) =>
      storage.onDidChange((event) => {
        if (event.key.startsWith(PREFIX)) listener(event.key.slice(PREFIX.length));
      }),
  };
}
