import * as vscode from "vscode";
import { isJsonObject } from "../../base/json.ts";
import { ClientError } from "../../client/clientError.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { Tool } from "../../protocol/model/tool.ts";
import { openToolRun } from "../panels/toolRunPanel.ts";
import { oneLine, pickLabel } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { chooseListed, textOf } from "./chooseListed.ts";
import { serverIdOf } from "./chooseServer.ts";
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
  const named = textOf(argument, "toolName", toolName);
  if (serverId !== undefined && named !== undefined) {
    if (services.pool.get(serverId) === undefined)
      throw new ClientError("no-such-server", { server: serverId });
    return { serverId, toolName: named };
  }
  return chooseListed(services, serverId, {
    title,
    placeholder: vscode.l10n.t("Choose a tool"),
    nothing: vscode.l10n.t("The connected servers have no tools."),
    items: (entry) => toolsOf(entry).map((tool) => toolItem(entry.id, tool)),
  });
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
