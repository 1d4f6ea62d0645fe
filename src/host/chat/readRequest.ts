import * as vscode from "vscode";
import type { PastTurn } from "./conversation.ts";
import { cutText } from "./resultForModel.ts";

/** Characters of one attachment, and how many are read. */
const MAX_ATTACHMENT = 20_000;
const MAX_ATTACHMENTS = 10;

/** Earlier turns of this chat with `@signalbox`. */
export function readHistory(history: vscode.ChatContext["history"]): readonly PastTurn[] {
  return history.map((turn): PastTurn => {
    if (turn instanceof vscode.ChatRequestTurn) return { role: "user", text: turn.prompt };
    const parts = turn.response.map((part) =>
      part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : "",
    );
    return { role: "assistant", text: parts.join(""), calls: turn.result.metadata?.["calls"] };
  });
}

/** What the person attached to a request, as text for the model. */
export async function readReferences(
  references: readonly vscode.ChatPromptReference[],
): Promise<readonly string[]> {
  return Promise.all(references.slice(0, MAX_ATTACHMENTS).map(readReference));
}

async function readReference({ value }: vscode.ChatPromptReference): Promise<string> {
  if (typeof value === "string") return quote("Attached text", value);
  const uri = value instanceof vscode.Location ? value.uri : value;
  if (!(uri instanceof vscode.Uri)) return "[An attachment of a kind that cannot be read here]";
  const name = vscode.workspace.asRelativePath(uri);
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return quote(
      `Attached file ${name}`,
      document.getText(value instanceof vscode.Location ? value.range : undefined),
    );
  } catch {
    return `[The attachment ${name} could not be read as text]`;
  }
}

function quote(title: string, text: string): string {
  return `[${title}]\n${cutText(text, MAX_ATTACHMENT)}`;
}
