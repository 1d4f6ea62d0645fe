import { isJsonObject } from "../../base/json.ts";
import type { CallOptions, Connection } from "../connection.ts";
import type { Completion, CompletionTarget } from "../model/completion.ts";

const NONE: Completion = { values: [], hasMore: false };
/** The specification allows no more; what a server sends beyond is left out. */
const MAX_VALUES = 100;

/**
 * Asks the server to propose values for one argument. A server that announces no completions is not asked, and an
 * answer in a wrong form proposes nothing.
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
): Promise<Completion> {
  if (connection.negotiation.capabilities["completions"] === undefined) return NONE;
  const ref =
    target.kind === "prompt"
      ? { type: "ref/prompt", name: target.name }
      : { type: "ref/resource", uri: target.uri };
  const params = {
    ref,
    argument: { ...argument },
    ...(Object.keys(known).length > 0 && { context: { arguments: { ...known } } }),
  };
  const { result } = await connection.request("completion/complete", params, options);
  const { completion } = result;
  if (!isJsonObject(completion) || !Array.isArray(completion["values"])) return NONE;
  const values = completion["values"].filter((value): value is string => typeof value === "string");
  const { total, hasMore } = completion;
  return {
    values: values.slice(0, MAX_VALUES),
    ...(typeof total === "number" && { total }),
    hasMore: hasMore === true || values.length > MAX_VALUES,
  };
}
