/** Says that a result was not fetched for this request: it is a copy that was kept. */
export interface CacheNote {
  /** Milliseconds since the server sent it. */
  readonly ageMs: number;
  /** True when its time is over, and it is shown because the server cannot be reached. */
  readonly isStale: boolean;
}
