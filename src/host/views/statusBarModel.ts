import type { ServerEntry } from "../../client/serverPool.ts";
import type { Translate } from "../../shared/translate.ts";
import { needsPerson } from "../auth/authWords.ts";
import { entryWords, isHeldUp } from "./serverItem.ts";
import type { TooltipLine } from "./nodes.ts";

/** What the status bar says. */
export interface StatusBarModel {
  readonly text: string;
  /** For a screen reader: the text without its icon. */
  readonly label: string;
  readonly isWarning: boolean;
  readonly tooltip: readonly TooltipLine[];
  readonly click: "showPendingInput" | "showServers";
}

/** Undefined hides the item: there is nothing to say in a window without servers. */
export function statusBarModel(
  entries: readonly ServerEntry[],
  pendingInputs: number,
  t: Translate,
): StatusBarModel | undefined {
  if (entries.length === 0 && pendingInputs === 0) return undefined;
  const connected = entries.filter((entry) => entry.state.kind === "connected").length;
  const failed = entries.filter((entry) => entry.state.kind === "failed" && !isHeldUp(entry)).length;
  const waiting = entries.filter(({ authorization }) => needsPerson(authorization)).length;
  const tooltip: TooltipLine[] = [
    { style: "title", text: t("Signalbox") },
    ...entries.map((entry): TooltipLine => ({
      style: "fact",
      name: entry.id,
      text: entryWords(entry, t),
    })),
  ];
  if (pendingInputs > 0) {
    const label = t("{count} waiting for your input", { count: pendingInputs });
    tooltip.push({ style: "text", text: t("Click to answer.") });
    return { text: `$(bell-dot) ${label}`, label, isWarning: true, tooltip, click: "showPendingInput" };
  }
  tooltip.push({ style: "text", text: t("Click to show the servers.") });
  const icon = failed > 0 ? "$(warning)" : "$(plug)";
  const label = t("{connected} of {all} MCP servers connected", { connected, all: entries.length });
  const failures = failed === 0 ? "" : `, ${t("{count} failed", { count: failed })}`;
  const authorizations = waiting === 0 ? "" : `, ${t("{count} need authorization", { count: waiting })}`;
  return {
    text: `${icon} ${String(connected)}/${String(entries.length)}${waiting === 0 ? "" : ` $(lock) ${String(waiting)}`}`,
    label: label + failures + authorizations,
    isWarning: false,
    tooltip,
    click: "showServers",
  };
}
