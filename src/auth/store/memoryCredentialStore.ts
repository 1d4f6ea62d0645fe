import type { CredentialStore } from "../model/credentialStore.ts";

/** Keeps credentials until the process ends. */
export function createMemoryCredentialStore(): CredentialStore {
  throw new Error("not built yet");
}
