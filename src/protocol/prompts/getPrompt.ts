import { isJsonObject, type JsonValue } from "../../base/json.ts";
import type { CallOptions, Connection } from "../connection.ts";
import { EngineError } from "../engineError.ts";
import type { PromptMessage, PromptResult } from "../model/prompt.ts";
import { parseContentBlock } from "../tools/parseToolResult.ts";

/**
 * Gets one prompt and answers what the server asks for on the way.
 *
 * @throws RpcError, EngineError, NetError
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt
 */
export async function getPrompt(
  connection: Connection,
  name: string,
  args: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<{ readonly result: PromptResult; readonly rounds: number }> {
  const params = { name, arguments: { ...args } };
  const { result: raw, rounds } = await connection.request("prompts/get", params, options);
  const { messages, description } = raw;
  if (!Array.isArray(messages)) {
    const reason = "messages is not a list";
    throw new EngineError("invalid-result", { server: connection.serverName, method: "prompts/get", reason });
  }
  const result = {
    messages: messages.flatMap((message: JsonValue) => parseMessage(message)),
    ...(typeof description === "string" && { description }),
    raw,
  };
  return { result, rounds };
}

function parseMessage(value: JsonValue): readonly PromptMessage[] {
  if (!isJsonObject(value) || value["content"] === undefined) return [];
  const role = value["role"] === "assistant" ? "assistant" : "user";
  return [{ role, content: parseContentBlock(value["content"]) }];
}
