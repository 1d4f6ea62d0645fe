import * as vscode from "vscode";
import { isJsonObject } from "../../base/json.ts";
import type { ModelTool } from "./chatTools.ts";
import type { ModelPart } from "./resultForModel.ts";
import type { LoopMessage, LoopPorts, ModelOutput } from "./toolLoop.ts";

/** Newer editors can hand images to models; older ones lack the class, and their models get a note instead. */
interface NewerEditor {
  readonly LanguageModelDataPart?: { image(data: Uint8Array, mimeType: string): unknown };
}

/** What newer editors say about a model. */
interface ModelCapabilities {
  readonly capabilities?: { readonly supportsImageToText?: boolean };
}

type ResultContent = ConstructorParameters<typeof vscode.LanguageModelToolResultPart>[1];

/** Speaks to one of the editor's models, whoever provides it, as the tool loop does. */
export function connectModel(
  model: vscode.LanguageModelChat,
  tools: readonly ModelTool[],
): LoopPorts["send"] {
  const seesImages =
    (model as vscode.LanguageModelChat & ModelCapabilities).capabilities?.supportsImageToText !== false;
  return async function* send(messages, signal) {
    const source = new vscode.CancellationTokenSource();
    const cancel = (): void => {
      source.cancel();
    };
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const options: vscode.LanguageModelChatRequestOptions =
        tools.length === 0 ? {} : { tools: tools.map((tool) => ({ ...tool })) };
      const response = await model.sendRequest(toMessages(messages, seesImages), options, source.token);
      for await (const part of response.stream) {
        const output = toOutput(part);
        if (output !== undefined) yield output;
      }
    } finally {
      signal.removeEventListener("abort", cancel);
      source.dispose();
    }
  };
}

/** Parts of a result for whoever asked: text, and images where the editor can pass them on. */
export function toResultContent(parts: readonly ModelPart[], seesImages = true): ResultContent {
  const { LanguageModelDataPart } = vscode as unknown as NewerEditor;
  return parts.map((part) => {
    if (part.kind === "text") return new vscode.LanguageModelTextPart(part.text);
    if (LanguageModelDataPart === undefined || !seesImages) {
      return new vscode.LanguageModelTextPart(
        `[The image, ${part.mimeType}, cannot be shown to this model.]`,
      );
    }
    return LanguageModelDataPart.image(Buffer.from(part.base64, "base64"), part.mimeType);
  });
}

function toMessages(
  messages: readonly LoopMessage[],
  seesImages: boolean,
): vscode.LanguageModelChatMessage[] {
  return messages.map((message) => {
    switch (message.role) {
      case "user":
        return vscode.LanguageModelChatMessage.User(message.text);
      case "assistant":
        return vscode.LanguageModelChatMessage.Assistant([
          ...(message.text === "" ? [] : [new vscode.LanguageModelTextPart(message.text)]),
          ...message.calls.map(
            (call) => new vscode.LanguageModelToolCallPart(call.callId, call.name, call.input),
          ),
        ]);
      case "results":
        return vscode.LanguageModelChatMessage.User(
          message.answers.map(
            ({ callId, parts }) =>
              new vscode.LanguageModelToolResultPart(callId, toResultContent(parts, seesImages)),
          ),
        );
    }
  });
}

/** Parts of kinds that this editor or its models may add later are passed over. */
function toOutput(part: unknown): ModelOutput | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: "text", text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const input: unknown = part.input;
    return {
      kind: "call",
      call: { callId: part.callId, name: part.name, input: isJsonObject(input) ? input : {} },
    };
  }
  return undefined;
}
