import * as vscode from "vscode";
import type { NetworkSettings } from "../../net/networkSettings.ts";
import { readEditorNetwork } from "./editorNetwork.ts";

/** What the editor and its environment say about networks at this moment. */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  return { editor: readEditorNetwork((key) => http.get(key)), environment: process.env };
}
