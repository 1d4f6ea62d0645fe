import * as vscode from "vscode";

/**
 * Puts a text where the person can write: at the cursor of another editor that is visible, else into a new one.
 * `except` is the document that the text comes from.
 */
export async function insertIntoEditor(text: string, except: vscode.Uri): Promise<void> {
  const isWritable = (editor: vscode.TextEditor): boolean =>
    editor.document.uri.toString() !== except.toString() &&
    vscode.workspace.fs.isWritableFileSystem(editor.document.uri.scheme) !== false;
  const target = vscode.window.visibleTextEditors.find(isWritable);
  if (target === undefined) {
    const document = await vscode.workspace.openTextDocument({ content: text, language: "markdown" });
    await vscode.window.showTextDocument(document, { preview: false });
    return;
  }
  await vscode.window.showTextDocument(target.document, target.viewColumn);
  await target.edit((edit) => {
    for (const selection of target.selections) edit.replace(selection, text);
  });
}
