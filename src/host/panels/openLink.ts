import * as vscode from "vscode";
import { translate } from "../wording.ts";
import { openInBrowser } from "./openInBrowser.ts";
import { viewUrl } from "./urlView.ts";

/** Asks whether an address from a server's result may be opened, showing the whole of it, and opens it. */
export async function openLink(uri: string, serverId: string): Promise<void> {
  const view = viewUrl(uri, translate, { allowHttp: true });
  if (!view.canOpen) {
    await vscode.window.showWarningMessage(view.warnings.join(" "));
    return;
  }
  const open = vscode.l10n.t("Open in Browser");
  const host = view.parts.host;
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Open an address on {host} that “{server}” sent?", { host, server: serverId }),
    { modal: true, detail: [view.href, ...view.warnings].join("\n\n") },
    open,
  );
  if (chosen !== open) return;
  if (!(await openInBrowser(view.href))) {
    await vscode.window.showWarningMessage(vscode.l10n.t("The browser did not open the address."));
  }
}
