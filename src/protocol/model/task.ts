import type { JsonObject } from "../../base/json.ts";
import type { JsonRpcErrorObject } from "../jsonrpc/message.ts";

export const TASK_STATUSES = ["working", "input_required", "completed", "failed", "cancelled"] as const;

/** How far a task is. The last three are final. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What a server said of one of its tasks, the same for both eras. Texts are the server's: untrusted. */
export interface Task {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage: string | undefined;
  /** The server's own texts of times: compared with each other, never with our clock. */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  /** How long the server keeps it from its beginning, in milliseconds; null for ever. */
  readonly ttlMs: number | null;
  /** How long the server wants to be left alone between two questions, in milliseconds. */
  readonly pollIntervalMs: number | undefined;
  /** What the server wants to know before it goes on, by its own keys; where it says that here. */
  readonly inputRequests: JsonObject | undefined;
  /** How a finished task ended, where the server says that here. */
  readonly outcome:
    | { readonly kind: "result"; readonly result: JsonObject }
    | { readonly kind: "error"; readonly error: JsonRpcErrorObject }
    | undefined;
}

/** True when nothing more will come of a task. */
export function isFinal(status: TaskStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
