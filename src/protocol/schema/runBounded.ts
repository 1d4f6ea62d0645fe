import { type Context, createContext, Script } from "node:vm";

/** The function that the context's only script runs. One context for all: making one costs more than a validation. */
const holder: { run: () => void } = { run: () => undefined };
let prepared: { readonly script: Script; readonly context: Context } | undefined;

/**
 * Runs a synchronous function for at most this many milliseconds.
 * A regular expression or a schema from a server can take for ever; only V8's own watchdog can end it,
 * and `node:vm` is where Node offers that watchdog. Nothing is isolated by it.
 *
 * @throws an error with the code `ERR_SCRIPT_EXECUTION_TIMEOUT` when the time is up, else whatever the function throws.
 */
export function runBounded<T>(run: () => T, limitMs: number): T {
  prepared ??= { script: new Script("run()"), context: createContext(holder) };
  let outcome: { readonly value: T } | undefined;
  const outer = holder.run;
  holder.run = () => {
    outcome = { value: run() };
  };
  try {
    prepared.script.runInContext(prepared.context, { timeout: limitMs });
  } finally {
    holder.run = outer;
  }
  return takeOutcome(outcome);
}

function takeOutcome<T>(outcome: { readonly value: T } | undefined): T {
  if (outcome === undefined) throw new Error("The bounded function did not run.");
  return outcome.value;
}

/** True for the error that ends a function that took too long. It may come from another realm, so no `instanceof`. */
export function isTimeUp(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
