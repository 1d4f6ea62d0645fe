import * as vscode from "vscode";
import type { ServerEntry, ServerPool } from "../../client/serverPool.ts";
import { childrenOfSkill } from "../skills/skillsSection.ts";
import type { ServerNode, TreeContext, TreeItemModel, TreeNode } from "./nodes.ts";
import { renderItem, renderTooltip } from "./renderItem.ts";
import { childrenOfSection, childrenOfServer, itemOfServer } from "./treeModel.ts";

/** The content of the Servers view. */
export type ServersProvider = vscode.TreeDataProvider<TreeNode> & {
  /** The one node of a server: the editor refreshes and reveals nodes by their identity. */
  serverNode(id: string): ServerNode;
};

/** Draws the pool as it is whenever the editor asks; it keeps no copy of any state. */
export function createServersProvider(
  pool: Pick<ServerPool, "get" | "servers">,
  context: TreeContext,
  onDidChangeTreeData: vscode.Event<TreeNode | undefined>,
): ServersProvider {
  const nodes = new Map<string, ServerNode>();
  const parents = new WeakMap<TreeNode, TreeNode>();

  function serverNode(serverId: string): ServerNode {
    const known = nodes.get(serverId);
    if (known !== undefined) return known;
    const node: ServerNode = { kind: "server", serverId };
    nodes.set(serverId, node);
    return node;
  }

  function modelOf(node: TreeNode): TreeItemModel | undefined {
    if (node.kind !== "server") return node.item;
    const entry = pool.get(node.serverId);
    return entry === undefined ? undefined : itemOfServer(entry, context);
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
    getParent: (node) => parents.get(node),
    getChildren(node) {
      if (node === undefined) {
        const entries = pool.servers();
        const ids = new Set(entries.map((entry) => entry.id));
        for (const id of nodes.keys()) if (!ids.has(id)) nodes.delete(id);
        return entries.map((entry) => serverNode(entry.id));
      }
      const children = childrenOf(node, pool.get(node.serverId), context);
      for (const child of children) parents.set(child, node);
      return [...children];
    },
  };
}

function childrenOf(
  node: TreeNode,
  entry: ServerEntry | undefined,
  context: TreeContext,
): readonly TreeNode[] {
  switch (node.kind) {
    case "server":
      return entry === undefined ? [] : childrenOfServer(entry, context);
    case "section":
      return childrenOfSection(node, entry, context);
    case "skill":
      return childrenOfSkill(node, entry, context);
    case "note":
      return node.children;
    default:
      return [];
  }
}
