import * as vscode from "vscode";
import { isJsonObject } from "../../base/json.ts";
import { ClientError } from "../../client/clientError.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { Tool } from "../../protocol/model/tool.ts";
import { openToolRun } from "../panels/toolRunPanel.ts";
import { askChoice } from "../quickInput/ask.ts";
import { BACK } from "../quickInput/runFlow.ts";
import { oneLine, pickLabel } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { chooseServer, serverIdOf } from "./chooseServer.ts";
import type { Handlers } from "./table.ts";

interface NamedTool {
  readonly serverId: string;
  readonly toolName: string;
}

/** Run Tool… and Copy Tool Name. */
export function toolCommands(
  services: HostServices,
): Handlers<"signalbox.runTool" | "signalbox.copyToolName"> {
  return {
    async "signalbox.runTool"(tool, toolName, args) {
      const chosen = await chooseTool(services, vscode.l10n.t("Run Tool"), tool, toolName);
      if (chosen === undefined) return undefined;
      openToolRun(services, chosen.serverId, chosen.toolName, isJsonObject(args) ? args : undefined);
      return chosen.toolName;
    },

    async "signalbox.copyToolName"(tool, toolName) {
      const chosen = await chooseTool(services, vscode.l10n.t("Copy Tool Name"), tool, toolName);
      if (chosen === undefined) return undefined;
      await vscode.env.clipboard.writeText(chosen.toolName);
      return chosen.toolName;
    },
  };
}

async function chooseTool(
  services: HostServices,
  title: string,
  argument: unknown,
  toolName: unknown,
): Promise<NamedTool | undefined> {
  const serverId = serverIdOf(argument);
  const named = toolNameOf(argument) ?? (typeof toolName === "string" ? toolName : undefined);
  if (serverId !== undefined && named !== undefined) {
    if (services.pool.get(serverId) === undefined)
      throw new ClientError("no-such-server", { server: serverId });
    return { serverId, toolName: named };
  }
  const entries = await connectedEntries(services, title, serverId);
  if (entries === undefined) return undefined;
  const items = entries.flatMap((entry) => toolsOf(entry).map((tool) => toolItem(entry.id, tool)));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t("The connected servers have no tools."));
    return undefined;
  }
  const chosen = await askChoice({ title, placeholder: vscode.l10n.t("Choose a tool"), items });
  return chosen === BACK ? undefined : chosen;
}

/** The servers whose tools are offered: the named one, else all that are connected, else one that is connected now. */
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

function toolsOf(entry: ServerEntry): readonly Tool[] {
  return entry.state.kind === "connected" ? entry.state.catalog.tools : [];
}

function toolItem(serverId: string, tool: Tool): vscode.QuickPickItem & { value: NamedTool } {
  return {
    label: pickLabel(tool.displayName),
    description: pickLabel(tool.displayName === tool.name ? serverId : `${tool.name} · ${serverId}`),
    ...(tool.description === undefined ? {} : { detail: pickLabel(oneLine(tool.description, 120)) }),
    value: { serverId, toolName: tool.name },
  };
}

function toolNameOf(argument: unknown): string | undefined {
  if (typeof argument !== "object" || argument === null || !("toolName" in argument)) return undefined;
  return typeof argument.toolName === "string" ? argument.toolName : undefined;
}
