import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/**
 * Request ids of ours are integers, counted up per connection. Peers may use strings, and integers of any size,
 * which an answer must carry to the last digit.
 */
export type RequestId = string | number | bigint;

/** A request, either way. @see https://modelcontextprotocol.io/specification/2026-07-28/basic */
export interface JsonRpcRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A message without an answer. */
export interface JsonRpcNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: JsonObject;
}

/** What a peer says went wrong. */
export interface JsonRpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

/** A successful answer. */
export interface JsonRpcResult {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result: JsonObject;
}

/** A failed answer. Servers may leave the id out, or send null, when they could not read the request. */
export interface JsonRpcError {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId | null;
  readonly error: JsonRpcErrorObject;
}

export type JsonRpcResponse = JsonRpcResult | JsonRpcError;

/** What a value read from the wire turned out to be. */
export type IncomingMessage =
  | { readonly kind: "request"; readonly message: JsonRpcRequest }
  | { readonly kind: "notification"; readonly message: JsonRpcNotification }
  | { readonly kind: "response"; readonly message: JsonRpcResponse }
  | { readonly kind: "invalid"; readonly reason: string };

/**
 * Tells what a parsed JSON value is, in constant time and without copying it.
 * Batches are invalid in every revision that is spoken here.
 */
export function classifyMessage(value: unknown): IncomingMessage {
  if (!isJsonObject(value)) {
    return { kind: "invalid", reason: Array.isArray(value) ? "a batch" : "not a JSON object" };
  }
  if (value["jsonrpc"] !== "2.0") return { kind: "invalid", reason: 'no "jsonrpc": "2.0"' };
  const { id, method, params } = value;
  if (typeof method === "string") return classifyCall(value, id, params);
  if ("result" in value) {
    if (!isId(id)) return { kind: "invalid", reason: "a result without an id" };
    if (!isJsonObject(value["result"])) return { kind: "invalid", reason: "a result that is not an object" };
    return { kind: "response", message: value as unknown as JsonRpcResult };
  }
  if ("error" in value) {
    if (!isErrorObject(value["error"])) return { kind: "invalid", reason: "an error without a numeric code" };
    if (id !== undefined && id !== null && !isId(id))
      return { kind: "invalid", reason: "an error with an odd id" };
    return { kind: "response", message: value as unknown as JsonRpcError };
  }
  return { kind: "invalid", reason: "neither method, result nor error" };
}

function classifyCall(value: JsonObject, id: unknown, params: unknown): IncomingMessage {
  if (params !== undefined && !isJsonObject(params))
    return { kind: "invalid", reason: "params that are not an object" };
  if (id === undefined) return { kind: "notification", message: value as unknown as JsonRpcNotification };
  if (!isId(id)) return { kind: "invalid", reason: "a request with an odd id" };
  return { kind: "request", message: value as unknown as JsonRpcRequest };
}

/** True for a failed answer. */
export function isErrorResponse(response: JsonRpcResponse): response is JsonRpcError {
  return "error" in response;
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "bigint" || Number.isInteger(value);
}

function isErrorObject(value: unknown): value is JsonRpcErrorObject & JsonObject {
  return isJsonObject(value) && typeof value["code"] === "number";
}
