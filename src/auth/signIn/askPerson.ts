import { abortable } from "../../base/abortable.ts";
import { AuthError } from "../authError.ts";
import type { AuthContext } from "../model/authContext.ts";

/** How long a person has for each thing that a sign-in asks of them, the browser included. */
const LIMIT_MINUTES = 10;

/**
 * Waits for a person: until they have answered, the sign-in is cancelled, or ten minutes are over. The signal that is
 * given to `ask` is aborted then, and also when the answer is there.
 *
 * @throws AuthError `sign-in-timeout`, the reason of the context's signal, or what `ask` rejects with.
 */
export async function askPerson<T>(
  context: Pick<AuthContext, "settings" | "clock" | "signal">,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  context.signal.throwIfAborted();
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  const timer = context.clock.after(LIMIT_MINUTES * 60_000, () => {
    const args = { server: context.settings.serverName, minutes: LIMIT_MINUTES };
    over.abort(new AuthError("sign-in-timeout", args));
  });
  try {
    return await abortable(ask(signal), signal);
  } finally {
    timer.dispose();
    over.abort();
  }
}
