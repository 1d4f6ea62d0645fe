import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import type { HostServices } from "../services.ts";
import { renderItem, renderTooltip } from "./renderItem.ts";
import {
  childrenOfServer,
  itemOfServer,
  type ServerNode,
  type TreeItemModel,
  type TreeNode,
} from "./treeModel.ts";
import { wording } from "../wording.ts";

/** The Servers view, and what others do with it. */
export interface ServersTree extends Disposable {
  /** Selects a server in the view and opens it. */
  reveal(serverId: string): Promise<void>;
  /** The roots with their children, as they are drawn: for tests and for a look from outside. */
  readonly provider: vscode.TreeDataProvider<TreeNode>;
}

/** Registers the native tree of servers and their tools, which reconciles to the state of the pool. */
export function registerServersTree(services: HostServices, config: ConfigWatcher): ServersTree {
  const store = new DisposableStore();
  const changed = new vscode.EventEmitter<TreeNode | undefined>();
  store.add(changed);
  const provider = createProvider(services, changed.event);
  const view = vscode.window.createTreeView("signalbox.servers", {
    treeDataProvider: provider,
    showCollapseAll: true,
  });
  store.add(view);

  // The editor keeps a known node closed, but the reason of a failure should be seen without a click.
  const troubled = new Set<string>();
  const openTroubled = (id: string): void => {
    const kind = services.pool.get(id)?.state.kind;
    const isTroubled = kind === "failed" || kind === "blocked";
    const isNew = isTroubled && !troubled.has(id);
    if (isTroubled) troubled.add(id);
    else troubled.delete(id);
    // Revealing in a hidden view would bring it to the front.
    if (isNew && view.visible) {
      void view.reveal(provider.serverNode(id), { select: false, focus: false, expand: true });
    }
  };
  const showPending = (): void => {
    const value = services.inputHandler.pendingCount;
    const tooltip = vscode.l10n.t("{count} waiting for your input", { count: value });
    view.badge = value === 0 ? undefined : { value, tooltip };
  };
  const showStale = (): void => {
    const isStale = config.stale.length > 0;
    // An empty message takes no room.
    view.message = isStale
      ? vscode.l10n.t("A settings file has a syntax error. Its last good servers are in use.")
      : "";
  };
  store.add(services.inputHandler.onDidChangePending(showPending));
  store.add(config.onDidChange(showStale));
  store.add(
    services.pool.onDidChange((id) => {
      changed.fire(id === undefined ? undefined : provider.serverNode(id));
      if (id !== undefined) openTroubled(id);
    }),
  );
  showPending();

  return {
    provider,
    async reveal(serverId) {
      await view.reveal(provider.serverNode(serverId), { select: true, focus: false, expand: true });
    },
    dispose: () => {
      store.dispose();
    },
  };
}

type Provider = vscode.TreeDataProvider<TreeNode> & { serverNode(id: string): ServerNode };

function createProvider(
  services: HostServices,
  onDidChangeTreeData: vscode.Event<TreeNode | undefined>,
): Provider {
  // The editor refreshes a node by its identity, so each server keeps one.
  const nodes = new Map<string, ServerNode>();

  function serverNode(serverId: string): ServerNode {
    const known = nodes.get(serverId);
    if (known !== undefined) return known;
    const node: ServerNode = { kind: "server", serverId };
    nodes.set(serverId, node);
    return node;
  }

  function modelOf(node: TreeNode): TreeItemModel | undefined {
    if (node.kind !== "server") return node.item;
    const entry = services.pool.get(node.serverId);
    return entry === undefined ? undefined : itemOfServer(entry, wording);
  }

  return {
    serverNode,
    onDidChangeTreeData,
    getTreeItem(node) {
      const model = modelOf(node);
      // The server left the settings while the view was being drawn; the next refresh drops the node.
      return model === undefined ? new vscode.TreeItem("") : renderItem(node, model);
    },
    resolveTreeItem(item, node) {
      const model = modelOf(node);
      if (model !== undefined) item.tooltip = renderTooltip(model.tooltip);
      return item;
    },
    getParent: (node) => (node.kind === "server" ? undefined : serverNode(node.serverId)),
    getChildren(node) {
      if (node === undefined) {
        const entries = services.pool.servers();
        const ids = new Set(entries.map((entry) => entry.id));
        for (const id of nodes.keys()) if (!ids.has(id)) nodes.delete(id);
        return entries.map((entry) => serverNode(entry.id));
      }
      if (node.kind === "note") return [...node.children];
      if (node.kind === "tool") return [];
      const entry = services.pool.get(node.serverId);
      return entry === undefined ? [] : [...childrenOfServer(entry, wording)];
    },
  };
}
