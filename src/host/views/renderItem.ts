import * as vscode from "vscode";
import type { CommandId } from "../commands/table.ts";
import type { TooltipLine, TreeItemModel, TreeNode } from "./nodes.ts";

const COLLAPSIBLE = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
} as const;

/** Puts an item's model into the editor's types. Its tooltip is added by `renderTooltip`, when somebody asks for it. */
export function renderItem(node: TreeNode, model: TreeItemModel): vscode.TreeItem {
  const item = new vscode.TreeItem(model.label, COLLAPSIBLE[model.children]);
  item.id = model.id;
  if (model.description !== undefined) item.description = model.description;
  const { id, color } = model.icon;
  item.iconPath = new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
  item.contextValue = model.contextValue;
  item.accessibilityInformation = { label: model.accessibleLabel };
  // Undefined keeps the tooltip open for `resolveTreeItem`.
  if (model.click !== undefined) {
    const command = `signalbox.${model.click}` satisfies CommandId;
    item.command = { command, title: "", arguments: [node] };
  }
  return item;
}

/**
 * Lines as Markdown in which only our own structure is markup: every text is escaped,
 * nothing is trusted, and no HTML is understood.
 */
export function renderTooltip(lines: readonly TooltipLine[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  for (const [index, line] of lines.entries()) {
    if (index > 0) markdown.appendMarkdown("\n\n");
    if (line.style === "title") markdown.appendMarkdown("**").appendText(line.text).appendMarkdown("**");
    else if (line.style === "quote") appendQuote(markdown, line.text);
    else if (line.name === undefined) markdown.appendText(line.text);
    else markdown.appendText(`${line.name}: ${line.text}`);
  }
  return markdown;
}

function appendQuote(markdown: vscode.MarkdownString, text: string): void {
  const short = text.length <= 1_000 ? text : `${text.slice(0, 1_000)}…`;
  for (const [index, line] of short.split(/\r?\n/).entries()) {
    markdown.appendMarkdown(index === 0 ? "> " : "  \n> ").appendText(line);
  }
}
