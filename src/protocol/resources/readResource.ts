import { isJsonObject, type JsonValue } from "../../base/json.ts";
import type { Answered, CallOptions, Connection } from "../connection.ts";
import { EngineError } from "../engineError.ts";
import type { ResourceResult } from "../model/resource.ts";
import { RPC_CODES, type RpcError } from "../rpcError.ts";
import { shorten } from "../shorten.ts";
import { parseContents } from "./parseContents.ts";

/** A read resource with what is known about how it came. */
export interface ResourceAnswer extends Omit<Answered, "result"> {
  readonly result: ResourceResult;
}

/**
 * Reads one resource through the server and answers what the server asks for on the way. The URI is only a name for
 * the server: nothing is opened on this machine or fetched from the web, whatever its scheme.
 *
 * @throws EngineError `no-such-resource` in the server's words; RpcError, EngineError, NetError
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources
 */
export async function readResource(
  connection: Connection,
  uri: string,
  options: CallOptions,
): Promise<ResourceAnswer> {
  const server = connection.serverName;
  const { result: raw, ...how } = await connection.request("resources/read", { uri }, options, (error) =>
    isNotFound(error, uri)
      ? new EngineError(
          "no-such-resource",
          { server, uri: shorten(uri, MAX_URI), reason: error.message },
          { cause: error, httpStatus: error.httpStatus },
        )
      : error,
  );
  const { contents } = raw;
  if (!Array.isArray(contents)) {
    const reason = "contents is not a list";
    throw new EngineError("invalid-result", { server, method: "resources/read", reason });
  }
  return { ...how, result: { contents: contents.map((item: JsonValue) => parseContents(item, uri)), raw } };
}

/** Characters of a URI that a message shows. */
const MAX_URI = 500;

/**
 * The URI is the only parameter of the request, so an invalid parameter is the resource, unless the server says that
 * it means another one. Servers of the older generation have a code of their own.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
 */
export function isNotFound({ rpcCode, data }: RpcError, uri: string): boolean {
  if (rpcCode === RPC_CODES.resourceNotFound) return true;
  if (rpcCode !== RPC_CODES.invalidParams) return false;
  const named = isJsonObject(data) ? data["uri"] : undefined;
  return typeof named !== "string" || named === uri;
}
