import type { JsonObject } from "./json.ts";

/** Levels in the order of VS Code's LogOutputChannel. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/**
 * Where a layer reports what happened. A message has two readings: `text` is safe for any log,
 * `sensitive` may hold headers, arguments and answers, and is shown only where the user asked for the wire.
 */
export interface Log {
  write(level: LogLevel, text: string, sensitive?: () => string | JsonObject): void;
}

/** A log that keeps nothing. */
export const silentLog: Log = { write: () => undefined };
