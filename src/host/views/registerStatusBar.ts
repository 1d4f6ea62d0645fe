import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { HostServices } from "../services.ts";
import { translate } from "../wording.ts";
import { followPending } from "./followPending.ts";
import { renderTooltip } from "./renderItem.ts";
import { statusBarModel } from "./statusBarModel.ts";

const SHOW_SETTING = "signalbox.statusBar.show";

/** Registers the status bar item: how many servers are connected, and loudly, whether somebody is waited for. */
export function registerStatusBar(services: HostServices): Disposable {
  const store = new DisposableStore();
  const item = vscode.window.createStatusBarItem("signalbox.status", vscode.StatusBarAlignment.Left, 0);
  store.add(item);
  item.name = vscode.l10n.t("Signalbox");

  let pendingCount = 0;
  const update = (): void => {
    const isWanted = vscode.workspace.getConfiguration().get<boolean>(SHOW_SETTING, true);
    const model = isWanted ? statusBarModel(services.pool.servers(), pendingCount, translate) : undefined;
    if (model === undefined) {
      item.hide();
      return;
    }
    item.text = model.text;
    item.tooltip = renderTooltip(model.tooltip);
    item.accessibilityInformation = { label: model.label, role: "button" };
    item.backgroundColor = model.isWarning
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined;
    item.command =
      model.click === "showPendingInput" ? "signalbox.showPendingInput" : "signalbox.servers.focus";
    item.show();
  };

  store.add(services.pool.onDidChange(update));
  store.add(
    followPending(services, (count) => {
      pendingCount = count;
      update();
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SHOW_SETTING)) update();
    }),
  );
  return store;
}
