import { abortable } from "../base/abortable.ts";
import type { Clock } from "../base/clock.ts";

/** How long somebody waits for lists that changed: some servers never stop announcing changes. */
const LIMIT_MS = 2_000;

/** Waits for something that would be good to have, and goes on without it after two seconds. Rejects with the signal. */
export async function waitAWhile(wanted: Promise<unknown>, clock: Clock, signal: AbortSignal): Promise<void> {
  const limit = new AbortController();
  const timer = clock.after(LIMIT_MS, () => {
    limit.abort();
  });
  try {
    await abortable(wanted, AbortSignal.any([signal, limit.signal]));
  } catch {
    signal.throwIfAborted();
  } finally {
    timer.dispose();
  }
}
