/** Every bound of the engine in one place. Sizes are bytes, times are milliseconds. */
export interface Limits {
  /** One stdio line, one HTTP body, one SSE event. */
  readonly messageBytes: number;
  /** What is kept of a process's error output. */
  readonly stderrBytes: number;
  /** Requests under way at once; further ones wait. */
  readonly concurrentRequests: number;
  readonly listPages: number;
  readonly listItems: number;
  readonly inputRounds: number;
  /** All input requests of one round together. */
  readonly inputBytes: number;
  readonly requestStateBytes: number;
  readonly schemaDepth: number;
  readonly schemaNodes: number;
  /** For one validation of a value against a schema, in milliseconds. */
  readonly schemaMs: number;
}

/** Time limits of one server. */
export interface Timeouts {
  /** For `server/discover` before the legacy handshake is tried on its own. */
  readonly probeMs: number;
  /** Silence on stdio after which `initialize` is sent beside the probe. */
  readonly hedgeMs: number;
  /** For starting a server and agreeing on the protocol; listing its tools has the limit of a request. */
  readonly connectMs: number;
  /** For one request; progress starts it anew. */
  readonly requestMs: number;
  /** For one request however much progress it makes. */
  readonly maximumMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  messageBytes: 64 * 1024 * 1024,
  stderrBytes: 256 * 1024,
  concurrentRequests: 64,
  listPages: 1_000,
  listItems: 20_000,
  inputRounds: 10,
  inputBytes: 1024 * 1024,
  requestStateBytes: 1024 * 1024,
  schemaDepth: 64,
  schemaNodes: 10_000,
  schemaMs: 250,
};

export const DEFAULT_TIMEOUTS: Timeouts = {
  probeMs: 20_000,
  hedgeMs: 3_000,
  connectMs: 30_000,
  requestMs: 60_000,
  maximumMs: 24 * 60 * 60 * 1000,
};
