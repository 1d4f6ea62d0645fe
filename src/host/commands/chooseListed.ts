import * as vscode from "vscode";
import type { ServerEntry } from "../../client/serverPool.ts";
import { askChoice, type Choice } from "../quickInput/ask.ts";
import { BACK } from "../quickInput/runFlow.ts";
import type { HostServices } from "../services.ts";
import { chooseServer } from "./chooseServer.ts";

/** A choice among the things that servers list. */
export interface ListedChoice<T> {
  readonly title: string;
  readonly placeholder: string;
  /** What to say when no connected server lists any. */
  readonly nothing: string;
  readonly items: (entry: ServerEntry) => readonly Choice<T>[];
}

/**
 * Lets the person choose one thing of the named server, of all that are connected, or of one that is connected now.
 * Undefined when nothing was chosen.
 */
export async function chooseListed<T>(
  services: HostServices,
  serverId: string | undefined,
  { title, placeholder, nothing, items }: ListedChoice<T>,
): Promise<T | undefined> {
  const entries = await connectedEntries(services, title, serverId);
  if (entries === undefined) return undefined;
  const all = entries.flatMap((entry) => items(entry));
  if (all.length === 0) {
    void vscode.window.showInformationMessage(nothing);
    return undefined;
  }
  const chosen = await askChoice({ title, placeholder, items: all });
  return chosen === BACK ? undefined : chosen;
}

/** The servers to choose from: the named one, else all that are connected, else one that is connected now. */
async function connectedEntries(
  services: HostServices,
  title: string,
  serverId: string | undefined,
): Promise<readonly ServerEntry[] | undefined> {
  if (serverId === undefined) {
    const connected = services.pool.servers().filter((entry) => entry.state.kind === "connected");
    if (connected.length > 0) return connected;
  }
  const entry = await chooseServer(services, serverId, {
    title,
    fits: (candidate) => candidate.state.kind !== "disabled",
    nothing: vscode.l10n.t("All servers are disabled."),
  });
  if (entry === undefined) return undefined;
  if (entry.state.kind === "connected") return [entry];
  await vscode.commands.executeCommand("signalbox.connect", entry.id);
  const now = services.pool.get(entry.id);
  // The failure to connect has been reported by the command.
  return now?.state.kind === "connected" ? [now] : undefined;
}

/** A text that an argument of a command carries: a field of a node of the tree, or the argument beside the server. */
export function textOf(argument: unknown, field: string, second: unknown): string | undefined {
  if (typeof second === "string") return second;
  if (typeof argument !== "object" || argument === null) return undefined;
  const value: unknown = (argument as Readonly<Record<string, unknown>>)[field];
  return typeof value === "string" ? value : undefined;
}
