import { assertNever } from "../../base/assertNever.ts";
import { stringifyJson } from "../../base/json.ts";
import type { CallOrigin } from "../../client/serverPool.ts";
import type { SampledMessage, SamplingBlock, SamplingRequest } from "../../protocol/model/sampling.ts";
import type { SamplingAsk } from "../../protocol/mrtr/clientFeatures.ts";
import type { AnswerView, PromptPartView, PromptView } from "../../shared/samplingMessages.ts";
import type { Translate } from "../../shared/translate.ts";
import { base64Bytes } from "../panels/toResultView.ts";
import { partKey } from "./promptEdits.ts";

/** Image types that models of the editor take. */
export const MODEL_IMAGES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

/** Says who wants a model's answer, and in which call. */
export function explainSampling(ask: SamplingAsk, origin: CallOrigin | undefined, t: Translate): string {
  const { serverId: server, target } = ask;
  if (target === undefined) {
    return t("The server “{server}” wants the answer of a language model. It did not say for which call.", {
      server,
    });
  }
  const args = { server, tool: target };
  switch (origin) {
    case "panel":
      return t(
        "You called “{tool}” of “{server}”, and it wants the answer of a language model to go on.",
        args,
      );
    case "chat":
      return t(
        "“{tool}” of “{server}” was called from chat, and it wants the answer of a language model to go on.",
        args,
      );
    case "api":
      return t(
        "Another extension called “{tool}” of “{server}”, and it wants the answer of a language model to go on.",
        args,
      );
    case "cli":
    case undefined:
      return t("“{tool}” of “{server}” wants the answer of a language model to go on.", args);
  }
}

/** The whole prompt as a person reads it; nothing that goes to the model is left out. */
export function viewPrompt(request: SamplingRequest, t: Translate): PromptView {
  return {
    systemPrompt: request.systemPrompt,
    messages: request.messages.map(({ role, content }, message) => ({
      role,
      parts: content.map((block, part) => viewBlock(block, partKey(message, part), t)),
    })),
    facts: viewFacts(request, t),
    tools: request.tools.map(({ name, description, inputSchema }) => ({
      name,
      description: description ?? "",
      schema: stringifyJson(inputSchema, 2),
    })),
    warnings: viewWarnings(request, t),
  };
}

/** A model's answer as a person reads it before it goes back. */
export function viewAnswer(message: SampledMessage, t: Translate): AnswerView {
  return {
    parts: message.content.map((block, part) => viewBlock(block, partKey(0, part), t)),
    end: describeEnd(message.stopReason, t),
  };
}

function describeEnd(stopReason: string | undefined, t: Translate): string {
  switch (stopReason) {
    case "maxTokens":
      return t("The answer was cut where the server's limit of tokens is reached.");
    case "stopSequence":
      return t("The answer ends before a text at which the server wants it to stop.");
    case "toolUse":
      return t("The model wants to use tools of the server, which the server carries out itself.");
    default:
      return t("The model came to its end.");
  }
}

function viewBlock(block: SamplingBlock, key: string, t: Translate): PromptPartView {
  switch (block.type) {
    case "text":
      return { kind: "text", key, text: block.text };
    case "image":
      if (MODEL_IMAGES.has(block.mimeType))
        return { kind: "image", mimeType: block.mimeType, data: block.data };
      return { kind: "data", title: t("An image that is not passed on"), text: describeData(block, t) };
    case "audio":
      return { kind: "data", title: t("A sound that is not passed on"), text: describeData(block, t) };
    case "tool_use":
      return {
        kind: "data",
        title: t("Use of the tool “{tool}”", { tool: block.name }),
        text: stringifyJson(block.input, 2),
      };
    case "tool_result":
      return {
        kind: "data",
        title: block.isError ? t("Failure of a tool") : t("Result of a tool"),
        text: stringifyJson(
          {
            content: block.content.map(({ raw }) => raw),
            ...(block.structuredContent !== undefined && { structuredContent: block.structuredContent }),
          },
          2,
        ),
      };
    default:
      return assertNever(block);
  }
}

function describeData(
  { mimeType, data }: { readonly mimeType: string; readonly data: string },
  t: Translate,
): string {
  return t("{type}, {bytes} bytes", { type: mimeType, bytes: base64Bytes(data) });
}

/** What the server wants beside the messages, and what becomes of it. */
function viewFacts(request: SamplingRequest, t: Translate): PromptView["facts"] {
  const { maxTokens, temperature, stopSequences, modelHints, priorities, toolChoice } = request;
  const facts = [{ name: t("At most"), value: t("{count} tokens", { count: maxTokens }) }];
  if (temperature !== undefined) facts.push({ name: t("Temperature"), value: String(temperature) });
  if (stopSequences.length > 0) {
    facts.push({ name: t("Stops at"), value: stopSequences.map((one) => JSON.stringify(one)).join(", ") });
  }
  if (modelHints.length > 0) facts.push({ name: t("The server suggests"), value: modelHints.join(", ") });
  const claims = [
    priorities.cost === undefined ? [] : [t("low cost {value}", { value: priorities.cost })],
    priorities.speed === undefined ? [] : [t("speed {value}", { value: priorities.speed })],
    priorities.intelligence === undefined ? [] : [t("ability {value}", { value: priorities.intelligence })],
  ].flat();
  if (claims.length > 0) facts.push({ name: t("The server values"), value: claims.join(", ") });
  if (toolChoice === "required") facts.push({ name: t("Tools"), value: t("The model has to use one.") });
  if (toolChoice === "none") facts.push({ name: t("Tools"), value: t("The model may use none.") });
  return facts;
}

function viewWarnings(request: SamplingRequest, t: Translate): readonly string[] {
  const warnings: string[] = [];
  if (request.includeContext !== "none") {
    warnings.push(t("The server wants context from servers to be added. Nothing is added."));
  }
  const isLost = (block: SamplingBlock): boolean =>
    block.type === "audio" || (block.type === "image" && !MODEL_IMAGES.has(block.mimeType));
  if (request.messages.some(({ content }) => content.some(isLost))) {
    warnings.push(
      t("The editor's models do not take everything in this prompt. The model is told what is missing."),
    );
  }
  return warnings;
}
