import type { JsonObject } from "../../base/json.ts";
import type { SampledBlock, SampledMessage } from "../../protocol/model/sampling.ts";

/** What streams from a model. */
export type AnswerPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool"; readonly id: string; readonly name: string; readonly input: JsonObject };

export interface AnswerLimits {
  readonly maxTokens: number;
  readonly stopSequences: readonly string[];
  /** Counts as the model does. */
  readonly countTokens: (text: string) => PromiseLike<number>;
  /** Told of the text so far. */
  readonly onText: (text: string) => void;
}

/** Characters that may come before the tokens are counted again. */
const COUNT_EVERY = 512;

/**
 * Reads a model's answer up to its limits. The editor's models are asked to keep them, but nothing makes them, so they
 * are kept here: the text ends before the first stop sequence and within the tokens, and the stream is left there.
 */
export async function collectAnswer(
  parts: AsyncIterable<AnswerPart>,
  limits: AnswerLimits,
): Promise<Omit<SampledMessage, "model">> {
  const tools: SampledBlock[] = [];
  let text = "";
  let countedAt = limits.maxTokens;
  let stopReason = "endTurn";
  for await (const part of parts) {
    if (part.kind === "tool") {
      tools.push({ type: "tool_use", id: part.id, name: part.name, input: part.input });
      continue;
    }
    text += part.text;
    limits.onText(text);
    const stop = findStop(text, limits.stopSequences);
    if (stop !== undefined) {
      text = text.slice(0, stop);
      stopReason = "stopSequence";
      break;
    }
    // A token is at least one character, so that a short text cannot have too many.
    if (text.length <= countedAt) continue;
    countedAt = text.length + COUNT_EVERY;
    if ((await limits.countTokens(text)) > limits.maxTokens) break;
  }
  if (text.length > limits.maxTokens) {
    const fitting = await cutToTokens(text, limits);
    if (fitting.length < text.length) stopReason = "maxTokens";
    text = fitting;
  }
  if (tools.length > 0) stopReason = "toolUse";
  const content: SampledBlock[] =
    text === "" && tools.length > 0 ? tools : [{ type: "text", text }, ...tools];
  return { content, stopReason };
}

/** The longest beginning of a text that has at most so many tokens. */
async function cutToTokens(text: string, { maxTokens, countTokens }: AnswerLimits): Promise<string> {
  if ((await countTokens(text)) <= maxTokens) return text;
  let fits = 0;
  let exceeds = text.length;
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if ((await countTokens(text.slice(0, middle))) <= maxTokens) fits = middle;
    else exceeds = middle;
  }
  const end = text.charCodeAt(fits - 1);
  // Never half of a character.
  const isHalf = end >= 0xd800 && end <= 0xdbff;
  return text.slice(0, isHalf ? fits - 1 : fits);
}

function findStop(text: string, sequences: readonly string[]): number | undefined {
  const places = sequences.filter((one) => one !== "").map((one) => text.indexOf(one));
  const found = places.filter((place) => place >= 0);
  return found.length === 0 ? undefined : Math.min(...found);
}
