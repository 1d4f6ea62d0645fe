import type { Problem } from "../../client/serverState.ts";
import type { Translate } from "../../shared/translate.ts";
import { oneLine } from "../serverText.ts";
import type { Wording } from "../words.ts";
import { nodeId, type NoteNode, type TooltipLine, type TreeItemModel } from "./nodes.ts";

export interface NoteOptions {
  /** Tells the notes of one server apart. */
  readonly key: string;
  readonly label: string;
  readonly severity: "error" | "warning" | "info";
  readonly remedy?: string;
  readonly detail?: string;
  readonly click?: TreeItemModel["click"];
  readonly t: Translate;
}

const NOTE_ICONS = {
  error: { id: "error", color: "problemsErrorIcon.foreground" },
  warning: { id: "warning", color: "problemsWarningIcon.foreground" },
  info: { id: "info" },
} as const;

/** Something to read, below a server or one of its sections. */
export function createNote(serverId: string, options: NoteOptions): NoteNode {
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

/** A problem with what can be done about it. A click shows the server's log. */
export function createProblemNote(
  serverId: string,
  { problem, key, severity }: Pick<NoteOptions, "key" | "severity"> & { readonly problem: Problem },
  { t, describe }: Wording,
): NoteNode {
  const { message, remedy, detail } = describe(problem);
  return createNote(serverId, {
    key,
    label: message,
    severity,
    click: "showServerLog",
    t,
    ...(remedy === undefined ? {} : { remedy }),
    ...(detail === undefined ? {} : { detail }),
  });
}

/** Oddities of a list that cost nothing. */
export function createWarnings(
  serverId: string,
  prefix: string,
  warnings: readonly string[],
  t: Translate,
): readonly NoteNode[] {
  return warnings.map((label, index) =>
    createNote(serverId, {
      key: `${prefix}/${String(index)}`,
      label,
      severity: "warning",
      click: "showServerLog",
      t,
    }),
  );
}

/** The end of a long output, where the reason usually is. */
function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-8).join("\n").slice(-1_000);
}
