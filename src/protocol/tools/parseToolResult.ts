import { isJsonObject, type JsonObject, type JsonValue, readAmount } from "../../base/json.ts";
import { EngineError } from "../engineError.ts";
import type { Limits } from "../limits.ts";
import type { ContentBlock, StructuredCheck, Tool, ToolResult } from "../model/tool.ts";
import type { prepareSchema } from "../schema/prepareSchema.ts";
import { reasonText } from "../schema/schemaTexts.ts";

/** What reading a result takes beside it. */
export interface ReadOptions {
  readonly serverName: string;
  readonly limits: Limits;
  /** Checks values; left out where there is nothing to check. */
  readonly prepareSchema?: typeof prepareSchema | undefined;
}

/**
 * Reads a finished `tools/call`. Blocks of unknown types are kept, `isError` is the tool's own word,
 * and only `structuredContent` is compared with the output schema, never the whole result.
 *
 * @throws EngineError `invalid-result` when there is nothing that could be content
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 */
export function parseToolResult(raw: JsonObject, tool: Tool | undefined, options: ReadOptions): ToolResult {
  const { content } = raw;
  const hasStructured = "structuredContent" in raw && raw["structuredContent"] !== undefined;
  if (!Array.isArray(content) && !(content === undefined && hasStructured)) {
    throw new EngineError("invalid-result", {
      server: options.serverName,
      method: "tools/call",
      reason: "content is not a list",
    });
  }
  const isError = raw["isError"] === true;
  const structured = raw["structuredContent"];
  return {
    content: (Array.isArray(content) ? content : []).map((block: JsonValue) => parseContentBlock(block)),
    isError,
    ...(structured !== undefined && { structuredContent: structured }),
    structuredCheck: checkStructured(structured, isError, tool?.outputSchema, options),
    raw,
  };
}

function checkStructured(
  structured: JsonValue | undefined,
  isError: boolean,
  schema: JsonObject | undefined,
  { prepareSchema, limits, serverName }: ReadOptions,
): StructuredCheck {
  if (schema === undefined) {
    return structured === undefined
      ? { kind: "none" }
      : { kind: "unchecked", reason: reasonText("no-schema") };
  }
  // A failed tool owes nothing but its message, so that the message is what the person sees.
  if (isError)
    return structured === undefined
      ? { kind: "none" }
      : { kind: "unchecked", reason: reasonText("tool-failed") };
  if (structured === undefined) return { kind: "missing" };
  if (prepareSchema === undefined) throw new Error(`No checks of schemas were loaded for ${serverName}`);
  const prepared = prepareSchema(schema, limits);
  if (prepared.kind === "unusable") return { kind: "unchecked", reason: prepared.reason };
  return prepared.check(structured);
}

/** Reads one content block; what is unknown or incomplete becomes a block of type `unknown` with everything in it. */
export function parseContentBlock(value: JsonValue): ContentBlock {
  if (!isJsonObject(value)) return { type: "unknown", name: typeof value, raw: { value } };
  switch (value["type"]) {
    case "text":
      return typeof value["text"] === "string"
        ? { type: "text", text: value["text"], raw: value }
        : unknown(value);
    case "image":
    case "audio": {
      const { type, data, mimeType } = value;
      if (typeof data !== "string" || typeof mimeType !== "string") return unknown(value);
      return { type, data, mimeType, raw: value };
    }
    case "resource_link":
      return parseLink(value);
    case "resource":
      return parseResource(value);
    default:
      return unknown(value);
  }
}

function parseLink(value: JsonObject): ContentBlock {
  const { uri, name, title, description, mimeType } = value;
  if (typeof uri !== "string") return unknown(value);
  const size = readAmount(value["size"]);
  return {
    type: "resource_link",
    uri,
    name: typeof name === "string" ? name : uri,
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    ...(typeof mimeType === "string" && { mimeType }),
    ...(size !== undefined && { size }),
    raw: value,
  };
}

function parseResource(value: JsonObject): ContentBlock {
  const resource = value["resource"];
  if (!isJsonObject(resource) || typeof resource["uri"] !== "string") return unknown(value);
  const { uri, mimeType, text, blob } = resource;
  return {
    type: "resource",
    uri,
    ...(typeof mimeType === "string" && { mimeType }),
    ...(typeof text === "string" && { text }),
    ...(typeof blob === "string" && { blob }),
    raw: value,
  };
}

function unknown(value: JsonObject): ContentBlock {
  const type = value["type"];
  return { type: "unknown", name: typeof type === "string" ? type : "?", raw: value };
}
