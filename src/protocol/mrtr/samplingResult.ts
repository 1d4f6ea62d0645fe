import type { JsonObject } from "../../base/json.ts";
import type { SampledBlock, SampledMessage, SamplingRequest } from "../model/sampling.ts";

/**
 * The wire form of a model's answer. A request without tools gets one block, because that is all that the older
 * revision and many servers read; one with tools gets one block or a list.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#createmessageresult
 */
export function toCreateMessageResult(request: SamplingRequest, message: SampledMessage): JsonObject {
  const { model, stopReason } = message;
  return {
    role: "assistant",
    content: request.toolChoice === undefined ? oneText(message.content) : toContent(message.content),
    model,
    ...(stopReason !== undefined && { stopReason }),
  };
}

function oneText(blocks: readonly SampledBlock[]): JsonObject {
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return { type: "text", text: texts.join("") };
}

function toContent(blocks: readonly SampledBlock[]): JsonObject | JsonObject[] {
  const [first, ...others] = blocks.map((block) => toWire(block));
  if (first === undefined) return { type: "text", text: "" };
  return others.length === 0 ? first : [first, ...others];
}

function toWire(block: SampledBlock): JsonObject {
  if (block.type === "text") return { type: "text", text: block.text };
  const { id, name, input, meta } = block;
  return { type: "tool_use", id, name, input, ...(meta !== undefined && { _meta: meta }) };
}
