import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../base/json.ts";
import type { JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../jsonrpc/message.ts";

const MASK = "•••";

/**
 * A message of ours as the wire log may hold it: everything but what a person or a model answered.
 * The names of the fields stay, so that a server's author sees what was sent back.
 */
export function wireText(message: JsonRpcRequest | JsonRpcNotification | JsonRpcResponse): string {
  if ("result" in message) return stringifyJson({ ...message, result: maskAnswer(message.result) });
  if (!("params" in message)) return stringifyJson(message);
  const responses = message.params["inputResponses"];
  if (!isJsonObject(responses)) return stringifyJson(message);
  return stringifyJson({
    ...message,
    params: { ...message.params, inputResponses: mapValues(responses, maskAnswer) },
  });
}

/** An answer with its values masked; a form that was not accepted has none. */
function maskAnswer(answer: JsonValue | undefined): JsonValue | undefined {
  const content = isJsonObject(answer) ? answer["content"] : undefined;
  if (!isJsonObject(answer) || typeof content !== "object" || content === null) return answer;
  return { ...answer, content: isJsonObject(content) ? mapValues(content, () => MASK) : MASK };
}

function mapValues(
  object: JsonObject,
  map: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
