import type { CallOptions, Connection } from "../connection.ts";
import { EngineError } from "../engineError.ts";
import type { Prompt, PromptResult } from "../model/prompt.ts";
import { RPC_CODES } from "../rpcError.ts";
import { shorten } from "../shorten.ts";
import { checkPromptArguments } from "./checkPromptArguments.ts";
import { parsePromptMessages } from "./parsePromptMessages.ts";

/**
 * Gets one prompt and answers what the server asks for on the way.
 *
 * @param declared what the server listed under this name; undefined when it lists no such prompt
 * @throws EngineError `missing-argument` and `argument-not-text` before anything is sent, `prompt-refused` in the
 *   server's words; RpcError, EngineError, NetError
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt
 */
export async function getPrompt(
  connection: Connection,
  name: string,
  declared: Prompt | undefined,
  args: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<{ readonly result: PromptResult; readonly rounds: number }> {
  const server = connection.serverName;
  checkPromptArguments(server, name, declared, args);
  const params = { name, arguments: { ...args } };
  const { result: raw, rounds } = await connection.request("prompts/get", params, options, (error) =>
    error.rpcCode === RPC_CODES.invalidParams
      ? new EngineError(
          "prompt-refused",
          { server, prompt: shorten(name), reason: error.message },
          { cause: error, httpStatus: error.httpStatus },
        )
      : error,
  );
  const { messages, description } = raw;
  if (!Array.isArray(messages)) {
    const reason = "messages is not a list";
    throw new EngineError("invalid-result", { server, method: "prompts/get", reason });
  }
  const result = {
    ...parsePromptMessages(messages),
    ...(typeof description === "string" && { description }),
    raw,
  };
  return { result, rounds };
}
