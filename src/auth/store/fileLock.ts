import { type Clock, systemClock } from "../../base/clock.ts";
import type { CredentialLock } from "../model/credentialStore.ts";

export interface FileLockOptions {
  /** Absolute. Made when it is not there, for this user alone. */
  readonly directory: string;
  readonly clock?: Clock;
}

/** A lock among all processes that use the same directory. */
export function createFileLock(options: FileLockOptions): CredentialLock {
  throw new Error(`not built yet: ${(options.clock ?? systemClock).now()}`);
}
