import * as vscode from "vscode";
import { ClientError } from "../../client/clientError.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import { askChoice } from "../quickInput/ask.ts";
import { BACK } from "../quickInput/runFlow.ts";
import { pickLabel } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { entryWords } from "../views/serverItem.ts";
import { translate } from "../wording.ts";

export interface ServerChoice {
  /** What the quick pick asks. */
  readonly title: string;
  /** Which servers the command can act on; all when absent. */
  readonly fits?: (entry: ServerEntry) => boolean;
  /** What to say when there are servers, but none fits. */
  readonly nothing?: string;
}

/**
 * The server that a command is to act on: named by its argument, or chosen by the person.
 * Undefined when nothing was chosen. Throws `no-such-server` for a name that the settings do not have.
 */
export async function chooseServer(
  services: HostServices,
  argument: unknown,
  choice: ServerChoice,
): Promise<ServerEntry | undefined> {
  const named = serverIdOf(argument);
  if (named !== undefined) {
    const entry = services.pool.get(named);
    if (entry === undefined) throw new ClientError("no-such-server", { server: named });
    return entry;
  }
  const all = services.pool.servers();
  if (all.length === 0) {
    await offerFirstServer();
    return undefined;
  }
  const fitting = all.filter((entry) => choice.fits?.(entry) ?? true);
  if (fitting.length === 0) {
    void vscode.window.showInformationMessage(
      choice.nothing ?? vscode.l10n.t("No server fits this command."),
    );
    return undefined;
  }
  const chosen = await askChoice({
    title: choice.title,
    placeholder: vscode.l10n.t("Choose a server"),
    items: fitting.map((entry) => ({
      label: pickLabel(entry.id),
      description: entryWords(entry, translate),
      value: entry,
    })),
  });
  return chosen === BACK ? undefined : chosen;
}

/** The server that an argument of a command names. The editor adds arguments of its own, so anything may come. */
export function serverIdOf(argument: unknown): string | undefined {
  if (typeof argument === "string") return argument;
  if (typeof argument !== "object" || argument === null || !("serverId" in argument)) return undefined;
  return typeof argument.serverId === "string" ? argument.serverId : undefined;
}

async function offerFirstServer(): Promise<void> {
  const add = vscode.l10n.t("Add Server…");
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t("There are no MCP servers yet."),
    add,
  );
  if (chosen === add) await vscode.commands.executeCommand("signalbox.addServer");
}
