import * as vscode from "vscode";
import { ClientError } from "../../client/clientError.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { Prompt } from "../../protocol/model/prompt.ts";
import { fitsChatInput } from "../chat/fitsChatInput.ts";
import { openChat } from "../chat/openChat.ts";
import { withLateProgress } from "../lateProgress.ts";
import { promptsOf } from "../listsOf.ts";
import { insertIntoEditor } from "../prompts/insertIntoEditor.ts";
import type { PromptDocuments } from "../prompts/promptDocuments.ts";
import { promptAsText } from "../prompts/promptText.ts";
import type { Choice } from "../quickInput/ask.ts";
import { askArguments } from "../quickInput/askArguments.ts";
import { oneLine, pickLabel } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { translate } from "../wording.ts";
import { chooseListed, textOf } from "./chooseListed.ts";
import { serverIdOf } from "./chooseServer.ts";
import type { Handlers } from "./table.ts";
import { textsOf } from "./textsOf.ts";

interface NamedPrompt {
  readonly serverId: string;
  readonly promptName: string;
}

type PromptCommand =
  | "signalbox.getPrompt"
  | "signalbox.copyPromptName"
  | "signalbox.copyPromptText"
  | "signalbox.sendPromptToChat"
  | "signalbox.insertPrompt";

/** Get Prompt…, Copy Prompt Name, and what can be done with the prompt in front. */
export function promptCommands(services: HostServices, documents: PromptDocuments): Handlers<PromptCommand> {
  const inFront = async (
    argument: unknown,
    act: (text: string, file: vscode.Uri) => Promise<unknown>,
  ): Promise<string | undefined> => {
    const found = documents.find(argument);
    if (found === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t("Get a prompt first; this works on the text that then opens."),
      );
      return undefined;
    }
    const text = promptAsText(found.prompt.result, translate);
    await act(text, found.uri);
    return text;
  };
  return {
    async "signalbox.getPrompt"(prompt, promptName, args) {
      const chosen = await choosePrompt(services, vscode.l10n.t("Get Prompt"), prompt, promptName);
      return chosen === undefined ? undefined : getAndShow(services, documents, chosen, textsOf(args));
    },

    async "signalbox.copyPromptName"(prompt, promptName) {
      const chosen = await choosePrompt(services, vscode.l10n.t("Copy Prompt Name"), prompt, promptName);
      if (chosen === undefined) return undefined;
      await vscode.env.clipboard.writeText(chosen.promptName);
      return chosen.promptName;
    },

    "signalbox.copyPromptText": (document) =>
      inFront(document, async (text) => {
        await vscode.env.clipboard.writeText(text);
        void vscode.window.setStatusBarMessage(vscode.l10n.t("Copied"), 3_000);
      }),

    "signalbox.sendPromptToChat": (document) =>
      inFront(document, (text, file) => openChat(fitsChatInput(text) ? { text } : { file })),

    "signalbox.insertPrompt": (document) => inFront(document, (text, file) => insertIntoEditor(text, file)),
  };
}

async function choosePrompt(
  services: HostServices,
  title: string,
  argument: unknown,
  promptName: unknown,
): Promise<NamedPrompt | undefined> {
  const serverId = serverIdOf(argument);
  const named = textOf(argument, "promptName", promptName);
  if (serverId !== undefined && named !== undefined) return { serverId, promptName: named };
  return chooseListed(services, serverId, {
    title,
    placeholder: vscode.l10n.t("Choose a prompt"),
    nothing: vscode.l10n.t("The connected servers have no prompts."),
    items: (entry) => promptsOf(entry).map((prompt) => promptItem(entry, prompt)),
  });
}

/** Asks for the arguments, gets the prompt and shows it. Answers its text. */
async function getAndShow(
  services: HostServices,
  documents: PromptDocuments,
  { serverId, promptName }: NamedPrompt,
  given: Readonly<Record<string, string>> | undefined,
): Promise<string | undefined> {
  const entry = services.pool.get(serverId);
  if (entry === undefined) throw new ClientError("no-such-server", { server: serverId });
  const listed = promptsOf(entry).find((prompt) => prompt.name === promptName);
  const displayName = listed?.displayName ?? promptName;
  const args =
    given ??
    (await askArguments(services.pool, entry, {
      title: oneLine(displayName, 80),
      target: { kind: "prompt", name: promptName },
      wanted: listed?.arguments ?? [],
    }));
  if (args === undefined) return undefined;
  const title = vscode.l10n.t("Getting the prompt {prompt} from {server}…", {
    prompt: oneLine(displayName, 80),
    server: serverId,
  });
  const { result } = await withLateProgress(title, (signal) =>
    services.pool.getPrompt(serverId, promptName, args, { origin: "panel", signal }),
  );
  await documents.show({ serverId, promptName, displayName, args, result });
  return promptAsText(result, translate);
}

function promptItem(entry: ServerEntry, prompt: Prompt): Choice<NamedPrompt> {
  const { name, displayName, description } = prompt;
  return {
    label: pickLabel(displayName),
    description: pickLabel(displayName === name ? entry.id : `${name} · ${entry.id}`),
    ...(description === undefined ? {} : { detail: pickLabel(oneLine(description, 120)) }),
    value: { serverId: entry.id, promptName: name },
  };
}
