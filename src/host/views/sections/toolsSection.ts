import type { ServerEntry } from "../../../client/serverPool.ts";
import type { ConnectedState } from "../../../client/serverState.ts";
import type { Tool } from "../../../protocol/model/tool.ts";
import type { Translate } from "../../../shared/translate.ts";
import { toolClaims } from "../../panels/toolClaims.ts";
import { oneLine } from "../../serverText.ts";
import { type NoteNode, nodeId, type ToolNode, type TooltipLine, type TreeContext } from "../nodes.ts";
import { createNote, createProblemNote, createWarnings } from "../noteNode.ts";
import type { Heading, Section } from "./section.ts";

export const toolsSection: Section = { id: "tools", heading: headingOfTools, children: childrenOfTools };

function headingOfTools(state: ConnectedState, t: Translate): Heading | undefined {
  const { catalog, listProblem, negotiation } = state;
  const nothing =
    catalog.tools.length === 0 && catalog.rejectedTools.length === 0 && listProblem === undefined;
  if (nothing && negotiation.capabilities["tools"] === undefined) return undefined;
  const isOdd = catalog.warnings.length > 0 || catalog.rejectedTools.length > 0;
  return {
    label: t("Tools"),
    icon: "tools",
    count: listProblem === undefined || catalog.tools.length > 0 ? catalog.tools.length : undefined,
    status: listProblem !== undefined ? "failed" : isOdd ? "odd" : "ready",
  };
}

/** Problems first, then the tools, then what is withheld. */
export function childrenOfTools(
  entry: ServerEntry,
  { catalog, listProblem }: ConnectedState,
  context: TreeContext,
): readonly (ToolNode | NoteNode)[] {
  const { t } = context;
  const { tools, rejectedTools, warnings } = catalog;
  const nodes: (ToolNode | NoteNode)[] = [];
  if (listProblem !== undefined) {
    nodes.push(
      createProblemNote(entry.id, { problem: listProblem, key: "problem", severity: "error" }, context),
    );
  }
  nodes.push(...createWarnings(entry.id, "warning", warnings, t));
  if (tools.length === 0 && rejectedTools.length === 0 && listProblem === undefined) {
    // The pool has left out what the settings do not name.
    const label =
      entry.config?.tools === undefined
        ? t("This server has no tools.")
        : t("This server has none of the tools that its settings name.");
    nodes.push(createNote(entry.id, { key: "empty", label, severity: "info", t }));
  }
  const names = new Map<string, number>();
  for (const tool of tools) {
    const copies = names.get(tool.name) ?? 0;
    names.set(tool.name, copies + 1);
    nodes.push(toolNode(entry.id, tool, copies, t));
  }
  if (rejectedTools.length > 0) nodes.push(rejectedGroup(entry.id, rejectedTools, t));
  return nodes;
}

function rejectedGroup(
  serverId: string,
  rejected: readonly { readonly name: string; readonly reason: string }[],
  t: Translate,
): NoteNode {
  const label = t("Withheld tools ({count})", { count: rejected.length });
  const group = createNote(serverId, { key: "rejected", label, severity: "warning", t });
  const children = rejected.map(({ name, reason }, index) => {
    const child = createNote(serverId, {
      key: `rejected/${String(index)}`,
      label: oneLine(name),
      severity: "warning",
      t,
    });
    const tooltip: TooltipLine[] = [
      { style: "title", text: oneLine(name) },
      { style: "text", text: reason },
    ];
    const accessibleLabel = t("{name}, withheld: {reason}", { name: oneLine(name), reason });
    return { ...child, item: { ...child.item, description: oneLine(reason), tooltip, accessibleLabel } };
  });
  return { ...group, item: { ...group.item, children: "collapsed" }, children };
}

/** `copies` counts the tools of the same name before this one: the editor draws no two nodes of one id. */
function toolNode(serverId: string, tool: Tool, copies: number, t: Translate): ToolNode {
  const label = oneLine(tool.displayName);
  const name = oneLine(tool.name);
  const description = label === name ? {} : { description: name };
  const tooltip: TooltipLine[] = [
    { style: "title", text: label },
    { style: "fact", name: t("Name"), text: name },
  ];
  if (tool.description !== undefined) tooltip.push({ style: "quote", text: tool.description });
  for (const claim of toolClaims(tool.annotations, t))
    tooltip.push({ style: "fact", name: t("Server"), text: claim });
  return {
    kind: "tool",
    serverId,
    toolName: tool.name,
    item: {
      id: nodeId(serverId, "tool", tool.name, copies),
      label,
      ...description,
      icon: { id: "tools" },
      contextValue: "tool",
      tooltip,
      accessibleLabel: t("Tool {label} of server {server}", { label, server: serverId }),
      children: "none",
      click: "runTool",
    },
  };
}
