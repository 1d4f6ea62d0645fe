import * as vscode from "vscode";
import type { JsonObject } from "../../base/json.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import { argumentsText } from "../chat/callQuestion.ts";
import type { ApiTarget } from "../chat/chatTargets.ts";
import { withoutLinks } from "../serverText.ts";
import type { InfoDocuments } from "../views/infoDocuments.ts";

/** What a dialog can show before its buttons leave the screen. */
const MAX_LINES = 24;
const MAX_LENGTH = 1_200;

/** What another extension wants of a server. */
export interface ApiCall {
  /** Who it says it is; nothing can check that. */
  readonly caller: string;
  readonly target: ApiTarget;
  readonly args: JsonObject;
}

/** The question, what is sent, and what to call it when it is shown beside. */
interface Words {
  readonly question: string;
  readonly whole: string;
  readonly tooLong: string;
  readonly showAll: string;
  readonly title: string;
}

/** Asks whether another extension may make a call. Closing the dialog denies. */
export async function askApiCall(
  call: ApiCall,
  documents: InfoDocuments,
): Promise<"once" | "session" | "deny"> {
  const { l10n, window } = vscode;
  const { question, whole, tooLong, showAll, title } = wordsFor(call);
  const fits = whole.length <= MAX_LENGTH && whole.split("\n").length <= MAX_LINES;
  const once = l10n.t("Allow Once");
  const session = l10n.t("Allow for This Session");
  if (!fits) {
    if ((await window.showWarningMessage(question, { modal: true, detail: tooLong }, showAll)) !== showAll)
      return "deny";
    await documents.show(title, whole);
    // Not modal: the text beside it is to be read.
    return choiceOf(
      await window.showWarningMessage(withoutLinks(question), once, l10n.t("Deny")),
      once,
      session,
    );
  }
  return choiceOf(
    await window.showWarningMessage(question, { modal: true, detail: whole }, once, session),
    once,
    session,
  );
}

function wordsFor({ caller: given, target, args }: ApiCall): Words {
  const { l10n } = vscode;
  const caller = showInvisible(given).slice(0, 100);
  const server = showInvisible(target.serverId);
  if ("uri" in target) {
    return {
      question: l10n.t("Allow “{caller}” to read a resource of the server “{server}”?", { caller, server }),
      whole: showInvisible(target.uri),
      tooLong: l10n.t("The address is longer than this dialog. Show it before you decide."),
      showAll: l10n.t("Show Whole Address"),
      title: l10n.t("Address of a resource of {server}", { server: target.serverId }),
    };
  }
  const name = "tool" in target ? target.tool.name : target.prompt.name;
  const names = { caller, server, tool: showInvisible(name), prompt: showInvisible(name) };
  return {
    question:
      "tool" in target
        ? l10n.t("Allow “{caller}” to call “{tool}” on the server “{server}”?", names)
        : l10n.t("Allow “{caller}” to get the prompt “{prompt}” of the server “{server}”?", names),
    whole: argumentsText(args),
    tooLong: l10n.t("The arguments are longer than this dialog. Show them before you decide."),
    showAll: l10n.t("Show All Arguments"),
    title: l10n.t("Arguments for {tool}", { tool: name }),
  };
}

function choiceOf(chosen: string | undefined, once: string, session: string): "once" | "session" | "deny" {
  if (chosen === once) return "once";
  return chosen === session ? "session" : "deny";
}
