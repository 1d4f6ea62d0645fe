import type { Log } from "../../base/log.ts";
import type { CredentialStore } from "../model/credentialStore.ts";

export interface FileStoreOptions {
  /** Absolute. Made when it is not there, for this user alone. */
  readonly directory: string;
  readonly log: Log;
}

/** Keeps credentials in files that only this user can read: for where the editor has no lasting secret storage. */
export function createFileCredentialStore(_options: FileStoreOptions): CredentialStore {
  throw new Error("not built yet");
}
