import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { JsonObject } from "../../base/json.ts";
import { type PageName, pageHtml } from "../../shared/pageHtml.ts";

/** What a panel of ours may do and load: its own scripts and styles, and no command links. */
export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, enableForms: true, localResourceRoots: [pagesFolder(extensionUri)] };
}

/** The icon of a panel's tab. */
export function pageIcon(extensionUri: vscode.Uri): {
  readonly light: vscode.Uri;
  readonly dark: vscode.Uri;
} {
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, "media", name);
  return { light: file("panelLight.svg"), dark: file("panelDark.svg") };
}

/** Puts the document of a page into a webview. */
export function loadPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  page: PageName,
  title: string,
): void {
  const file = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(pagesFolder(extensionUri), name)).toString();
  const bundle = (vscode.l10n.bundle ?? {}) as JsonObject;
  webview.html = pageHtml({
    page,
    title,
    language: vscode.env.language,
    scriptUri: file(`${page}.js`),
    styleUri: file(`${page}.css`),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString("hex"),
    l10n: bundle,
  });
}

function pagesFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, "dist", "webview");
}
