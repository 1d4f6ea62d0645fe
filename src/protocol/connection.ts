import { CallScope } from "../base/callScope.ts";
import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { Negotiated } from "./eras/negotiateOptions.ts";
import { EngineError } from "./engineError.ts";
import type { Limits, Timeouts } from "./limits.ts";
import { type ListedPages, listPages } from "./lists/listPages.ts";
import { readListing } from "./lists/readListing.ts";
import type { Listing } from "./model/listing.ts";
import type { ServerNotice } from "./model/notice.ts";
import type { Prompt } from "./model/prompt.ts";
import type { Resource, ResourceTemplate } from "./model/resource.ts";
import type { Negotiation } from "./model/server.ts";
import type { Progress, RejectedTool, Tool, ToolCatalog, ToolResult } from "./model/tool.ts";
import { InputAsker } from "./mrtr/inputAsker.ts";
import type { InputHandler } from "./mrtr/inputRequired.ts";
import { callWithRounds } from "./mrtr/roundTrips.ts";
import { parsePrompt } from "./prompts/parsePrompt.ts";
import { parseResource, parseTemplate } from "./resources/parseResource.ts";
import { shorten } from "./shorten.ts";
import { parseTool } from "./tools/parseTool.ts";
import { parseToolResult } from "./tools/parseToolResult.ts";

/** What a connection needs beside its session. */
export interface ConnectionOptions {
  readonly serverName: string;
  readonly limits: Limits;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly log: Log;
}

/** How one request is to be made. */
export interface CallOptions {
  /** Survives rounds and retries; names the call to the person who is asked. */
  readonly callId: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Null declares that nobody can be asked in this call. */
  readonly input: InputHandler | null;
}

/** A server's result, unchecked, and the number of rounds of input it took. */
export interface Answered {
  readonly result: JsonObject;
  readonly rounds: number;
}

/** A tool's result and the number of rounds of input it took. */
export interface CalledTool {
  readonly result: ToolResult;
  readonly rounds: number;
}

const EMPTY: ToolCatalog = { tools: [], rejectedTools: [], warnings: [] };

/** A usable connection to one server. It does not know which era it speaks. */
export class Connection implements Disposable {
  readonly negotiation: Negotiation;
  readonly #session: Negotiated["session"];
  readonly #options: ConnectionOptions;
  #catalog: ToolCatalog = EMPTY;
  #tools = new Map<string, Tool>();
  #listsBegun = 0;
  #listAdopted = 0;

  constructor(negotiated: Negotiated, options: ConnectionOptions) {
    this.negotiation = negotiated.negotiation;
    this.#session = negotiated.session;
    this.#options = options;
  }

  /** The configured name of the server, for messages. */
  get serverName(): string {
    return this.#options.serverName;
  }

  /** Aborted when the connection has ended, with the reason. */
  get closed(): AbortSignal {
    return this.#session.closed;
  }

  /** Hears what the server says on its own. */
  set onNotice(listener: ((notice: ServerNotice) => void) | undefined) {
    this.#session.onNotice = listener;
  }

  /** What the last `listTools` gave. */
  get catalog(): ToolCatalog {
    return this.#catalog;
  }

  /**
   * Lists the tools, all pages. A server that announces no tools is not asked.
   * Rejects when the first page fails; the connection is good all the same.
   */
  async listTools(signal?: AbortSignal): Promise<ToolCatalog> {
    if (this.negotiation.capabilities["tools"] === undefined) return EMPTY;
    const turn = (this.#listsBegun += 1);
    const { items, warnings } = await this.#pages("tools/list", "tools", signal);
    // A list that was asked for later knows more, also when it was answered sooner.
    if (turn > this.#listAdopted) {
      this.#listAdopted = turn;
      this.#adopt(
        items.map((item) => parseTool(item)),
        warnings,
      );
    }
    return this.#catalog;
  }

  /** Lists the prompts, all pages. Rejects when the first page fails. */
  async listPrompts(signal?: AbortSignal): Promise<Listing<Prompt>> {
    const pages = await this.#pages("prompts/list", "prompts", signal);
    return readListing("prompts/list", pages, parsePrompt, ({ name }) => name);
  }

  /** Lists the resources, all pages. Rejects when the first page fails. */
  async listResources(signal?: AbortSignal): Promise<Listing<Resource>> {
    const pages = await this.#pages("resources/list", "resources", signal);
    return readListing("resources/list", pages, parseResource, ({ uri }) => uri);
  }

  /** Lists the templates of resources, all pages. Rejects when the first page fails. */
  async listTemplates(signal?: AbortSignal): Promise<Listing<ResourceTemplate>> {
    const pages = await this.#pages("resources/templates/list", "resourceTemplates", signal);
    return readListing("resources/templates/list", pages, parseTemplate, ({ uriTemplate }) => uriTemplate);
  }

  /**
   * Calls a tool and answers what the server asks for on the way. A name that is not in the catalog is sent all the
   * same, because the list may be older than the server; a withheld tool is not.
   *
   * @throws RpcError, EngineError, NetError; an `isError` result is not thrown
   */
  async callTool(name: string, args: JsonObject, options: CallOptions): Promise<CalledTool> {
    const { serverName, limits, clock } = this.#options;
    const rejected = this.#catalog.rejectedTools.find((tool) => tool.name === name);
    if (rejected !== undefined) {
      throw new EngineError("unknown-tool", { server: serverName, tool: name, reason: rejected.reason });
    }
    const scope = this.#scope("tools/call", options.signal, options.timeoutMs);
    const asker =
      options.input === null
        ? undefined
        : this.#asker(options.input, scope, options.callId, "tools/call", name);
    try {
      const raw = await callWithRounds({
        session: this.#session,
        call: {
          method: "tools/call",
          params: { name, arguments: args },
          onProgress: extending(scope, options.onProgress),
          refreshTools: async () => {
            await this.listTools(scope.signal);
          },
        },
        scope,
        asker,
        clock,
        limits,
        serverName,
      });
      const result = await parseToolResult(raw, this.#tools.get(name), { serverName, limits });
      return { result, rounds: asker?.rounds ?? 0 };
    } finally {
      scope.dispose();
    }
  }

  /**
   * Sends any request of the era that has a result of its own, such as `resources/read`, and answers what the server
   * asks for on the way. The result is the server's, unchecked.
   */
  async request(method: string, params: JsonObject, options: CallOptions): Promise<Answered> {
    const { serverName, limits, clock } = this.#options;
    const scope = this.#scope(method, options.signal, options.timeoutMs);
    const target = [params["name"], params["uri"]].find((value) => typeof value === "string") ?? method;
    const asker =
      options.input === null ? undefined : this.#asker(options.input, scope, options.callId, method, target);
    try {
      const onProgress = extending(scope, options.onProgress);
      const call = { method, params, onProgress };
      const result = await callWithRounds({
        session: this.#session,
        call,
        scope,
        asker,
        clock,
        limits,
        serverName,
      });
      return { result, rounds: asker?.rounds ?? 0 };
    } finally {
      scope.dispose();
    }
  }

  /** Ends the session in its own way and waits for the transport to be gone. */
  async close(): Promise<void> {
    await this.#session.close();
  }

  dispose(): void {
    this.#session.dispose();
  }

  async #pages(method: string, itemsKey: string, signal: AbortSignal | undefined): Promise<ListedPages> {
    const { serverName, limits } = this.#options;
    const scope = this.#scope(method, signal, undefined);
    try {
      return await listPages(this.#session, {
        method,
        itemsKey,
        serverName,
        limits,
        signal: scope.signal,
        onPage: () => {
          scope.extend();
        },
      });
    } finally {
      scope.dispose();
    }
  }

  #adopt(parsed: readonly ReturnType<typeof parseTool>[], warnings: readonly string[]): void {
    const rejected: RejectedTool[] = [];
    const tools = new Map<string, Tool>();
    const twice: string[] = [];
    for (const entry of parsed) {
      if (entry.kind === "rejected") rejected.push(entry.rejected);
      else if (tools.has(entry.tool.name)) twice.push(entry.tool.name);
      else tools.set(entry.tool.name, entry.tool);
    }
    for (const withheld of this.#session.adoptTools([...tools.values()])) {
      tools.delete(withheld.name);
      rejected.push(withheld);
    }
    for (const { name, reason } of rejected)
      this.#options.log.write("warn", `The tool “${shorten(name)}” is withheld: ${reason}`);
    const doubled =
      twice.length === 0
        ? []
        : [`Listed more than once, used once: ${shorten([...new Set(twice)].join(", "))}.`];
    this.#tools = tools;
    this.#catalog = {
      tools: [...tools.values()],
      rejectedTools: rejected,
      warnings: [...warnings, ...doubled],
    };
    for (const warning of this.#catalog.warnings) this.#options.log.write("warn", warning);
  }

  #asker(
    handler: InputHandler,
    scope: CallScope,
    callId: string,
    method: string,
    target: string,
  ): InputAsker {
    const { serverName, limits } = this.#options;
    return new InputAsker({
      handler,
      scope,
      callId,
      serverName,
      method,
      target,
      maxRounds: limits.inputRounds,
    });
  }

  #scope(method: string, signal: AbortSignal | undefined, timeoutMs: number | undefined): CallScope {
    const { clock, timeouts, serverName } = this.#options;
    return new CallScope({
      clock,
      signals: [signal, this.closed],
      idleMs: timeoutMs ?? timeouts.requestMs,
      maximumMs: timeouts.maximumMs,
      timeoutError: (ms) => new EngineError("timeout", { server: serverName, method, seconds: ms / 1000 }),
    });
  }
}

/** Progress shows that the server is still at work: the time limit starts anew. */
function extending(
  scope: CallScope,
  onProgress: ((progress: Progress) => void) | undefined,
): (progress: Progress) => void {
  return (progress) => {
    scope.extend();
    onProgress?.(progress);
  };
}
