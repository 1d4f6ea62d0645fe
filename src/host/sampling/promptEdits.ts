import type { SampledBlock, SampledMessage, SamplingRequest } from "../../protocol/model/sampling.ts";
import { type EditedTexts, SYSTEM_KEY } from "../../shared/samplingMessages.ts";

/** Names a text within a prompt. */
export function partKey(message: number, part: number): string {
  return `${String(message)}.${String(part)}`;
}

/** The prompt with the person's texts in place of the server's. What is no text stays, with everything in it. */
export function applyPromptEdits(request: SamplingRequest, texts: EditedTexts): SamplingRequest {
  const { systemPrompt, ...rest } = request;
  const system = systemPrompt === undefined ? undefined : editOf(texts, SYSTEM_KEY, systemPrompt);
  return {
    ...rest,
    // Somebody who empties it wants none.
    ...(system !== undefined && system.trim() !== "" && { systemPrompt: system }),
    messages: request.messages.map((message, index) => ({
      ...message,
      content: message.content.map((block, part) =>
        block.type === "text" ? { ...block, text: editOf(texts, partKey(index, part), block.text) } : block,
      ),
    })),
  };
}

/** The answer with the person's texts in place of the model's. */
export function applyAnswerEdits(message: SampledMessage, texts: EditedTexts): SampledMessage {
  return {
    ...message,
    content: message.content.map((block, part): SampledBlock =>
      block.type === "text" ? { ...block, text: editOf(texts, partKey(0, part), block.text) } : block,
    ),
  };
}

function editOf(texts: EditedTexts, key: string, original: string): string {
  return Object.hasOwn(texts, key) ? (texts[key] ?? original) : original;
}
