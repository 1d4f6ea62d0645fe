import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { CallOptions, Connection } from "../connection.ts";
import { EngineError } from "../engineError.ts";
import type { ResourceContents, ResourceResult } from "../model/resource.ts";

/**
 * Reads one resource and answers what the server asks for on the way.
 *
 * @throws RpcError, EngineError, NetError
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources
 */
export async function readResource(
  connection: Connection,
  uri: string,
  options: CallOptions,
): Promise<{ readonly result: ResourceResult; readonly rounds: number }> {
  const { result: raw, rounds } = await connection.request("resources/read", { uri }, options);
  const { contents } = raw;
  if (!Array.isArray(contents)) {
    const reason = "contents is not a list";
    throw new EngineError("invalid-result", {
      server: connection.serverName,
      method: "resources/read",
      reason,
    });
  }
  return { result: { contents: contents.flatMap((item: JsonValue) => parseContents(item)), raw }, rounds };
}

function parseContents(value: JsonValue): readonly ResourceContents[] {
  if (!isJsonObject(value) || typeof value["uri"] !== "string") return [];
  const { uri, mimeType, text, blob } = value as JsonObject & { readonly uri: string };
  return [
    {
      uri,
      ...(typeof mimeType === "string" && { mimeType }),
      ...(typeof text === "string" && { text }),
      ...(typeof blob === "string" && { blob }),
      raw: value,
    },
  ];
}
