import { type Clock, delay } from "../../../base/clock.ts";

/** How long each step of a shutdown waits before the next one, in milliseconds. */
const STEP_MS = 2_000;
/** How often a process group is looked at: the system does not report the end of one. */
const LOOK_MS = 25;

/** What a shutdown does to a process and what started from it. */
export interface Stoppable {
  /** True while anything of it is running. */
  readonly isAlive: boolean;
  /** True when the process itself has exited. */
  readonly hasExited: boolean;
  /** Resolves when the process itself has exited; its children may live on. */
  readonly exited: Promise<void>;
  terminate(): void;
  kill(): void;
}

/**
 * Ends a server in the order that MCP recommends: close its input, wait, ask the process group to end, wait,
 * kill it. An abort of `hurry` goes on to the kill at once. Bounded: what survives even that is given up.
 * @returns false when something is still running
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export async function shutDown(
  tree: Stoppable,
  closeInput: () => void,
  clock: Clock,
  hurry: AbortSignal,
): Promise<boolean> {
  // What a process leaves behind when it exits on its own does not watch the input.
  const isLeftover = tree.hasExited;
  closeInput();
  if (!isLeftover && (await isGoneWithin(STEP_MS, tree, clock, hurry))) return true;
  if (!hurry.aborted && tree.isAlive) {
    tree.terminate();
    if (await isGoneWithin(STEP_MS, tree, clock, hurry)) return true;
  }
  if (tree.isAlive) tree.kill();
  return isGoneWithin(STEP_MS, tree, clock, undefined);
}

async function isGoneWithin(
  limitMs: number,
  tree: Stoppable,
  clock: Clock,
  hurry: AbortSignal | undefined,
): Promise<boolean> {
  const end = clock.now() + limitMs;
  while (tree.isAlive && clock.now() < end && hurry?.aborted !== true) {
    await nextLook(tree, clock, hurry);
  }
  return !tree.isAlive;
}

/** Waits for the exit of the process, for the next look at its group, or for the hurry. */
async function nextLook(tree: Stoppable, clock: Clock, hurry: AbortSignal | undefined): Promise<void> {
  const wake = new AbortController();
  const onWake = (): void => {
    wake.abort();
  };
  // Once the process has exited, this stays silent and only the looks tell about its group.
  let isWaiting = true;
  void tree.exited.then(() => {
    if (isWaiting && !tree.isAlive) onWake();
  });
  hurry?.addEventListener("abort", onWake, { once: true });
  try {
    await delay(clock, LOOK_MS, wake.signal);
  } catch {
    // Woken early: the caller looks at what happened.
  } finally {
    isWaiting = false;
    hurry?.removeEventListener("abort", onWake);
  }
}
