import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import { type FeatureStore, maySample } from "../features/allowedFeatures.ts";
import type { WatchedResources } from "../resources/watchedResources.ts";
import type { HostServices } from "../services.ts";
import { wording } from "../wording.ts";
import { followPending } from "./followPending.ts";
import type { TreeNode } from "./nodes.ts";
import { opensByItself } from "./treeModel.ts";
import { createServersProvider, type ServersProvider } from "./serversProvider.ts";

/** The Servers view, and what others do with it. */
export interface ServersTree extends Disposable {
  /** Selects a server in the view and opens it. */
  reveal(serverId: string): Promise<void>;
}

/** Registers the native tree of servers and what they have, which reconciles to the state of the pool. */
export function registerServersTree(
  services: HostServices,
  config: ConfigWatcher,
  watched: WatchedResources,
  features: FeatureStore,
): ServersTree {
  const store = new DisposableStore();
  const changed = new vscode.EventEmitter<TreeNode | undefined>();
  store.add(changed);
  const provider = createServersProvider(
    services.pool,
    {
      ...wording,
      maySample: (own) => maySample(own, features.get(own)),
      isWatched: (serverId, uri) => watched.isWatched(serverId, uri),
      isChanged: (serverId, uri) => watched.isChanged(serverId, uri),
    },
    changed.event,
  );
  const view = vscode.window.createTreeView("signalbox.servers", {
    treeDataProvider: provider,
    showCollapseAll: true,
  });
  store.add(view);

  const openOnce = createOpener(services, provider, view);
  const showStale = (): void => {
    const isStale = config.stale.length > 0;
    // An empty message takes no room.
    view.message = isStale
      ? vscode.l10n.t("A settings file has a syntax error. Its last good servers are in use.")
      : "";
  };
  const redraw = (): void => {
    changed.fire(undefined);
  };
  store.add(watched.onDidChange(redraw));
  store.add(features.onDidChange(redraw));
  store.add(
    followPending(services, (value) => {
      const tooltip = vscode.l10n.t("{count} waiting for your input", { count: value });
      view.badge = value === 0 ? undefined : { value, tooltip };
    }),
  );
  store.add(config.onDidChange(showStale));
  store.add(
    services.pool.onDidChange((id) => {
      // The editor drops the news about a node that it is just reading, so where a server comes to rest all is read.
      const isMoving = id !== undefined && services.pool.get(id)?.state.kind === "connecting";
      changed.fire(isMoving ? provider.serverNode(id) : undefined);
      if (id !== undefined) openOnce(id);
    }),
  );
  return {
    async reveal(serverId) {
      await view.reveal(provider.serverNode(serverId), { select: true, focus: false, expand: true });
    },
    dispose: () => {
      store.dispose();
    },
  };
}

/** The editor keeps a known node closed, but what has just come up below it should be seen without a click. */
function createOpener(
  services: HostServices,
  provider: ServersProvider,
  view: vscode.TreeView<TreeNode>,
): (id: string) => void {
  const opened = new Set<string>();
  return (id) => {
    const entry = services.pool.get(id);
    const isOpen = entry !== undefined && opensByItself(entry);
    const isNew = isOpen && !opened.has(id);
    if (isOpen) opened.add(id);
    else opened.delete(id);
    // Revealing in a hidden view would bring it to the front.
    if (isNew && view.visible) {
      const shown = view.reveal(provider.serverNode(id), { select: false, focus: false, expand: true });
      // A server that has just left the settings cannot be revealed, and need not be.
      void shown.then(undefined, () => undefined);
    }
  };
}
