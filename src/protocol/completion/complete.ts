import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { CallOptions, Connection } from "../connection.ts";
import type { Completion, CompletionTarget } from "../model/completion.ts";
import { RPC_CODES, RpcError } from "../rpcError.ts";

/** The answer where nothing is proposed. */
export const NO_COMPLETION: Completion = { values: [], hasMore: false };
/** The specification allows no more; what a server sends beyond is left out. */
const MAX_VALUES = 100;

/**
 * Asks the server to propose values for one argument. An answer in a wrong form proposes nothing, and parts of an
 * answer are as good as they are. Undefined when the server does not know the method although it announces it.
 *
 * @throws RpcError, EngineError, NetError
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export async function complete(
  connection: Connection,
  target: CompletionTarget,
  argument: { readonly name: string; readonly value: string },
  known: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<Completion | undefined> {
  const ref =
    target.kind === "prompt"
      ? { type: "ref/prompt", name: target.name }
      : { type: "ref/resource", uri: target.uri };
  const params = {
    ref,
    argument: { name: argument.name, value: argument.value },
    ...(Object.keys(known).length > 0 && { context: { arguments: { ...known } } }),
  };
  try {
    const { result } = await connection.request("completion/complete", params, options);
    return readCompletion(result);
  } catch (error) {
    if (error instanceof RpcError && error.rpcCode === RPC_CODES.methodNotFound) return undefined;
    throw error;
  }
}

/** Reads the result of `completion/complete`, however little of it there is. */
export function readCompletion({ completion }: JsonObject): Completion {
  if (!isJsonObject(completion) || !Array.isArray(completion["values"])) return NO_COMPLETION;
  const texts = completion["values"].filter((value): value is string => typeof value === "string");
  const values = [...new Set(texts)];
  const { total, hasMore } = completion;
  return {
    values: values.slice(0, MAX_VALUES),
    ...(typeof total === "number" && total >= values.length && { total }),
    hasMore: hasMore === true || values.length > MAX_VALUES,
  };
}
