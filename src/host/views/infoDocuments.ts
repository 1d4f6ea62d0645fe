import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";

const SCHEME = "signalbox-info";

/** Read-only texts in editor tabs, for what is too long for a message. */
export interface InfoDocuments extends Disposable {
  /** Opens a text under a title, or brings it to the front with its new content. */
  show(title: string, text: string): Promise<void>;
}

/** Serves texts to the editor. They are plain text: nothing in them is rendered. */
export function registerInfoDocuments(): InfoDocuments {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  store.add(changed);
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      // A tab that outlived the window has no text any more, and says so.
      provideTextDocumentContent: (uri) =>
        texts.get(uri.path) ?? vscode.l10n.t("This text is no longer available."),
    }),
  );
  store.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (document.uri.scheme === SCHEME) texts.delete(document.uri.path);
    }),
  );
  return {
    async show(title, text) {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title.replaceAll(/[/\\]/g, "-")}.txt` });
      texts.set(uri.path, text);
      changed.fire(uri);
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true });
    },
    dispose: () => {
      store.dispose();
    },
  };
}
