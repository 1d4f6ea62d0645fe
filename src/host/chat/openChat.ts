import * as vscode from "vscode";

/** What to put into the chat view. */
export interface ChatDraft {
  /** Words for the input, which the person may change before they are sent. */
  readonly text?: string;
  /** A document to attach. */
  readonly file?: vscode.Uri;
}

const OPEN = "workbench.action.chat.open";

/** Opens the chat view with a draft; nothing is sent. False when this editor has no chat. */
export async function openChat({ text, file }: ChatDraft): Promise<boolean> {
  const commands = await vscode.commands.getCommands(true);
  if (!commands.includes(OPEN)) {
    void vscode.window.showInformationMessage(vscode.l10n.t("This editor has no chat view."));
    return false;
  }
  await vscode.commands.executeCommand(OPEN, {
    query: text ?? "",
    isPartialQuery: true,
    ...(file === undefined ? {} : { attachFiles: [file] }),
  });
  return true;
}
