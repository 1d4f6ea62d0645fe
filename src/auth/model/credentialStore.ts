import type { Disposable } from "../../base/disposable.ts";

/** Where credentials are kept: SecretStorage, a file, or memory. Values are JSON texts and secret. */
export interface CredentialStore {
  readonly kind: "secret-storage" | "file" | "memory";
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Fires with the key of a record that another window may have changed. */
  onDidChange(listener: (key: string) => void): Disposable;
}

/** Keeps several windows and processes of one installation from renewing the same credential at once. */
export interface CredentialLock {
  /**
   * Runs alone among all who use the same name, in this process and in others. Waits at most ten seconds; a lock whose
   * holder is gone is taken over. Rejects with AuthError `lock-timeout`.
   */
  run<T>(name: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}
