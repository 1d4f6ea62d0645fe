import { isJsonObject, type JsonObject, readAmount } from "../../base/json.ts";
import { EngineError } from "../engineError.ts";
import type { JsonRpcErrorObject } from "../jsonrpc/message.ts";
import { type Task, TASK_STATUSES } from "../model/task.ts";
import { shorten } from "../shorten.ts";

/** Characters of an id. It goes into headers and is remembered. */
const MAX_ID = 1_024;
/** Characters of a status message that are kept: it is shown to persons. */
const MAX_MESSAGE = 500;

/** How an era spells what a task says of itself, and who said it. */
export interface TaskReading {
  readonly server: string;
  readonly method: string;
  readonly ttlKey: "ttlMs" | "ttl";
  readonly pollKey: "pollIntervalMs" | "pollInterval";
}

/**
 * Reads a task leniently: an id and a known status are needed, everything else may be missing or odd.
 *
 * @throws EngineError `invalid-result`
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export function parseTask(value: unknown, reading: TaskReading): Task {
  if (!isJsonObject(value)) throw invalid(reading, "there is no task in it");
  const { taskId, statusMessage, createdAt, lastUpdatedAt, inputRequests } = value;
  if (typeof taskId !== "string" || taskId === "") throw invalid(reading, "the task has no taskId");
  if (taskId.length > MAX_ID) throw invalid(reading, `the taskId has more than ${String(MAX_ID)} characters`);
  const status = TASK_STATUSES.find((one) => one === value["status"]);
  if (status === undefined) throw invalid(reading, "the task has no status that is known");
  return {
    taskId,
    status,
    statusMessage:
      typeof statusMessage === "string" && statusMessage.trim() !== ""
        ? shorten(statusMessage, MAX_MESSAGE)
        : undefined,
    createdAt: typeof createdAt === "string" ? createdAt : undefined,
    updatedAt: typeof lastUpdatedAt === "string" ? lastUpdatedAt : undefined,
    ttlMs: readDuration(value[reading.ttlKey]) ?? null,
    pollIntervalMs: readDuration(value[reading.pollKey]),
    inputRequests: isJsonObject(inputRequests) ? inputRequests : undefined,
    outcome: readOutcome(status, value),
  };
}

function readDuration(value: unknown): number | undefined {
  const amount = readAmount(value);
  return amount === undefined || !Number.isFinite(amount) || amount < 0 ? undefined : amount;
}

function readOutcome(status: Task["status"], { result, error }: JsonObject): Task["outcome"] {
  if (status === "completed" && isJsonObject(result)) return { kind: "result", result };
  if (status !== "failed" || !isJsonObject(error)) return undefined;
  const { code, message, data } = error;
  if (typeof code !== "number") return undefined;
  const read: JsonRpcErrorObject = {
    code,
    message: typeof message === "string" ? message : "",
    ...(data !== undefined && { data }),
  };
  return { kind: "error", error: read };
}

function invalid({ server, method }: TaskReading, reason: string): EngineError {
  return new EngineError("invalid-result", { server, method, reason });
}
