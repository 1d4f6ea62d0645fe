import * as vscode from "vscode";
import type { JsonObject } from "../../base/json.ts";
import type { ServerConfig } from "../../client/serverConfig.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import { readEntry, writeEntries } from "../config/writeServer.ts";
import { type FeatureStore, maySample } from "../features/allowedFeatures.ts";
import { listFolders, type WorkspaceRoots } from "../roots/workspaceRoots.ts";
import { withoutLinks } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { chooseServer } from "./chooseServer.ts";
import { originOf } from "./originOf.ts";
import type { Handlers } from "./table.ts";

export interface FeatureParts {
  readonly store: FeatureStore;
  readonly roots: WorkspaceRoots;
}

/** A person's own settings say it there; for a server of the workspace it is kept outside of the workspace. */
async function setSampling(
  parts: { readonly services: HostServices; readonly config: ConfigWatcher; readonly store: FeatureStore },
  server: ServerConfig,
  allowed: boolean,
): Promise<void> {
  const { services, config, store } = parts;
  if (isOfWorkspace(server)) {
    await store.set(server, { sampling: allowed });
    await reconnect(services, server.id);
    return;
  }
  const origin = originOf(config, server.id);
  const keys: JsonObject = { sampling: allowed ? "ask" : "off" };
  await writeEntries(services.context, origin, { [server.id]: { ...readEntry(origin, server.id), ...keys } });
  await config.reload();
}

/** Commands with which a person lets servers use a language model, or no longer. */
export function samplingCommands(
  services: HostServices,
  config: ConfigWatcher,
  { store }: FeatureParts,
): Handlers<"signalbox.allowSampling" | "signalbox.forbidSampling"> {
  const { l10n, window } = vscode;
  const samples = ({ config: own }: ServerEntry): boolean =>
    own !== undefined && maySample(own, store.get(own));

  return {
    async "signalbox.allowSampling"(server) {
      const entry = await chooseServer(services, server, {
        title: l10n.t("Allow a Language Model for a Server"),
        fits: (candidate) => candidate.config !== undefined && !samples(candidate),
        nothing: l10n.t("Every server may ask a language model already."),
      });
      if (entry?.config === undefined) return undefined;
      if (isOfWorkspace(entry.config) && entry.config.sampling === "off") {
        void window.showWarningMessage(
          l10n.t("The workspace forbids “{server}” to ask a language model.", {
            server: withoutLinks(entry.id),
          }),
        );
        return undefined;
      }
      await setSampling({ services, config, store }, entry.config, true);
      void window.showInformationMessage(
        l10n.t(
          "“{server}” may ask a language model. You read what is sent and what comes back, every time.",
          {
            server: withoutLinks(entry.id),
          },
        ),
      );
      return entry.id;
    },

    async "signalbox.forbidSampling"(server) {
      const entry = await chooseServer(services, server, {
        title: l10n.t("No Longer Allow a Language Model for a Server"),
        fits: samples,
        nothing: l10n.t("No server may ask a language model."),
      });
      if (entry?.config === undefined) return undefined;
      await setSampling({ services, config, store }, entry.config, false);
      return entry.id;
    },
  };
}

/** The command with which a person chooses the folders that a server is told of. */
export function foldersCommand(
  services: HostServices,
  { store, roots }: FeatureParts,
): Handlers<"signalbox.chooseFolders"> {
  const { l10n, window } = vscode;
  return {
    async "signalbox.chooseFolders"(server, names) {
      const entry = await chooseServer(services, server, {
        title: l10n.t("Choose Folders for a Server"),
        fits: (candidate) => candidate.config !== undefined,
      });
      if (entry?.config === undefined) return undefined;
      const { config: own } = entry;
      if (isOfWorkspace(own) && own.roots === false) {
        void window.showWarningMessage(
          l10n.t("The workspace forbids to tell “{server}” of folders.", { server: withoutLinks(entry.id) }),
        );
        return undefined;
      }
      const before = roots.chosenFor(own);
      const chosen = await chooseFolders(entry.id, before?.map(({ uri }) => uri) ?? [], names);
      if (chosen === undefined) return undefined;
      await store.set(own, { folders: chosen.map(({ uri }) => uri) });
      // Whether there are roots at all is declared when a connection begins; which ones they are can change in it.
      if ((roots.chosenFor(own) === null) !== (before === null)) await reconnect(services, entry.id);
      else roots.changed(entry.id);
      return chosen.map(({ name }) => name);
    },
  };
}

interface Folder {
  readonly name: string;
  readonly uri: string;
}

/** The folders that the person picks, or that are named. Undefined when nothing was chosen. */
async function chooseFolders(
  serverId: string,
  picked: readonly string[],
  names: readonly string[] | undefined,
): Promise<readonly Folder[] | undefined> {
  const folders = listFolders().filter(({ uri }) => uri.startsWith("file:"));
  if (names !== undefined) return folders.filter(({ name }) => names.includes(name));
  if (folders.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("There is no folder on this machine open that a server could be told of."),
    );
    return undefined;
  }
  const items = folders.map((folder) => ({
    label: folder.name,
    description: vscode.Uri.parse(folder.uri, true).fsPath,
    picked: picked.includes(folder.uri),
    folder,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Folders for {server}", { server: serverId }),
    placeHolder: vscode.l10n.t("The server is told of these folders. Choose none to tell it of none."),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ folder }) => folder);
}

function isOfWorkspace({ source }: ServerConfig): boolean {
  return source === "workspace" || source === "folder";
}

/** What is allowed is declared when a connection begins. */
async function reconnect({ pool }: HostServices, serverId: string): Promise<void> {
  if (pool.get(serverId)?.state.kind === "connected") await pool.restart(serverId);
}
