import * as vscode from "vscode";
import type { JsonObject } from "../../base/json.ts";
import { translate } from "../wording.ts";
import type { ApprovalChoice } from "./approvals.ts";
import { dialogQuestion } from "./callQuestion.ts";
import type { ChatTarget } from "./chatTargets.ts";

/**
 * Asks in a dialog whether chat may make this very request. Closing the dialog denies. The dialog cannot be taken away
 * when the request is cancelled, so an answer that comes after that counts for nothing.
 */
export async function askApproval(
  target: ChatTarget,
  args: JsonObject,
  signal: AbortSignal,
): Promise<ApprovalChoice> {
  const question = dialogQuestion(target, args, translate);
  const once = vscode.l10n.t("Allow Once");
  const session = vscode.l10n.t("Allow for This Session");
  const { showAll } = question;
  const deny: vscode.MessageItem = { title: vscode.l10n.t("Deny"), isCloseAffordance: true };
  const items = [once, session, ...(question.rest === undefined ? [] : [showAll])].map((title) => ({
    title,
  }));
  for (;;) {
    const chosen = await vscode.window.showWarningMessage(
      question.title,
      { modal: true, detail: question.detail },
      ...items,
      deny,
    );
    signal.throwIfAborted();
    if (chosen?.title === showAll) {
      await showArguments(question.rest ?? "");
      continue;
    }
    if (chosen?.title === once) return "once";
    return chosen?.title === session ? "session" : "deny";
  }
}

async function showArguments(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language: "json" });
  await vscode.window.showTextDocument(document, { preview: true });
}
