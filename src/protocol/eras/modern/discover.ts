import { isJsonObject, type JsonObject } from "../../../base/json.ts";
import type { Implementation, ServerCapabilities } from "../../model/server.ts";
import { readImplementation } from "../readImplementation.ts";
import { META } from "./envelope.ts";

/** What `server/discover` tells, checked. @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover */
export interface DiscoverResult {
  readonly supportedVersions: readonly string[];
  readonly capabilities: ServerCapabilities;
  readonly server: Implementation | undefined;
  readonly instructions: string | undefined;
}

/**
 * Reads a DiscoverResult; undefined when the result is something else.
 * Lenient servers answer any method with something, so only the required shape proves the modern era.
 */
export function readDiscoverResult(result: JsonObject): DiscoverResult | undefined {
  const { supportedVersions, capabilities, instructions, _meta: meta } = result;
  if (result["resultType"] !== undefined && result["resultType"] !== "complete") return undefined;
  if (!Array.isArray(supportedVersions) || !isJsonObject(capabilities)) return undefined;
  const versions = supportedVersions.filter((version): version is string => typeof version === "string");
  if (versions.length === 0) return undefined;
  return {
    supportedVersions: versions,
    capabilities,
    server: readImplementation(isJsonObject(meta) ? meta[META.serverInfo] : undefined),
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}
