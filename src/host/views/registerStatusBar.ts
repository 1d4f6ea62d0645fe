import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { HostServices } from "../services.ts";
import { translate } from "../wording.ts";
import { renderTooltip } from "./renderItem.ts";
import { statusBarModel } from "./statusBarModel.ts";

const SHOW_SETTING = "signalbox.statusBar.show";

/** Registers the status bar item: how many servers are connected, and loudly, whether somebody is waited for. */
export function registerStatusBar(services: HostServices): Disposable {
  const store = new DisposableStore();
  const item = vscode.window.createStatusBarItem("signalbox.status", vscode.StatusBarAlignment.Left, 0);
  store.add(item);
  item.name = vscode.l10n.t("Signalbox");

  const update = (): void => {
    const isWanted = vscode.workspace.getConfiguration().get<boolean>(SHOW_SETTING, true);
    const pendingCount = services.inputHandler.pendingCount + services.samplingPanel.pendingCount;
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
  store.add(services.inputHandler.onDidChangePending(update));
  store.add(services.samplingPanel.onDidChangePending(update));
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SHOW_SETTING)) update();
    }),
  );
  update();
  return store;
}
