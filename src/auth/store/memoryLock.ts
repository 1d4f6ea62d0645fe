import { abortable } from "../../base/abortable.ts";
import { type Clock, delay } from "../../base/clock.ts";
import { deferred } from "../../base/deferred.ts";
import { AuthError } from "../authError.ts";
import type { CredentialLock } from "../model/credentialStore.ts";

/** How long a lock is waited for. */
export const LOCK_WAIT_MS = 10_000;

/** A lock within this process, for credentials that no other process can see. */
export function createMemoryLock(clock: Clock): CredentialLock {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(name, work, signal) {
      const before = last.get(name);
      const turn = deferred();
      // Whoever gives up waiting lets the next one wait for those before all the same.
      const mine = before === undefined ? turn.promise : before.then(() => turn.promise);
      last.set(name, mine);
      try {
        if (before !== undefined) await within(LOCK_WAIT_MS, before, { name, clock, signal });
        return await work();
      } finally {
        turn.resolve(undefined);
        void mine.then(() => {
          if (last.get(name) === mine) last.delete(name);
        });
      }
    },
  };
}

async function within(
  limitMs: number,
  before: Promise<unknown>,
  { name, clock, signal }: { name: string; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const done = new AbortController();
  const limit = delay(clock, limitMs, done.signal).then(() => {
    throw new AuthError("lock-timeout", { server: name });
  });
  try {
    await abortable(Promise.race([before, limit]), signal);
  } finally {
    done.abort();
  }
}
