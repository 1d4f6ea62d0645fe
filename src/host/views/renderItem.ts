import * as vscode from "vscode";
import type { CommandId } from "../commands/table.ts";
import { escapeMarkdown } from "../chat/safeMarkdown.ts";
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
  return new vscode.MarkdownString(lines.map(renderLine).join("\n\n"));
}

function renderLine(line: TooltipLine): string {
  switch (line.style) {
    case "title":
      return `**${plain(line.text, " ")}**`;
    case "quote": {
      const short = line.text.length <= 1_000 ? line.text : `${line.text.slice(0, 1_000)}…`;
      return `> ${plain(short, "  \n> ")}`;
    }
    default:
      return plain(line.name === undefined ? line.text : `${line.name}: ${line.text}`, "\n\n");
  }
}

/**
 * Plain words. The editor's own `appendText` is not for whole sentences: it makes all blanks such that no line breaks
 * at them, so that words break instead. Only those that Markdown would drop, or take for code, are kept so.
 */
function plain(text: string, lineBreak: string): string {
  return text
    .split(/\r?\n/)
    .map((line) =>
      escapeMarkdown(line).replace(/^[ \t]+|[ \t]{2,}|[ \t]+$/g, (blanks) => "&nbsp;".repeat(blanks.length)),
    )
    .join(lineBreak);
}
