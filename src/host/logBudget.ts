/** Characters that may be written at once, and how many come back in a second. */
const BURST = 1024 * 1024;
const PER_SECOND = 128 * 1024;
/** What has to have come back before somebody who used everything may write again: a pause, not a stutter. */
const ENOUGH = BURST / 4;

/**
 * Bounds what one server can make the editor write to disk: its error output and its log messages go into a log file,
 * and a server that never stops talking would fill the disk. What is left out is counted.
 */
export class LogBudget {
  #left = BURST;
  #atMs = 0;
  #leftOut = 0;
  #isMuted = false;

  /** Undefined when the entry has to be left out; else how many were since the last one that was written. */
  take(length: number, nowMs: number): number | undefined {
    const elapsed = Math.max(0, nowMs - this.#atMs);
    this.#left = Math.min(BURST, this.#left + (elapsed / 1000) * PER_SECOND);
    this.#atMs = nowMs;
    this.#isMuted = this.#left < (this.#isMuted ? ENOUGH : length);
    if (this.#isMuted) {
      this.#leftOut += 1;
      return undefined;
    }
    this.#left -= length;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
