import type { JsonObject } from "../../base/json.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { Tool } from "../../protocol/model/tool.ts";
import { schemaForModel } from "./schemaForModel.ts";
import { assignToolNames, type ToolAddress } from "./toolNames.ts";

/** A tool that chat may use, with the server that it belongs to. */
export interface ChatTool {
  readonly entry: ServerEntry;
  readonly serverId: string;
  readonly tool: Tool;
}

/** A tool as a model is told about it. `name` is the model's name for it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** The tools of one request, and which had to be left out. */
export interface ToolOffer {
  readonly tools: readonly ModelTool[];
  /** By the model's name. */
  readonly byName: ReadonlyMap<string, ChatTool>;
  readonly leftOut: readonly ChatTool[];
}

/** Models refuse requests with more tools than this. */
export const MAX_TOOLS = 128;
/** Characters of one description that a model is given. */
const MAX_DESCRIPTION = 4_000;

/** The tools of all connected servers that their settings let chat see, in the order of the servers. */
export function listChatTools(servers: readonly ServerEntry[]): readonly ChatTool[] {
  return servers.flatMap((entry) => {
    const { config, state } = entry;
    if (config?.chat !== true || state.kind !== "connected") return [];
    const { tools: shown } = config;
    return state.catalog.tools
      .filter((tool) => shown === undefined || shown.includes(tool.name))
      .map((tool) => ({ entry, serverId: entry.id, tool }));
  });
}

/**
 * The tools to send with a request. Over the ceiling every server keeps a fair share: the first tools of each,
 * so that one crowded server cannot push the others out.
 */
export function offerTools(tools: readonly ChatTool[], ceiling = MAX_TOOLS): ToolOffer {
  const kept = new Set(fairShare(tools, ceiling));
  const offered = tools.filter((tool) => kept.has(tool));
  const byAddress = new Map(offered.map((one) => [addressKey(addressOf(one)), one]));
  const byName = new Map<string, ChatTool>();
  for (const [name, address] of assignToolNames(offered.map(addressOf))) {
    const tool = byAddress.get(addressKey(address));
    if (tool !== undefined) byName.set(name, tool);
  }
  return {
    tools: [...byName].map(([name, one]) => toModelTool(name, one)),
    byName,
    leftOut: tools.filter((tool) => !kept.has(tool)),
  };
}

function fairShare(tools: readonly ChatTool[], ceiling: number): readonly ChatTool[] {
  if (tools.length <= ceiling) return tools;
  const byServer = new Map<string, ChatTool[]>();
  for (const tool of tools) byServer.set(tool.serverId, [...(byServer.get(tool.serverId) ?? []), tool]);
  const kept: ChatTool[] = [];
  for (let turn = 0; kept.length < ceiling; turn += 1) {
    for (const own of byServer.values()) {
      const tool = own[turn];
      if (tool !== undefined && kept.length < ceiling) kept.push(tool);
    }
  }
  return kept;
}

function toModelTool(name: string, { serverId, tool }: ChatTool): ModelTool {
  const described = [tool.displayName === tool.name ? "" : tool.displayName, tool.description ?? ""].filter(
    (part) => part !== "",
  );
  const { schema, note } = schemaForModel(tool.inputSchema);
  // The note first: a long description is cut, and the rules of the arguments must not be lost with it.
  const description = [
    `Tool ${JSON.stringify(tool.name)} of the MCP server ${JSON.stringify(serverId)}.`,
    ...(note.length <= MAX_DESCRIPTION / 2 ? [note, ...described] : [...described, note]),
  ].filter((part) => part !== "");
  return { name, description: description.join("\n").slice(0, MAX_DESCRIPTION), inputSchema: schema };
}

function addressOf({ serverId, tool }: ChatTool): ToolAddress {
  return { serverId, toolName: tool.name };
}

function addressKey({ serverId, toolName }: ToolAddress): string {
  return JSON.stringify([serverId, toolName]);
}
