import type { JsonObject, JsonValue } from "../../../base/json.ts";
import { metaOf } from "../../channel.ts";
import { MODERN_REVISION } from "../../model/revision.ts";
import type { Implementation } from "../../model/server.ts";
import type { ServerLogLevel } from "../../model/serverLog.ts";
import type { InputModes } from "../../mrtr/inputRequired.ts";
import { encodeHeaderValue } from "../../transports/http/headerValue.ts";
import { declareExtensions } from "../declareExtensions.ts";
import { MODERN_METHODS } from "./methods.ts";
import { TASKS_EXTENSION } from "./modernTasks.ts";

/** Keys that the specification reserves for itself. */
export const META = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
} as const;

/** What one modern request says about itself. */
export interface EnvelopeFacts {
  readonly clientInfo: Implementation;
  /** Modes of input that can be answered in this call; undefined declares no elicitation. */
  readonly modes: InputModes | undefined;
  readonly progressToken: number | undefined;
  /** What the server may log while it works on this request; undefined asks it to be silent. */
  readonly logLevel?: ServerLogLevel | undefined;
  /** Names of extensions that are on for this server. */
  readonly extensions?: readonly string[] | undefined;
  /** True when the answer may be a task, and in all requests about tasks. */
  readonly tasks?: boolean;
}

/**
 * Parameters with the metadata that every modern request carries. Capabilities are declared per request,
 * so only what can be answered in this very call is declared.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export function envelope(params: JsonObject | undefined, facts: EnvelopeFacts): JsonObject {
  // Every request comes through here: set one by one, because spreading what is mostly absent takes several times as long.
  const meta: Record<string, JsonValue | undefined> = { ...metaOf(params) };
  meta[META.protocolVersion] = MODERN_REVISION;
  meta[META.clientInfo] = { ...facts.clientInfo };
  meta[META.clientCapabilities] = declareAll(facts);
  if (facts.progressToken !== undefined) meta["progressToken"] = facts.progressToken;
  if (facts.logLevel !== undefined) meta[META.logLevel] = facts.logLevel;
  return { ...params, _meta: meta };
}

function declareAll({ modes, extensions = [], tasks }: EnvelopeFacts): JsonObject {
  const input = declareInput(modes);
  if (extensions.length === 0 && tasks !== true) return input;
  return { ...input, ...declareExtensions(tasks === true ? [...extensions, TASKS_EXTENSION] : extensions) };
}

/** The capabilities for what can be answered. There is no change of roots to tell of: they are asked for anew. */
export function declareInput(modes: InputModes | undefined): JsonObject {
  if (modes === undefined) return {};
  const { form, url, sampling, roots } = modes;
  return {
    ...((form || url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
    ...(sampling !== undefined && { sampling: sampling === "tools" ? { tools: {} } : {} }),
    ...(roots === true && { roots: {} }),
  };
}

/**
 * Headers that repeat parts of the body for whoever routes it.
 * `mirrored` are the raw values of annotated arguments by header name.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function modernHeaders(
  method: string,
  params: JsonObject | undefined,
  mirrored: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = { "MCP-Protocol-Version": MODERN_REVISION, "Mcp-Method": method };
  const nameParam = MODERN_METHODS[method]?.nameParam;
  const name = nameParam === undefined ? undefined : params?.[nameParam];
  if (typeof name === "string") headers["Mcp-Name"] = encodeHeaderValue(name);
  for (const [header, value] of Object.entries(mirrored)) headers[header] = encodeHeaderValue(value);
  return headers;
}
