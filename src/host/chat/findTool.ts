import type { ServerEntry } from "../../client/serverPool.ts";
import { type ChatTool, listChatTools } from "./chatTools.ts";
import { nearNames } from "./toolSearch.ts";

/** The tool that was meant, or an error that helps a model to correct itself. */
export type FoundTool =
  { readonly kind: "found"; readonly tool: ChatTool } | { readonly kind: "unknown"; readonly hint: string };

/** Finds a tool by its exact server and name among what chat may see. Nothing is guessed. */
export function findTool(servers: readonly ServerEntry[], serverId: string, toolName: string): FoundTool {
  const tools = listChatTools(servers);
  const tool = tools.find((one) => one.serverId === serverId && one.tool.name === toolName);
  if (tool !== undefined) return { kind: "found", tool };
  return { kind: "unknown", hint: explain(servers, tools, serverId, toolName) };
}

function explain(
  servers: readonly ServerEntry[],
  tools: readonly ChatTool[],
  serverId: string,
  toolName: string,
): string {
  const visible = servers.filter((entry) => entry.config?.chat === true);
  const entry = visible.find((one) => one.id === serverId);
  if (entry === undefined) {
    const near = nearNames(
      serverId,
      visible.map((one) => one.id),
    );
    return `There is no MCP server ${JSON.stringify(serverId)} for chat.${suggest(near)} Use signalbox_find_tools to see what there is.`;
  }
  if (entry.state.kind !== "connected") {
    return `The MCP server ${JSON.stringify(serverId)} is not connected. Only the user can connect it, in the Signalbox view.`;
  }
  const own = tools.filter((one) => one.serverId === serverId).map((one) => one.tool.name);
  const elsewhere = tools.filter((one) => one.tool.name === toolName).map((one) => one.serverId);
  const other =
    elsewhere.length === 0
      ? ""
      : ` A tool of that name is on: ${elsewhere.map((id) => JSON.stringify(id)).join(", ")}.`;
  return `The MCP server ${JSON.stringify(serverId)} has no tool ${JSON.stringify(toolName)} for chat.${suggest(nearNames(toolName, own))}${other} Use signalbox_find_tools to see what there is.`;
}

function suggest(near: readonly string[]): string {
  return near.length === 0 ? "" : ` Near names: ${near.map((name) => JSON.stringify(name)).join(", ")}.`;
}
