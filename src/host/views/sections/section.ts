import type { ServerEntry } from "../../../client/serverPool.ts";
import type { ConnectedState, ListState, Problem } from "../../../client/serverState.ts";
import { RpcError } from "../../../protocol/rpcError.ts";
import type { Translate } from "../../../shared/translate.ts";
import { type ChildNode, nodeId, type SectionNode, type TreeContext } from "../nodes.ts";
import { createNote, createProblemNote, createWarnings } from "../noteNode.ts";

/** One kind of things that a connected server can have, as a heading of the tree and what is below it. */
export interface Section {
  /** Stable: it is a part of the ids of nodes. */
  readonly id: string;
  /** What the heading says; undefined when the server has nothing of this kind to show. */
  readonly heading: (state: ConnectedState, t: Translate) => Heading | undefined;
  /** What is below the heading. Asked for when it is opened. */
  readonly children: (
    entry: ServerEntry,
    state: ConnectedState,
    context: TreeContext,
  ) => readonly ChildNode[];
}

export interface Heading {
  readonly label: string;
  readonly icon: string;
  /** How many things are below it; undefined while nobody knows. */
  readonly count: number | undefined;
  readonly status: "ready" | "reading" | "failed" | "odd";
}

/** A longer list waits for a click. */
export const SHOWN_AT_ONCE = 30;

const MARKS = {
  failed: { id: "error", color: "problemsErrorIcon.foreground" },
  odd: { id: "warning", color: "problemsWarningIcon.foreground" },
  reading: { id: "loading~spin" },
} as const;

/** The node of a heading. The first one of a server is open, so that what it is for is seen without a click. */
export function createSectionNode(
  serverId: string,
  section: Section,
  heading: Heading,
  { isFirst, t }: { readonly isFirst: boolean; readonly t: Translate },
): SectionNode {
  const { label, count, status } = heading;
  const counted = count === undefined ? label : t("{label} ({count})", { label, count });
  const description = descriptionOf(status, t);
  const spoken = t("{label} of server {server}", { label: counted, server: serverId });
  return {
    kind: "section",
    serverId,
    section: section.id,
    item: {
      id: nodeId(serverId, "section", section.id),
      label: counted,
      ...(description === undefined ? {} : { description }),
      icon: status === "ready" ? { id: heading.icon } : MARKS[status],
      contextValue: `section.${section.id}`,
      tooltip: [
        { style: "title", text: counted },
        ...(description === undefined ? [] : [{ style: "text", text: description } as const]),
      ],
      accessibleLabel: description === undefined ? spoken : `${spoken}, ${description}`,
      children: isFirst && (count ?? 0) <= SHOWN_AT_ONCE ? "expanded" : "collapsed",
    },
  };
}

function descriptionOf(status: Heading["status"], t: Translate): string | undefined {
  switch (status) {
    case "ready":
      return undefined;
    case "reading":
      return t("being listed…");
    case "failed":
      return t("could not be listed");
    case "odd":
      return t("with warnings");
  }
}

/** The heading of one of the lists beside the tools. */
export function headingOfList(
  list: ListState<unknown>,
  look: { readonly label: string; readonly icon: string },
): Heading | undefined {
  switch (list.kind) {
    case "absent":
      return undefined;
    case "unread":
      return { ...look, count: undefined, status: "reading" };
    case "failed":
      return { ...look, count: undefined, status: isUnknownMethod(list.problem) ? "odd" : "failed" };
    case "listed":
      return { ...look, count: list.items.length, status: list.warnings.length > 0 ? "odd" : "ready" };
  }
}

/** What is below the heading of such a list. */
export function childrenOfList<T>(
  serverId: string,
  section: string,
  list: ListState<T>,
  draw: {
    readonly empty: string;
    readonly node: (item: T, copies: number) => ChildNode;
    readonly key: (item: T) => string;
  },
  context: TreeContext,
): readonly ChildNode[] {
  const { t } = context;
  if (list.kind === "failed") {
    const severity = isUnknownMethod(list.problem) ? "warning" : "error";
    return [
      createProblemNote(serverId, { problem: list.problem, key: `${section}/problem`, severity }, context),
    ];
  }
  if (list.kind !== "listed") return [];
  const warnings = createWarnings(serverId, `${section}/warning`, list.warnings, t);
  if (list.items.length === 0) {
    return [
      ...warnings,
      createNote(serverId, { key: `${section}/empty`, label: draw.empty, severity: "info", t }),
    ];
  }
  const seen = new Map<string, number>();
  const nodes = list.items.map((item) => {
    const key = draw.key(item);
    const copies = seen.get(key) ?? 0;
    seen.set(key, copies + 1);
    return draw.node(item, copies);
  });
  return [...warnings, ...nodes];
}

/** A server that announces a kind of things without the method to list them: odd, but nothing is broken by it. */
export function isUnknownMethod(problem: Problem): boolean {
  return problem instanceof RpcError && problem.rpcCode === -32_601;
}
