import { isJsonObject, type JsonObject } from "../../../base/json.ts";
import { metaOf } from "../../channel.ts";
import type { JsonRpcResponse } from "../../jsonrpc/message.ts";

const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** The id of the task that a message belongs to. */
export function relatedTask(params: JsonObject | undefined): string | undefined {
  const related = metaOf(params)[RELATED_TASK];
  const taskId = isJsonObject(related) ? related["taskId"] : undefined;
  return typeof taskId === "string" ? taskId : undefined;
}

/** Names a task among the ids of our own requests, which are numbers. */
export function taskKey(taskId: string): string {
  return `task ${taskId}`;
}

/**
 * An answer that says to which task it belongs, as the question did. An error has no place for that.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#associating-task-related-messages
 */
export function withRelatedTask(response: JsonRpcResponse, taskId: string | undefined): JsonRpcResponse {
  if (taskId === undefined || !("result" in response)) return response;
  const { result } = response;
  return { ...response, result: { ...result, _meta: { ...metaOf(result), [RELATED_TASK]: { taskId } } } };
}
