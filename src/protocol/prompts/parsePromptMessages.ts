import { isJsonObject, type JsonValue } from "../../base/json.ts";
import type { PromptMessage } from "../model/prompt.ts";
import { shorten } from "../shorten.ts";
import { parseContentBlock } from "../tools/parseToolResult.ts";

/** Warnings about the messages of one prompt; more are only counted. */
const MAX_WARNINGS = 5;

/**
 * Reads the messages of a prompt. Nothing is left out: a message in an odd form is kept as a block of its own with
 * everything in it, and a warning says what is odd. Content in a list, as sampling has it, becomes several messages.
 */
export function parsePromptMessages(list: readonly JsonValue[]): {
  readonly messages: readonly PromptMessage[];
  readonly warnings: readonly string[];
} {
  const messages: PromptMessage[] = [];
  const odd: string[] = [];
  for (const [index, value] of list.entries()) {
    const { parts, oddity } = parseMessage(value);
    messages.push(...parts);
    if (oddity !== undefined) odd.push(`Message ${String(index + 1)} of the prompt ${oddity}.`);
  }
  const rest = odd.length - MAX_WARNINGS;
  const more = rest > 0 ? [`${String(rest)} more messages of the prompt have an odd form.`] : [];
  return { messages, warnings: [...odd.slice(0, MAX_WARNINGS), ...more] };
}

function parseMessage(value: JsonValue): {
  readonly parts: readonly PromptMessage[];
  readonly oddity?: string;
} {
  if (!isJsonObject(value))
    return { parts: [{ role: "user", content: parseContentBlock(value) }], oddity: "is not an object" };
  const { role: said, content } = value;
  const role = said === "assistant" ? "assistant" : "user";
  if (content === undefined) {
    const block = { type: "unknown", name: "?", raw: value } as const;
    return { parts: [{ role, content: block }], oddity: "has no content" };
  }
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [content];
  const parts = blocks.map((block): PromptMessage => ({ role, content: parseContentBlock(block) }));
  if (said !== "user" && said !== "assistant") {
    const name = typeof said === "string" ? `“${shorten(said, 40)}”` : "no text";
    return { parts, oddity: `has the role ${name} and is taken for the user's` };
  }
  if (Array.isArray(content)) return { parts, oddity: "has its content in a list" };
  return isJsonObject(content) ? { parts } : { parts, oddity: "has content that is not an object" };
}
