import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { fileNameOf } from "../resources/fileNameOf.ts";
import { translate } from "../wording.ts";
import { type GottenPrompt, promptForReading } from "./promptText.ts";

/** The scheme of prompts in the editor; the menus of the manifest ask for it. */
export const PROMPT_SCHEME = "signalbox-prompt";

/** Prompts as read-only texts in editor tabs. Nothing in them is rendered. */
export interface PromptDocuments extends Disposable {
  /** Shows a prompt beside nothing else: one tab for each prompt of a server, with its newest content. */
  show(prompt: GottenPrompt): Promise<vscode.Uri>;
  /** The prompt of a document, or of the one in front; undefined when it shows none. */
  find(argument: unknown): { readonly uri: vscode.Uri; readonly prompt: GottenPrompt } | undefined;
}

/** Serves prompts to the editor, as long as their tabs are open. */
export function registerPromptDocuments(): PromptDocuments {
  const store = new DisposableStore();
  const prompts = new Map<string, GottenPrompt>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  store.add(changed);
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(PROMPT_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent(uri) {
        const prompt = prompts.get(uri.toString());
        // A tab that outlived the window has no text any more, and says so.
        return prompt === undefined
          ? vscode.l10n.t("This text is no longer available.")
          : promptForReading(prompt, translate);
      },
    }),
  );
  store.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (document.uri.scheme === PROMPT_SCHEME) prompts.delete(document.uri.toString());
    }),
  );
  return {
    async show(prompt) {
      const { serverId, promptName, displayName } = prompt;
      const query = new URLSearchParams({ server: serverId, prompt: promptName }).toString();
      const path = `/${fileNameOf({ uri: promptName, displayName, mimeType: "text/plain" })}`;
      const uri = vscode.Uri.from({ scheme: PROMPT_SCHEME, path, query });
      prompts.set(uri.toString(), prompt);
      changed.fire(uri);
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true });
      return uri;
    },
    find(argument) {
      const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
      const prompt = uri === undefined ? undefined : prompts.get(uri.toString());
      return uri === undefined || prompt === undefined ? undefined : { uri, prompt };
    },
    dispose: () => {
      store.dispose();
      prompts.clear();
    },
  };
}
