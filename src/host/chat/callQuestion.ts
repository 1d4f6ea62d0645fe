import { type JsonObject, stringifyJson } from "../../base/json.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import type { Translate } from "../../shared/translate.ts";
import { toolClaims } from "../panels/toolClaims.ts";
import { SKILL_FILE } from "../../protocol/skills/skillPath.ts";
import type { ChatSkill, ChatTarget } from "./chatTargets.ts";
import { codeBlock, plainMarkdown } from "./safeMarkdown.ts";

/** Characters of arguments that fit into a dialog; the whole can be opened beside it. */
const MAX_DIALOG = 1_200;
/** A dialog does not scroll, so it shows this many lines. */
const MAX_DIALOG_LINES = 24;

/** The question before a call, as a dialog asks it. */
export interface CallQuestion {
  readonly title: string;
  readonly detail: string;
  /** All that is sent when the dialog could not show it; undefined when it does. */
  readonly rest: string | undefined;
  /** The button that shows the rest. */
  readonly showAll: string;
}

/** What is asked about, in words. */
interface Words {
  readonly dialogTitle: string;
  readonly chatTitle: string;
  /** What it is, and its exact name. */
  readonly named: string;
  /** What is sent to the server beside the name, under its heading. */
  readonly heading: string;
  readonly sent: string;
  readonly tooLong: string;
  readonly showAll: string;
  readonly claims: readonly string[];
}

/**
 * The question for a dialog: the configured server, the exact tool, resource or prompt and its real arguments, all as
 * plain text.
 */
export function dialogQuestion(target: ChatTarget, args: JsonObject, t: Translate): CallQuestion {
  const words = wordsFor(target, args, t);
  const whole = words.sent.split("\n").map(showInvisible).join("\n");
  const shown = fitDialog(whole);
  const detail = [
    words.heading,
    shown,
    ...(shown === whole ? [] : [words.tooLong]),
    "",
    ...(words.claims.length === 0
      ? []
      : [t("The server says of this tool, unchecked: {claims}.", { claims: words.claims.join("; ") })]),
  ];
  return {
    title: words.dialogTitle,
    detail: detail.join("\n").trimEnd(),
    rest: shown === whole ? undefined : whole,
    showAll: words.showAll,
  };
}

/** The same question for the chat view, as a title in plain text and a body in Markdown that the server cannot shape. */
export function chatQuestion(
  target: ChatTarget,
  args: JsonObject,
  t: Translate,
): { readonly title: string; readonly body: string } {
  const words = wordsFor(target, args, t);
  const body = [
    t("Server: {server}", { server: `**${plainMarkdown(target.serverId)}**` }),
    ...(words.named === "" ? [] : [words.named]),
    words.heading,
    codeBlock(words.sent, "uri" in target || "skill" in target ? "" : "json"),
    ...(words.claims.length === 0
      ? []
      : [
          plainMarkdown(
            t("The server says of this tool, unchecked: {claims}.", { claims: words.claims.join("; ") }),
          ),
        ]),
  ];
  return { title: words.chatTitle, body: body.join("\n\n") };
}

function wordsFor(target: ChatTarget, args: JsonObject, t: Translate): Words {
  const server = showInvisible(target.serverId);
  if ("uri" in target) {
    return {
      dialogTitle: t("Allow chat to read a resource of the server “{server}”?", { server }),
      chatTitle: t("Read a resource of the server “{server}”?", { server }),
      named: "",
      heading: t("Address:"),
      sent: target.uri,
      tooLong: t("The address is longer than this dialog. Show it before you decide."),
      showAll: t("Show Whole Address"),
      claims: [],
    };
  }
  if ("skill" in target) return wordsForSkill(target, server, t);
  const common = {
    heading: t("Arguments:"),
    sent: stringifyJson(args, 2),
    tooLong: t("The arguments are longer than this dialog. Show them before you decide."),
    showAll: t("Show All Arguments"),
  };
  if ("prompt" in target) {
    const prompt = showInvisible(target.prompt.name);
    return {
      ...common,
      dialogTitle: t("Allow chat to get the prompt “{prompt}” of the server “{server}”?", { prompt, server }),
      chatTitle: t("Get the prompt “{prompt}” of the server “{server}”?", { prompt, server }),
      named: t("Prompt: {prompt}", { prompt: `**${plainMarkdown(target.prompt.name)}**` }),
      claims: [],
    };
  }
  const tool = showInvisible(target.tool.name);
  return {
    ...common,
    dialogTitle: t("Allow chat to call “{tool}” on the server “{server}”?", { tool, server }),
    chatTitle: t("Call “{tool}” on the server “{server}”?", { tool, server }),
    named: t("Tool: {tool}", { tool: `**${plainMarkdown(target.tool.name)}**` }),
    claims: toolClaims(target.tool.annotations, t),
  };
}

/** Whoever allows a skill allows its words to a model, which may do as they say: that is said. */
function wordsForSkill({ skill, file }: ChatSkill, server: string, t: Translate): Words {
  const name = showInvisible(skill.name);
  return {
    dialogTitle: t("Allow chat to read the skill “{skill}” of the server “{server}”?", {
      skill: name,
      server,
    }),
    chatTitle: t("Read the skill “{skill}” of the server “{server}”?", { skill: name, server }),
    named: t(
      "A skill tells a model what to do, in the words of the server. What it then wants to call is asked about as always.",
    ),
    heading: t("Address and file:"),
    sent: `${skill.uri}\n${file ?? SKILL_FILE}`,
    tooLong: t("The address is longer than this dialog. Show it before you decide."),
    showAll: t("Show Whole Address"),
    claims: [],
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
