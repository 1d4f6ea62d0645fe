import { type JsonObject, stringifyJson } from "../../base/json.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import type { Translate } from "../../shared/translate.ts";
import { toolClaims } from "../panels/toolClaims.ts";
import type { ChatTool } from "./chatTools.ts";
import { codeBlock, plainMarkdown } from "./safeMarkdown.ts";

/** Characters of arguments that fit into a dialog; the whole can be opened beside it. */
const MAX_DIALOG = 1_200;
/** A dialog does not scroll, so it shows this many lines. */
const MAX_DIALOG_LINES = 24;

/** The question before a call, as a dialog asks it. */
export interface CallQuestion {
  readonly title: string;
  readonly detail: string;
  /** The whole arguments when the dialog could not show them; undefined when it does. */
  readonly rest: string | undefined;
}

/** The question for a dialog: the configured server, the exact tool and its real arguments, all as plain text. */
export function dialogQuestion({ serverId, tool }: ChatTool, args: JsonObject, t: Translate): CallQuestion {
  const whole = argumentsText(args);
  const shown = fitDialog(whole);
  const claims = toolClaims(tool.annotations, t);
  const detail = [
    t("Arguments:"),
    shown,
    ...(shown === whole
      ? []
      : [t("The arguments are longer than this dialog. Show them before you decide.")]),
    "",
    ...(claims.length === 0
      ? []
      : [t("The server says of this tool, unchecked: {claims}.", { claims: claims.join("; ") })]),
  ];
  return {
    title: t("Allow chat to call “{tool}” on the server “{server}”?", {
      tool: showInvisible(tool.name),
      server: showInvisible(serverId),
    }),
    detail: detail.join("\n").trimEnd(),
    rest: shown === whole ? undefined : whole,
  };
}

/** The same question for the chat view, as a title in plain text and a body in Markdown that the server cannot shape. */
export function chatQuestion(
  { serverId, tool }: ChatTool,
  args: JsonObject,
  t: Translate,
): { readonly title: string; readonly body: string } {
  const claims = toolClaims(tool.annotations, t);
  const body = [
    t("Server: {server}", { server: `**${plainMarkdown(serverId)}**` }),
    t("Tool: {tool}", { tool: `**${plainMarkdown(tool.name)}**` }),
    t("Arguments:"),
    codeBlock(stringifyJson(args, 2), "json"),
    ...(claims.length === 0
      ? []
      : [
          plainMarkdown(
            t("The server says of this tool, unchecked: {claims}.", { claims: claims.join("; ") }),
          ),
        ]),
  ];
  return {
    title: t("Call “{tool}” on the server “{server}”?", {
      tool: showInvisible(tool.name),
      server: showInvisible(serverId),
    }),
    body: body.join("\n\n"),
  };
}

/** Arguments for reading: JSON with every hidden character written out. */
export function argumentsText(args: JsonObject): string {
  return stringifyJson(args, 2).split("\n").map(showInvisible).join("\n");
}

function fitDialog(whole: string): string {
  const lines = whole.split("\n");
  const few = lines.length <= MAX_DIALOG_LINES ? whole : `${lines.slice(0, MAX_DIALOG_LINES).join("\n")}\n…`;
  return few.length <= MAX_DIALOG ? few : `${few.slice(0, MAX_DIALOG)}…`;
}
