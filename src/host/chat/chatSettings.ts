import * as vscode from "vscode";

/** The settings of chat, within the bounds that the manifest declares for them. */
export interface ChatSettings {
  /** How often a model may call tools before it has to stop. */
  readonly maxToolRounds: number;
  /** Bytes of text of one tool result that a model is given. */
  readonly maxResultBytes: number;
}

/** Reads the settings of chat. A value that is no whole number counts as not set; one out of bounds as the bound. */
export function readChatSettings(): ChatSettings {
  const settings = vscode.workspace.getConfiguration("signalbox");
  return {
    maxToolRounds: within(settings.get("chat.maxToolRounds"), { least: 1, most: 100, usual: 10 }),
    maxResultBytes: within(settings.get("chat.maxResultBytes"), {
      least: 1_000,
      most: 1_000_000,
      usual: 60_000,
    }),
  };
}

function within(
  value: unknown,
  bounds: { readonly least: number; readonly most: number; readonly usual: number },
): number {
  if (typeof value !== "number" || !Number.isInteger(value)) return bounds.usual;
  return Math.min(bounds.most, Math.max(bounds.least, value));
}
