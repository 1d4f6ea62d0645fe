import type { ServerEntry } from "../../client/serverPool.ts";
import type { Tool } from "../../protocol/model/tool.ts";
import { toolClaims } from "../panels/toolClaims.ts";
import { oneLine } from "../serverText.ts";
import type { Translate } from "../../shared/translate.ts";
import type { Wording } from "../words.ts";
import { describeServer } from "./serverItem.ts";

/** How a node looks and reads, without the editor's types. */
export interface TreeItemModel {
  /** Stable across refreshes, so that the editor keeps selection and expansion. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** A codicon with the theme colour to draw it in. */
  readonly icon: { readonly id: string; readonly color?: string };
  /** What the menus of the manifest match. */
  readonly contextValue: string;
  /** Lines of plain text; nothing in them is markup. */
  readonly tooltip: readonly TooltipLine[];
  /** Label, description and the meaning of the icon, for a screen reader. */
  readonly accessibleLabel: string;
  readonly children: "none" | "collapsed" | "expanded";
  /** What a click does. */
  readonly click?: "runTool" | "showServerLog" | "editServer";
}

export interface TooltipLine {
  readonly style: "title" | "text" | "fact" | "quote";
  /** The name of a fact. */
  readonly name?: string;
  readonly text: string;
}

/** A server. What it looks like is asked for each time, because it changes while the node stays. */
export interface ServerNode {
  readonly kind: "server";
  readonly serverId: string;
}

export interface ToolNode {
  readonly kind: "tool";
  readonly serverId: string;
  /** The exact name on the wire. */
  readonly toolName: string;
  readonly item: TreeItemModel;
}

/** Something to read: a problem, a warning, the heading over withheld tools. */
export interface NoteNode {
  readonly kind: "note";
  readonly serverId: string;
  readonly item: TreeItemModel;
  readonly children: readonly NoteNode[];
}

export type TreeNode = ServerNode | ToolNode | NoteNode;

/** What a server shows below it: problems first, then tools, then what is withheld. */
export function childrenOfServer(entry: ServerEntry, words: Wording): readonly (ToolNode | NoteNode)[] {
  return [...configNotes(entry, words.t), ...stateNotes(entry, words), ...catalogNodes(entry, words.t)];
}

/** A server's own item. */
export function itemOfServer(entry: ServerEntry, words: Wording): TreeItemModel {
  const children = opensByItself(entry) ? "expanded" : "collapsed";
  return { ...describeServer(entry, words), children: hasChildren(entry) ? children : "none" };
}

/** The same answer as looking at the children, without making thousands of them. */
function hasChildren(entry: ServerEntry): boolean {
  const { kind } = entry.state;
  // A connected server shows at least that it has no tools.
  return entry.problems.length > 0 || kind === "failed" || kind === "blocked" || kind === "connected";
}

/** A list of tools longer than this waits for a click. */
const SHOWN_AT_ONCE = 30;

/** What a person connected a server for should be seen without a click, and so should a problem. */
export function opensByItself({ state, config }: ServerEntry): boolean {
  const isShort = state.kind === "connected" && state.catalog.tools.length <= SHOWN_AT_ONCE;
  const isProblem = state.kind === "failed" || state.kind === "blocked" || config === undefined;
  return isShort || isProblem;
}

function configNotes(entry: ServerEntry, t: Translate): readonly NoteNode[] {
  return entry.problems.map((problem, index) =>
    note(entry.id, {
      key: `config/${String(index)}`,
      label: t(problem.template, problem.args),
      severity: problem.severity,
      click: "editServer",
      t,
    }),
  );
}

function stateNotes(entry: ServerEntry, words: Wording): readonly NoteNode[] {
  const { state } = entry;
  const { t } = words;
  const problem =
    state.kind === "failed" || state.kind === "blocked"
      ? state.problem
      : state.kind === "connected"
        ? state.listProblem
        : undefined;
  // The pool repeats a broken definition as the reason of the block; its own notes say it more exactly.
  if (problem === undefined || (entry.config === undefined && entry.problems.length > 0)) return [];
  const { message, remedy, detail } = words.describe(problem);
  return [
    note(entry.id, {
      key: "problem",
      label: message,
      severity: state.kind === "blocked" ? "warning" : "error",
      click: "showServerLog",
      t,
      ...(remedy === undefined ? {} : { remedy }),
      ...(detail === undefined ? {} : { detail }),
    }),
  ];
}

function catalogNodes(entry: ServerEntry, t: Translate): readonly (ToolNode | NoteNode)[] {
  if (entry.state.kind !== "connected") return [];
  const { tools, rejectedTools, warnings } = entry.state.catalog;
  const nodes: (ToolNode | NoteNode)[] = [];
  for (const [index, warning] of warnings.entries()) {
    const key = `warning/${String(index)}`;
    nodes.push(note(entry.id, { key, label: warning, severity: "warning", click: "showServerLog", t }));
  }
  if (tools.length === 0 && rejectedTools.length === 0 && entry.state.listProblem === undefined) {
    // The pool has left out what the settings do not name.
    const label =
      entry.config?.tools === undefined
        ? t("This server has no tools.")
        : t("This server has none of the tools that its settings name.");
    nodes.push(note(entry.id, { key: "empty", label, severity: "info", t }));
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
  const group = note(serverId, { key: "rejected", label, severity: "warning", t });
  const children = rejected.map(({ name, reason }, index) => {
    const child = note(serverId, {
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

/** One id for one path of names, whatever characters are in them. */
export function nodeId(...path: readonly (string | number)[]): string {
  return JSON.stringify(path);
}

interface NoteOptions {
  readonly key: string;
  readonly label: string;
  readonly severity: "error" | "warning" | "info";
  readonly remedy?: string;
  readonly detail?: string;
  readonly click?: "showServerLog" | "editServer";
  readonly t: Translate;
}

const NOTE_ICONS = {
  error: { id: "error", color: "problemsErrorIcon.foreground" },
  warning: { id: "warning", color: "problemsWarningIcon.foreground" },
  info: { id: "info" },
} as const;

function note(serverId: string, options: NoteOptions): NoteNode {
  const { key, severity, remedy, detail, click, t } = options;
  const label = oneLine(options.label);
  const tooltip: TooltipLine[] = [{ style: "text", text: options.label }];
  if (remedy !== undefined) tooltip.push({ style: "text", text: remedy });
  if (detail !== undefined) tooltip.push({ style: "quote", text: lastLines(detail) });
  const kinds = { error: t("Problem"), warning: t("Warning"), info: t("Note") };
  return {
    kind: "note",
    serverId,
    children: [],
    item: {
      id: nodeId(serverId, "note", key),
      label,
      icon: NOTE_ICONS[severity],
      contextValue: `note.${severity}`,
      tooltip,
      accessibleLabel: `${kinds[severity]}: ${label}`,
      children: "none",
      ...(click === undefined ? {} : { click }),
    },
  };
}

/** The end of a long output, where the reason usually is. */
function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-8).join("\n").slice(-1_000);
}
