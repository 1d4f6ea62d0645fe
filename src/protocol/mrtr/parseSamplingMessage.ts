import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../base/json.ts";
import type { SamplingBlock, SamplingMessage } from "../model/sampling.ts";
import { parseContentBlock } from "../tools/parseToolResult.ts";

/** Stops the reading of a request for a model's answer; caught at its top. */
export class MalformedSampling extends Error {}

/**
 * Reads one message of a conversation, with one block or a list of them. `place` counts from 1 and names it in errors.
 * @throws MalformedSampling
 */
export function parseSamplingMessage(value: JsonValue, place: number): SamplingMessage {
  const where = `message ${String(place)}`;
  if (!isJsonObject(value)) throw new MalformedSampling(`${where} is not an object`);
  const { role, content } = value;
  if (role !== "user" && role !== "assistant") throw new MalformedSampling(`${where} has no known role`);
  const blocks: readonly (JsonValue | undefined)[] = Array.isArray(content) ? content : [content];
  if (blocks.length === 0) throw new MalformedSampling(`${where} has no content`);
  return { role, content: blocks.map((block) => readBlock(block, where)) };
}

function readBlock(value: JsonValue | undefined, where: string): SamplingBlock {
  if (!isJsonObject(value)) throw new MalformedSampling(`${where} has no content`);
  switch (value["type"]) {
    case "text": {
      const { text } = value;
      if (typeof text !== "string") throw new MalformedSampling(`${where} has a text block without text`);
      return { type: "text", text };
    }
    case "image":
    case "audio": {
      const { type, data, mimeType } = value;
      if (typeof data !== "string" || typeof mimeType !== "string") {
        throw new MalformedSampling(`${where} has an incomplete ${type} block`);
      }
      return { type, data, mimeType };
    }
    case "tool_use":
      return readToolUse(value, where);
    case "tool_result":
      return readToolResult(value, where);
    default:
      throw new MalformedSampling(`${where} has content of the type ${stringifyJson(value["type"] ?? null)}`);
  }
}

function readToolUse(value: JsonObject, where: string): SamplingBlock {
  const { id, name, input } = value;
  if (typeof id !== "string" || id === "" || typeof name !== "string" || !isJsonObject(input)) {
    throw new MalformedSampling(`${where} has an incomplete tool_use block`);
  }
  return { type: "tool_use", id, name, input, ...metaOf(value) };
}

function readToolResult(value: JsonObject, where: string): SamplingBlock {
  const { toolUseId, content, structuredContent, isError } = value;
  if (typeof toolUseId !== "string" || !Array.isArray(content)) {
    throw new MalformedSampling(`${where} has an incomplete tool_result block`);
  }
  return {
    type: "tool_result",
    toolUseId,
    content: content.map((block: JsonValue) => parseContentBlock(block)),
    ...(structuredContent !== undefined && { structuredContent }),
    isError: isError === true,
    ...metaOf(value),
  };
}

function metaOf(value: JsonObject): { readonly meta?: JsonObject } {
  const meta = value["_meta"];
  return isJsonObject(meta) ? { meta } : {};
}
