import * as vscode from "vscode";
import { locateValue } from "../config/jsonLocations.ts";
import type { ConfigLayer } from "../config/mergeLayers.ts";
import { readSettingsFile, SERVERS_KEY } from "../config/settingsFiles.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import type { HostServices } from "../services.ts";
import { chooseServer } from "./chooseServer.ts";
import { originOf } from "./originOf.ts";
import type { Handlers } from "./table.ts";

/** Edit Server Settings…: opens the settings file at the entry. */
export function editServerCommand(
  services: HostServices,
  config: ConfigWatcher,
): Handlers<"signalbox.editServer"> {
  return {
    async "signalbox.editServer"(server) {
      const entry = await chooseServer(services, server, {
        title: vscode.l10n.t("Edit the Settings of a Server"),
      });
      if (entry === undefined) return undefined;
      await revealEntry(services.context, originOf(config, entry.id), entry.id);
      return entry.id;
    },
  };
}

/** Opens the settings file at the entry of a server. Without the file, the editor's own way to the setting. */
async function revealEntry(
  context: vscode.ExtensionContext,
  origin: ConfigLayer,
  serverId: string,
): Promise<void> {
  const file = await readSettingsFile(context, origin);
  if (origin.source === "user" || file === undefined) {
    const command =
      origin.source === "user"
        ? "workbench.action.openSettingsJson"
        : "workbench.action.openWorkspaceSettingsFile";
    await vscode.commands.executeCommand(command, { revealSetting: { key: SERVERS_KEY } });
  } else {
    await vscode.window.showTextDocument(file.uri);
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !/settings\.json$|\.code-workspace$/.test(editor.document.uri.path)) return;
  const root = editor.document.uri.path.endsWith(".code-workspace")
    ? ["settings", SERVERS_KEY]
    : [SERVERS_KEY];
  const span = locateValue(editor.document.getText(), [...root, serverId]);
  if (span === undefined) return;
  const start = editor.document.positionAt(span.offset);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenter);
}
