import type { Disposable, DisposableStore } from "../base/disposable.ts";
import type { JsonObject } from "../base/json.ts";
import { ClientError } from "../client/clientError.ts";
import type { ServerState } from "../client/serverState.ts";
import { EngineError } from "../protocol/engineError.ts";
import type { HostServices } from "./services.ts";
import { type ApiCall, askApiCall } from "./approval/askApiCall.ts";
import { definitionDigest } from "./chat/approvals.ts";
import type { ChatTool } from "./chat/chatTools.ts";
import type { InfoDocuments } from "./views/infoDocuments.ts";

/**
 * What other extensions get from `activate`: `vscode.extensions.getExtension("signalbox.signalbox")`.
 * In schemas, arguments and results, an integer beyond ±(2^53 − 1) is a `bigint` and keeps every digit both ways.
 * `JSON.stringify` throws on one: give it a replacer.
 * Grows only by additions while `version` is 1.
 */
export interface SignalboxApi {
  readonly version: 1;
  /** The servers of the settings with what they are doing. */
  servers(): readonly ApiServer[];
  /** The tools of a connected server, as it described them: names, texts and schemas are untrusted. */
  tools(serverId: string): readonly ApiTool[];
  /**
   * Calls a tool after the person has allowed it, and answers the server's result. Input that the server asks for is
   * asked of the person. Rejects when the call is not allowed, fails, or is cancelled.
   * `caller` is shown in the question: the display name of the extension that calls.
   */
  callTool(
    serverId: string,
    tool: string,
    args: JsonObject,
    options: { readonly caller: string; readonly signal?: AbortSignal },
  ): Promise<JsonObject>;
  /** Runs the listener with the id of the server that changed, or undefined when the set of servers changed. */
  onDidChangeServers(listener: (serverId: string | undefined) => void): Disposable;
}

export interface ApiServer {
  readonly id: string;
  readonly state: ServerState["kind"];
  /** Present when connected. */
  readonly era?: "legacy" | "modern";
  readonly revision?: string;
}

export interface ApiTool {
  readonly name: string;
  readonly displayName: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/**
 * Makes the API, and asks before it does anything for another extension.
 * Listeners that others forget go away with `store`.
 */
export function createApi(
  services: HostServices,
  documents: InfoDocuments,
  store: DisposableStore,
): SignalboxApi {
  // Callers with the tools that they may call until the window closes, each tool as it was defined when it was allowed.
  const allowed = new Set<string>();

  async function allow(call: ApiCall): Promise<void> {
    const key = `${call.caller} ${definitionDigest(findTool(services, call.serverId, call.tool))}`;
    if (allowed.has(key)) return;
    const choice = await askApiCall(call, documents);
    if (choice === "deny") throw new ClientError("call-declined", { server: call.serverId, tool: call.tool });
    if (choice === "session") allowed.add(key);
  }

  return {
    version: 1,
    servers: () =>
      services.pool.servers().map(({ id, state }) => ({
        id,
        state: state.kind,
        ...(state.kind === "connected"
          ? { era: state.negotiation.era, revision: state.negotiation.revision }
          : {}),
      })),
    tools: (serverId) => toolsOf(services, serverId),
    async callTool(serverId, tool, args, { caller, signal }) {
      await allow({ caller, serverId, tool, args });
      signal?.throwIfAborted();
      const options = { origin: "api" as const, ...(signal === undefined ? {} : { signal }) };
      return (await services.pool.callTool(serverId, tool, args, options)).result.raw;
    },
    onDidChangeServers: (listener) => store.add(services.pool.onDidChange(listener)),
  };
}

function toolsOf(services: HostServices, serverId: string): readonly ApiTool[] {
  const state = services.pool.get(serverId)?.state;
  if (state?.kind !== "connected") return [];
  return state.catalog.tools.map(({ name, displayName, description, inputSchema }) => ({
    name,
    displayName,
    inputSchema,
    ...(description === undefined ? {} : { description }),
  }));
}

function findTool(services: HostServices, serverId: string, name: string): ChatTool {
  const entry = services.pool.get(serverId);
  if (entry === undefined) throw new ClientError("no-such-server", { server: serverId });
  if (entry.state.kind !== "connected") throw new ClientError("not-connected", { server: serverId });
  const tool = entry.state.catalog.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new EngineError("unknown-tool", { server: serverId, tool: name, reason: "" });
  return { serverId, entry, tool };
}
