import type { Disposable, DisposableStore } from "../base/disposable.ts";
import type { JsonObject } from "../base/json.ts";
import { ClientError } from "../client/clientError.ts";
import type { CallOptions, ServerEntry } from "../client/serverPool.ts";
import type { ConnectedState, ServerState } from "../client/serverState.ts";
import type { Prompt } from "../protocol/model/prompt.ts";
import type { Resource } from "../protocol/model/resource.ts";
import { EngineError } from "../protocol/engineError.ts";
import type { TraceContext } from "../protocol/traceContext.ts";
import type { HostServices } from "./services.ts";
import { askApiCall } from "./approval/askApiCall.ts";
import { definitionDigest } from "./chat/approvals.ts";
import type { ChatPrompt, ApiTarget } from "./chat/chatTargets.ts";
import type { ChatTool } from "./chat/chatTools.ts";
import { promptsOf, resourcesOf } from "./listsOf.ts";
import { offerAuthorizationCures } from "./auth/authorizationCures.ts";
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
  callTool(serverId: string, tool: string, args: JsonObject, options: ApiCallOptions): Promise<JsonObject>;
  /** The resources that a connected server lists: names and texts are untrusted. */
  resources(serverId: string): readonly ApiResource[];
  /** The prompts of a connected server: names and texts are untrusted. */
  prompts(serverId: string): readonly ApiPrompt[];
  /** Reads a resource, listed or not, after the person has allowed it, and answers the server's result. As `callTool`. */
  readResource(serverId: string, uri: string, options: ApiCallOptions): Promise<JsonObject>;
  /** Gets a prompt after the person has allowed it, and answers the server's result. As `callTool`. */
  getPrompt(
    serverId: string,
    prompt: string,
    args: Readonly<Record<string, string>>,
    options: ApiCallOptions,
  ): Promise<JsonObject>;
  /** Runs the listener with the id of the server that changed, or undefined when the set of servers changed. */
  onDidChangeServers(listener: (serverId: string | undefined) => void): Disposable;
}

export interface ApiCallOptions {
  /** Shown in the question: the display name of the extension that calls. */
  readonly caller: string;
  readonly signal?: AbortSignal;
  /** The trace that the caller's work belongs to; used only where the server's settings switch traces on. */
  readonly trace?: TraceContext;
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

export interface ApiResource {
  /** A name for the server; it is nothing on this machine, whatever its scheme. */
  readonly uri: string;
  readonly displayName: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, as the server claims. */
  readonly size?: number;
}

export interface ApiPrompt {
  readonly name: string;
  readonly displayName: string;
  readonly description?: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
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
  // Callers with what they may use until the window closes, each as it was defined when it was allowed.
  const allowed = new Set<string>();

  /** Asks unless it was allowed before; answers the options for the pool. */
  async function allow(target: ApiTarget, args: JsonObject, options: ApiCallOptions): Promise<CallOptions> {
    const { caller, signal, trace } = options;
    const key = `${caller} ${definitionDigest(target)}`;
    if (!allowed.has(key)) {
      const choice = await askApiCall({ caller, target, args }, documents);
      if (choice === "deny") {
        throw new ClientError("call-declined", { server: target.serverId, tool: nameOf(target) });
      }
      if (choice === "session") allowed.add(key);
    }
    signal?.throwIfAborted();
    return { origin: "api", ...(signal && { signal }), ...(trace && { trace }) };
  }

  /** Whoever called hears of a failure; what can be done about a failed authorization, only the person can. */
  async function tell<T>(serverId: string, call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (problem) {
      offerAuthorizationCures(services, problem, serverId);
      throw problem;
    }
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
    async callTool(serverId, tool, args, options) {
      const how = await allow(findTool(services, serverId, tool), args, options);
      return (await tell(serverId, services.pool.callTool(serverId, tool, args, how))).result.raw;
    },
    resources: (serverId) => resourcesOf(services.pool.get(serverId)).map(toApiResource),
    prompts: (serverId) => promptsOf(services.pool.get(serverId)).map(toApiPrompt),
    async readResource(serverId, uri, options) {
      const how = await allow({ entry: connectedEntry(services, serverId), serverId, uri }, {}, options);
      return (await tell(serverId, services.pool.readResource(serverId, uri, how))).result.raw;
    },
    async getPrompt(serverId, prompt, args, options) {
      const how = await allow(findPrompt(services, serverId, prompt), args, options);
      return (await tell(serverId, services.pool.getPrompt(serverId, prompt, args, how))).result.raw;
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
  const entry = connectedEntry(services, serverId);
  const tool = entry.state.catalog.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new EngineError("unknown-tool", { server: serverId, tool: name, reason: "" });
  return { serverId, entry, tool };
}

function findPrompt(services: HostServices, serverId: string, name: string): ChatPrompt {
  const entry = connectedEntry(services, serverId);
  const prompt = promptsOf(entry).find((candidate) => candidate.name === name);
  if (prompt === undefined) throw new ClientError("no-such-prompt", { server: serverId, prompt: name });
  return { serverId, entry, prompt };
}

function connectedEntry(
  services: HostServices,
  serverId: string,
): ServerEntry & { readonly state: ConnectedState } {
  const entry = services.pool.get(serverId);
  if (entry === undefined) throw new ClientError("no-such-server", { server: serverId });
  const { state } = entry;
  if (state.kind !== "connected") throw new ClientError("not-connected", { server: serverId });
  return { ...entry, state };
}

function nameOf(target: ApiTarget): string {
  if ("tool" in target) return target.tool.name;
  return "uri" in target ? target.uri : target.prompt.name;
}

function toApiResource({ uri, displayName, description, mimeType, size }: Resource): ApiResource {
  return {
    uri,
    displayName,
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(size === undefined ? {} : { size }),
  };
}

function toApiPrompt({ name, displayName, description, arguments: args }: Prompt): ApiPrompt {
  return {
    name,
    displayName,
    ...(description === undefined ? {} : { description }),
    arguments: args.map((argument) => ({
      name: argument.name,
      required: argument.required,
      ...(argument.description === undefined ? {} : { description: argument.description }),
    })),
  };
}
