import * as vscode from "vscode";
import type { JsonObject } from "../../base/json.ts";
import { CodedError } from "../../base/errors.ts";
import { ClientError } from "../../client/clientError.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import { OLD_REVISIONS } from "../../protocol/model/revision.ts";
import { locateValue } from "../config/jsonLocations.ts";
import type { ConfigLayer } from "../config/mergeLayers.ts";
import { secretNamesIn } from "../config/secretNamesIn.ts";
import { readSettingsFile, SERVERS_KEY } from "../config/settingsFiles.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import { readEntry, writeEntries } from "../config/writeServer.ts";
import type { HostServices } from "../services.ts";
import { chooseServer } from "./chooseServer.ts";
import { isForced } from "./isForced.ts";
import type { Handlers } from "./table.ts";

/** Edit, Remove, Enable, Disable and what else changes the settings of a server. */
export function settingsCommands(
  services: HostServices,
  config: ConfigWatcher,
): Handlers<
  | "signalbox.editServer"
  | "signalbox.removeServer"
  | "signalbox.enable"
  | "signalbox.disable"
  | "signalbox.allowOldRevision"
  | "signalbox.manageTrust"
> {
  const { l10n } = vscode;

  /** Where the definition of a server stands; it may have gone since the server was chosen. */
  function originOf(serverId: string): ConfigLayer {
    const origin = config.current.origins.get(serverId);
    if (origin === undefined) throw new ClientError("no-such-server", { server: serverId });
    return origin;
  }

  async function change(serverId: string, keys: JsonObject): Promise<void> {
    const origin = originOf(serverId);
    await writeEntries(origin, { [serverId]: { ...readEntry(origin, serverId), ...keys } });
    await config.reload();
  }

  return {
    async "signalbox.editServer"(server) {
      const entry = await chooseServer(services, server, { title: l10n.t("Edit the Settings of a Server") });
      if (entry === undefined) return undefined;
      await revealEntry(services.context, originOf(entry.id), entry.id);
      return entry.id;
    },

    async "signalbox.removeServer"(server, options) {
      const entry = await chooseServer(services, server, { title: l10n.t("Remove a Server") });
      if (entry === undefined) return undefined;
      const origin = originOf(entry.id);
      const orphans = isForced(options) ? [] : orphanedSecrets(services, config, entry.id);
      const consent = isForced(options) ? "keepSecrets" : await confirmRemoval(entry.id, orphans);
      if (consent === undefined) return undefined;
      await writeEntries(origin, { [entry.id]: undefined });
      await config.reload();
      if (consent === "deleteSecrets") for (const name of orphans) await services.secrets.delete(name);
      return entry.id;
    },

    async "signalbox.enable"(server) {
      const entry = await chooseServer(services, server, {
        title: l10n.t("Enable a Server"),
        fits: (candidate) => candidate.state.kind === "disabled",
        nothing: l10n.t("No server is disabled."),
      });
      if (entry === undefined) return undefined;
      await change(entry.id, { enabled: true });
      return entry.id;
    },

    async "signalbox.disable"(server) {
      const entry = await chooseServer(services, server, {
        title: l10n.t("Disable a Server"),
        fits: (candidate) => candidate.state.kind !== "disabled",
        nothing: l10n.t("All servers are disabled."),
      });
      if (entry === undefined) return undefined;
      await change(entry.id, { enabled: false });
      return entry.id;
    },

    async "signalbox.allowOldRevision"(server) {
      const entry = await chooseServer(services, server, {
        title: l10n.t("Allow an Old Revision of MCP"),
        fits: (candidate) => refusedRevision(candidate) !== undefined,
        nothing: l10n.t("No server was refused for its revision."),
      });
      const revision = entry === undefined ? undefined : refusedRevision(entry);
      if (entry === undefined || revision === undefined) return undefined;
      await change(entry.id, { minimumProtocol: revision });
      await services.pool.connect(entry.id);
      return entry.id;
    },

    async "signalbox.manageTrust"() {
      await vscode.commands.executeCommand("workbench.trust.manage");
      return undefined;
    },
  };
}

/** The revision that a server answered and that was refused, when allowing it would help. */
function refusedRevision(entry: ServerEntry): string | undefined {
  if (entry.state.kind !== "failed") return undefined;
  const { problem } = entry.state;
  if (!(problem instanceof CodedError) || problem.code !== "no-common-revision") return undefined;
  const theirs = String(problem.args["theirs"] ?? "");
  return OLD_REVISIONS.find((revision) => theirs.includes(revision));
}

/** Secrets that only this server refers to. */
function orphanedSecrets(services: HostServices, config: ConfigWatcher, serverId: string): readonly string[] {
  const entryOf = (id: string, layer: ConfigLayer): JsonObject => readEntry(layer, id) ?? {};
  const origins = [...config.current.origins];
  const used = new Set(origins.filter(([id]) => id !== serverId).flatMap(([id, layer]) => secretNamesIn(entryOf(id, layer))));
  const own = origins.filter(([id]) => id === serverId).flatMap(([id, layer]) => secretNamesIn(entryOf(id, layer)));
  const stored = new Set(services.secrets.names());
  return [...new Set(own)].filter((name) => stored.has(name) && !used.has(name));
}

async function confirmRemoval(
  serverId: string,
  orphans: readonly string[],
): Promise<"keepSecrets" | "deleteSecrets" | undefined> {
  const remove = vscode.l10n.t("Remove");
  const removeAll = vscode.l10n.t("Remove with Its Secrets");
  const detail =
    orphans.length === 0
      ? vscode.l10n.t("Its entry is deleted from the settings. A running connection is closed.")
      : vscode.l10n.t("Its entry is deleted from the settings. No other server uses these secrets: {names}", {
          names: orphans.join(", "),
        });
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Remove the server “{server}”?", { server: serverId }),
    { modal: true, detail },
    remove,
    ...(orphans.length === 0 ? [] : [removeAll]),
  );
  if (chosen === undefined) return undefined;
  return chosen === removeAll ? "deleteSecrets" : "keepSecrets";
}

/** Opens the settings file at the entry of a server. Without the file, the editor's own way to the setting. */
async function revealEntry(context: vscode.ExtensionContext, origin: ConfigLayer, serverId: string): Promise<void> {
  const file = await readSettingsFile(context, origin);
  if (origin.source === "user" || file === undefined) {
    const command =
      origin.source === "user" ? "workbench.action.openSettingsJson" : "workbench.action.openWorkspaceSettingsFile";
    await vscode.commands.executeCommand(command, { revealSetting: { key: SERVERS_KEY } });
  } else {
    await vscode.window.showTextDocument(file.uri);
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !/settings\.json$|\.code-workspace$/.test(editor.document.uri.path)) return;
  const root = editor.document.uri.path.endsWith(".code-workspace") ? ["settings", SERVERS_KEY] : [SERVERS_KEY];
  const span = locateValue(editor.document.getText(), [...root, serverId]);
  if (span === undefined) return;
  const start = editor.document.positionAt(span.offset);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenter);
}
