import type { Clock } from "../../base/clock.ts";
import type { CredentialLock } from "../model/credentialStore.ts";

/** A lock within this process, for credentials that no other process can see. */
export function createMemoryLock(_clock: Clock): CredentialLock {
  throw new Error("not built yet");
}
