/** What a lock file says about who holds it. */
export interface LockHolder {
  /** Random, made for each hold. */
  readonly owner: string;
  readonly pid: number;
  readonly host: string;
  /** The wall clock at the beginning, in milliseconds since the epoch. */
  readonly atMs: number;
  /** How long the machine was up then, in milliseconds: setting the wall clock does not touch it. */
  readonly upMs: number;
}

/** What is known when somebody looks at a lock. */
export interface LockSight {
  readonly host: string;
  readonly nowMs: number;
  readonly upMs: number;
  isRunning(pid: number): boolean;
}

/** No renewal takes this long: whoever holds a lock for longer has forgotten it. */
export const STALE_MS = 30_000;

/**
 * Whether a lock is still held. On the same machine neither a wall clock that jumps nor a process that is gone fools
 * it: time is counted from the start of the machine, and a time before that start means that the machine was restarted.
 * The file of a lock from elsewhere is judged by the wall clock alone, in either direction.
 */
export function judgeLock(holder: LockHolder, sight: LockSight): "held" | "stale" {
  if (holder.host !== sight.host) return Math.abs(sight.nowMs - holder.atMs) > STALE_MS ? "stale" : "held";
  if (!sight.isRunning(holder.pid)) return "stale";
  const heldMs = sight.upMs - holder.upMs;
  return heldMs < 0 || heldMs > STALE_MS ? "stale" : "held";
}
