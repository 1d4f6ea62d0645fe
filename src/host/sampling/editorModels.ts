import * as vscode from "vscode";
import { isJsonObject, stringifyJson } from "../../base/json.ts";
import { ClientError } from "../../client/clientError.ts";
import type { SamplingBlock, SamplingMessage, SamplingRequest } from "../../protocol/model/sampling.ts";
import { assignToolNames } from "../chat/toolNames.ts";
import { type AnswerPart, collectAnswer } from "./collectAnswer.ts";
import type { DeskModel } from "./samplingDesk.ts";
import { MODEL_IMAGES } from "./samplingView.ts";

type MessagePart =
  vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart;

/** Newer editors can hand images to models. */
interface NewerEditor {
  readonly LanguageModelDataPart?: { image(data: Uint8Array, mimeType: string): MessagePart };
}

/** All models of the editor, whoever provides them. */
export async function listEditorModels(): Promise<readonly DeskModel[]> {
  const models = await vscode.lm.selectChatModels();
  return models.map((model) => ({
    id: model.id,
    name: model.name,
    vendor: model.vendor,
    family: model.family,
    run: (request, how, signal) => run(model, request, how, signal),
  }));
}

async function run(
  model: vscode.LanguageModelChat,
  request: SamplingRequest,
  { serverId, onText }: Parameters<DeskModel["run"]>[1],
  signal: AbortSignal,
): ReturnType<DeskModel["run"]> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => {
    source.cancel();
  };
  signal.throwIfAborted();
  signal.addEventListener("abort", cancel, { once: true });
  const names = assignToolNames(request.tools.map(({ name }) => ({ serverId, toolName: name })));
  try {
    const response = await model.sendRequest(
      toMessages(request, names),
      toOptions(request, serverId, names),
      source.token,
    );
    const { content, stopReason } = await collectAnswer(readParts(response.stream, names), {
      maxTokens: request.maxTokens,
      stopSequences: request.stopSequences,
      countTokens: (text) => model.countTokens(text, source.token),
      onText,
    });
    return { content, model: model.id, ...(stopReason !== undefined && { stopReason }) };
  } catch (error) {
    signal.throwIfAborted();
    throw toProblem(error, serverId, model.name);
  } finally {
    signal.removeEventListener("abort", cancel);
    // Also stops a model whose answer was left at a limit.
    source.cancel();
    source.dispose();
  }
}

type ToolNames = ReturnType<typeof assignToolNames>;

function toOptions(
  request: SamplingRequest,
  server: string,
  names: ToolNames,
): vscode.LanguageModelChatRequestOptions {
  const { maxTokens, temperature, stopSequences, tools, toolChoice } = request;
  const offered = toolChoice === "none" ? [] : tools;
  return {
    justification: vscode.l10n.t(
      "The MCP server “{server}” asks a language model, and you allowed this request.",
      { server },
    ),
    // The names that most providers read. Limits are kept again when the answer is read.
    modelOptions: {
      max_tokens: maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences.length > 0 && { stop: [...stopSequences] }),
    },
    ...(offered.length > 0 && {
      tools: offered.map(({ name, description, inputSchema }) => ({
        name: modelName(names, name),
        description: description ?? "",
        inputSchema,
      })),
      toolMode:
        toolChoice === "required"
          ? vscode.LanguageModelChatToolMode.Required
          : vscode.LanguageModelChatToolMode.Auto,
    }),
  };
}

/** The editor's models have no role for a system prompt, so that it goes first, as the user's. */
function toMessages(request: SamplingRequest, names: ToolNames): vscode.LanguageModelChatMessage[] {
  return [
    ...(request.systemPrompt === undefined
      ? []
      : [vscode.LanguageModelChatMessage.User(request.systemPrompt)]),
    ...request.messages.map((message) => toMessage(message, names)),
  ];
}

function toMessage({ role, content }: SamplingMessage, names: ToolNames): vscode.LanguageModelChatMessage {
  const message =
    role === "user"
      ? vscode.LanguageModelChatMessage.User("")
      : vscode.LanguageModelChatMessage.Assistant("");
  message.content = content.map((block) => toPart(block, names));
  return message;
}

function toPart(block: SamplingBlock, names: ToolNames): MessagePart {
  switch (block.type) {
    case "text":
      return new vscode.LanguageModelTextPart(block.text);
    case "image":
    case "audio": {
      const { LanguageModelDataPart } = vscode as unknown as NewerEditor;
      if (LanguageModelDataPart !== undefined && MODEL_IMAGES.has(block.mimeType)) {
        return LanguageModelDataPart.image(Buffer.from(block.data, "base64"), block.mimeType);
      }
      return new vscode.LanguageModelTextPart(
        `[Content of the type ${block.mimeType} could not be passed on.]`,
      );
    }
    case "tool_use":
      return new vscode.LanguageModelToolCallPart(block.id, modelName(names, block.name), block.input);
    case "tool_result": {
      const texts = block.content.map((one) => (one.type === "text" ? one.text : stringifyJson(one.raw)));
      if (block.structuredContent !== undefined) texts.push(stringifyJson(block.structuredContent));
      if (block.isError) texts.unshift("The tool failed:");
      return new vscode.LanguageModelToolResultPart(
        block.toolUseId,
        texts.map((text) => new vscode.LanguageModelTextPart(text)),
      );
    }
  }
}

async function* readParts(stream: AsyncIterable<unknown>, names: ToolNames): AsyncIterable<AnswerPart> {
  for await (const part of stream) {
    if (part instanceof vscode.LanguageModelTextPart) yield { kind: "text", text: part.value };
    else if (part instanceof vscode.LanguageModelToolCallPart) {
      const input: unknown = part.input;
      const name = names.get(part.name)?.toolName ?? part.name;
      yield { kind: "tool", id: part.callId, name, input: isJsonObject(input) ? input : {} };
    }
  }
}

/** The name that models accept for a tool of the server; a tool of an earlier turn that is gone keeps its own. */
function modelName(names: ToolNames, toolName: string): string {
  for (const [name, address] of names) if (address.toolName === toolName) return name;
  return toolName.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
}

/** What went wrong at a model, for the person. Codes decide; the provider's words are added as they are. */
function toProblem(error: unknown, server: string, model: string): Error {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof vscode.LanguageModelError ? error.code : "";
  switch (code) {
    case vscode.LanguageModelError.NoPermissions.name:
      return new ClientError("model-not-allowed", { server, model }, { cause: error });
    case vscode.LanguageModelError.Blocked.name:
      return new ClientError("model-blocked", { server, model, reason }, { cause: error });
    case vscode.LanguageModelError.NotFound.name:
      return new ClientError("model-gone", { server, model }, { cause: error });
    default:
      return new ClientError("model-failed", { server, model, reason }, { cause: error });
  }
}
