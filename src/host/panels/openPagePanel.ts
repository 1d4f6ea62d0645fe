import * as vscode from "vscode";
import { PageChannel, type PageChannelOptions } from "./pageChannel.ts";
import type { PageName } from "../../shared/pageHtml.ts";
import { loadPage, pageIcon, pageOptions } from "./pageDocument.ts";

/** A panel beside the editor and the messages to its page. */
export interface PagePanel<
  ToPage extends { readonly type: string },
  ToHost extends { readonly type: string },
> {
  readonly panel: vscode.WebviewPanel;
  readonly channel: PageChannel<ToPage, ToHost>;
}

export interface PagePanelOptions<ToHost extends { readonly type: string }> extends Pick<
  PageChannelOptions<ToHost>,
  "incoming" | "log" | "onMessage"
> {
  readonly extensionUri: vscode.Uri;
  readonly page: PageName;
  readonly title: string;
  /** Whether a person is typing elsewhere and is to be left there. */
  readonly preserveFocus: boolean;
  /** The panel is gone, whoever closed it. */
  readonly onClosed: () => void;
}

/** Opens a panel with one of our pages beside the editor. Its channel ends with it. */
export function openPagePanel<
  ToPage extends { readonly type: string },
  ToHost extends { readonly type: string },
>(options: PagePanelOptions<ToHost>): PagePanel<ToPage, ToHost> {
  const { extensionUri, page, title, preserveFocus, incoming, log, onMessage, onClosed } = options;
  const panel = vscode.window.createWebviewPanel(
    `signalbox.${page}`,
    title,
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus },
    pageOptions(extensionUri),
  );
  const channel = new PageChannel<ToPage, ToHost>({
    webview: panel.webview,
    incoming,
    log,
    onMessage,
    load: () => {
      loadPage(panel.webview, extensionUri, page, panel.title);
    },
  });
  panel.onDidChangeViewState(() => {
    channel.visibilityChanged(panel.visible);
  });
  panel.onDidDispose(() => {
    channel.dispose();
    onClosed();
  });
  panel.iconPath = pageIcon(extensionUri);
  channel.load();
  return { panel, channel };
}
