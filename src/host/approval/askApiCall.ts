import * as vscode from "vscode";
import type { JsonObject } from "../../base/json.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import { argumentsText } from "../chat/callQuestion.ts";
import type { InfoDocuments } from "../views/infoDocuments.ts";

/** What a dialog can show before its buttons leave the screen. */
const MAX_LINES = 24;
const MAX_LENGTH = 1_200;

/** A call that another extension wants to make. */
export interface ApiCall {
  /** Who it says it is; nothing can check that. */
  readonly caller: string;
  readonly serverId: string;
  readonly tool: string;
  readonly args: JsonObject;
}

/** Asks whether another extension may make a call. Closing the dialog denies. */
export async function askApiCall(
  call: ApiCall,
  documents: InfoDocuments,
): Promise<"once" | "session" | "deny"> {
  const { l10n, window } = vscode;
  const whole = argumentsText(call.args);
  const fits = whole.length <= MAX_LENGTH && whole.split("\n").length <= MAX_LINES;
  const question = l10n.t("Allow “{caller}” to call “{tool}” on the server “{server}”?", {
    caller: showInvisible(call.caller).slice(0, 100),
    tool: showInvisible(call.tool),
    server: showInvisible(call.serverId),
  });
  const once = l10n.t("Allow Once");
  const session = l10n.t("Allow for This Session");
  const showAll = l10n.t("Show All Arguments");
  if (!fits) {
    const detail = l10n.t("The arguments are longer than this dialog. Show them before you decide.");
    if ((await window.showWarningMessage(question, { modal: true, detail }, showAll)) !== showAll)
      return "deny";
    await documents.show(l10n.t("Arguments for {tool}", { tool: call.tool }), whole);
    // Not modal: the text beside it is to be read.
    return choiceOf(await window.showWarningMessage(question, once, l10n.t("Deny")), once, session);
  }
  return choiceOf(
    await window.showWarningMessage(question, { modal: true, detail: whole }, once, session),
    once,
    session,
  );
}

function choiceOf(chosen: string | undefined, once: string, session: string): "once" | "session" | "deny" {
  if (chosen === once) return "once";
  return chosen === session ? "session" : "deny";
}
