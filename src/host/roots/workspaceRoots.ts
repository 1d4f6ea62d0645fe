import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { ServerConfig } from "../../client/serverConfig.ts";
import type { Root } from "../../protocol/model/sampling.ts";
import type { RootsProvider } from "../../protocol/mrtr/clientFeatures.ts";
import type { FeatureStore } from "../features/allowedFeatures.ts";
import { chooseRoots, type WorkspaceFolder } from "./chooseRoots.ts";

/** The folders that servers are told of. */
export interface WorkspaceRoots extends Disposable {
  /** What one server may know, right now and whenever it changes; null when roots are off for it. */
  providerFor(config: ServerConfig): RootsProvider | null;
  /** The folders that one server is told of; null when roots are off for it. */
  chosenFor(config: ServerConfig): readonly WorkspaceFolder[] | null;
  /** Tells a server that the person chose other folders. */
  changed(serverId: string): void;
}

/** Makes roots from the folders of the workspace that persons and settings allow. */
export function createWorkspaceRoots(store: FeatureStore): WorkspaceRoots {
  const own = new DisposableStore();
  /** Undefined concerns every server. */
  const changed = own.add(new Emitter<string | undefined>());
  own.add(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      changed.fire(undefined);
    }),
  );
  const chosenFor = (config: ServerConfig): readonly WorkspaceFolder[] | null =>
    chooseRoots(config, store.get(config), listFolders());
  return {
    chosenFor,
    providerFor(config) {
      if (chosenFor(config) === null) return null;
      return {
        list: () => toRoots(chosenFor(config) ?? []),
        onDidChange: (listener) =>
          changed.event((serverId) => {
            if (serverId === undefined || serverId === config.id) listener();
          }),
      };
    },
    changed(serverId) {
      changed.fire(serverId);
    },
    dispose: () => {
      own.dispose();
    },
  };
}

/** The folders of the workspace in the editor's order. */
export function listFolders(): readonly WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, uri: uri.toString() }));
}

/** Folders that are there. A link to a folder counts as one, under the path that the person sees. */
async function toRoots(folders: readonly WorkspaceFolder[]): Promise<readonly Root[]> {
  const roots = await Promise.all(
    folders.map(async ({ name, uri }): Promise<readonly Root[]> => {
      const { fsPath } = vscode.Uri.parse(uri, true);
      const isFolder = await stat(fsPath).then(
        (stats) => stats.isDirectory(),
        () => false,
      );
      return isFolder ? [{ uri: pathToFileURL(fsPath).href, name }] : [];
    }),
  );
  return roots.flat();
}
