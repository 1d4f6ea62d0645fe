import type { JsonObject } from "../../../base/json.ts";
import { metaOf } from "../../channel.ts";
import type { JsonRpcNotification } from "../../jsonrpc/message.ts";

/** Parameters that ask for progress under a token; as they were without one. */
export function withProgress(
  params: JsonObject | undefined,
  token: number | undefined,
): JsonObject | undefined {
  if (token === undefined) return params;
  return { ...params, _meta: { ...metaOf(params), progressToken: token } };
}

/** Tells the server that nobody waits for a request any more. */
export function cancelled(requestId: number): JsonRpcNotification {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}
