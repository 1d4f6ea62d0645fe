import { approvalDigest } from "../approval.ts";
import type { ServerConfig } from "../serverConfig.ts";

/**
 * What is kept of a task so that it is found again after the connection, or the window, was gone. No arguments, no
 * results, no secrets.
 */
export interface StoredTask {
  readonly taskId: string;
  /** The exact name of the tool. */
  readonly tool: string;
  /** When it began, on our own clock, in milliseconds since the epoch. */
  readonly begunMs: number;
  /** How long the server keeps it from then; null for ever. */
  readonly ttlMs: number | null;
  /** Keys of questions that were answered: no answer is given twice. */
  readonly answered: readonly string[];
}

/** Remembers the tasks of servers. Keys are those of `taskStoreKey`. */
export interface TaskStore {
  get(key: string): readonly StoredTask[];
  /** An empty list forgets the server. */
  set(key: string, tasks: readonly StoredTask[]): void;
}

/**
 * Under what the tasks of a server are kept: its name, with a digest of what decides which server it is. A server
 * whose definition changed is another one, and is not asked about tasks of the former.
 */
export function taskStoreKey(config: ServerConfig): string {
  return `${config.id} ${approvalDigest(config)}`;
}
