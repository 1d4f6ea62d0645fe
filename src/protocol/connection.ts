import { CallScope } from "../base/callScope.ts";
import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { describeCall, targetOf } from "./callWords.ts";
import { isRefusal } from "./cache/cacheRules.ts";
import { type Fetched, requestCached } from "./cache/requestCached.ts";
import type { ResultCache } from "./cache/resultCache.ts";
import type { Negotiated } from "./eras/negotiateOptions.ts";
import { EngineError } from "./engineError.ts";
import { extendOnProgress } from "./extendOnProgress.ts";
import type { Limits, Timeouts } from "./limits.ts";
import { Listening } from "./listening.ts";
import { type ListedPages, listPages, type ListWish } from "./lists/listPages.ts";
import { readCatalog } from "./lists/readCatalog.ts";
import { readListing } from "./lists/readListing.ts";
import type { CacheNote } from "./model/cached.ts";
import type { Listing } from "./model/listing.ts";
import type { ServerNotice } from "./model/notice.ts";
import type { Prompt } from "./model/prompt.ts";
import type { Resource, ResourceTemplate } from "./model/resource.ts";
import type { Negotiation } from "./model/server.ts";
import type { CalledTool, Progress, Tool, ToolCatalog } from "./model/tool.ts";
import { InputAsker } from "./mrtr/inputAsker.ts";
import type { FeatureName } from "./mrtr/clientFeatures.ts";
import type { FeatureUse } from "./mrtr/featureUse.ts";
import type { InputHandler } from "./mrtr/inputRequired.ts";
import { MAY_ASK } from "./mrtr/nextRound.ts";
import { callWithRounds } from "./mrtr/roundTrips.ts";
import { parsePrompt } from "./prompts/parsePrompt.ts";
import { parseResource, parseTemplate } from "./resources/parseResource.ts";
import { requiredCapability } from "./requiredCapability.ts";
import { RpcError } from "./rpcError.ts";
import { shorten } from "./shorten.ts";
import { ConnectionTasks, type RememberedTask, type TaskReport } from "./tasks/connectionTasks.ts";
import { CallTrace, type TraceContext } from "./traceContext.ts";
import { readToolResult } from "./tools/readToolResult.ts";

/** What a connection needs beside its session. */
export interface ConnectionOptions {
  readonly serverName: string;
  readonly limits: Limits;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly log: Log;
  /** What the server may use beside asking for input. */
  readonly use: FeatureUse;
  /** Results that may be kept; undefined keeps none. It outlives the connection. */
  readonly cache?: ResultCache | undefined;
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
  /** The trace that the caller's work belongs to; used only where traces are switched on. */
  readonly trace?: TraceContext | undefined;
  /** True when the newest is wanted: no result that was kept will do. */
  readonly fresh?: boolean | undefined;
  /** Hears how the call is when it has become a task. */
  readonly onTask?: ((report: TaskReport) => void) | undefined;
}

/** A server's result, unchecked, and the number of rounds of input it took. */
export interface Answered {
  readonly result: JsonObject;
  readonly rounds: number;
  /** Set when nothing was fetched. */
  readonly fromCache?: CacheNote;
}

const EMPTY: ToolCatalog = { tools: [], rejectedTools: [], warnings: [] };

/** A usable connection to one server. It does not know which era it speaks. */
export class Connection implements Disposable {
  readonly negotiation: Negotiation;
  /** What the server is asked to tell on its own. */
  readonly listening: Listening;
  readonly tasks: ConnectionTasks;
  /** Whether each call tells the server which trace it belongs to. */
  isTraced = false;
  readonly #session: Negotiated["session"];
  readonly #options: ConnectionOptions;
  #catalog: ToolCatalog = EMPTY;
  #tools: ReadonlyMap<string, Tool> = new Map();
  #onNotice: ((notice: ServerNotice) => void) | undefined;
  #listsBegun = 0;
  #listAdopted = 0;

  constructor(negotiated: Negotiated, options: ConnectionOptions) {
    this.negotiation = negotiated.negotiation;
    this.#session = negotiated.session;
    this.#options = options;
    this.listening = new Listening(
      negotiated.session,
      (method, signal) => this.#scope(method, signal, undefined),
      options.log,
    );
    this.tasks = new ConnectionTasks({ session: negotiated.session, ...options });
    this.#session.onNotice = (notice) => {
      this.tasks.heed(notice);
      options.cache?.heed(notice);
      this.#onNotice?.(notice);
    };
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
    this.#onNotice = listener;
    this.#options.use.onWanted = (feature) => listener?.({ kind: "feature-wanted", feature });
  }

  /** The features that are on for the server, and declared to it. */
  get allowedFeatures(): readonly FeatureName[] {
    return this.#options.use.allowed;
  }

  /** The features that the server wanted although they are off for it. */
  get wantedFeatures(): readonly FeatureName[] {
    return this.#options.use.wanted;
  }

  /** What the last `listTools` gave. */
  get catalog(): ToolCatalog {
    return this.#catalog;
  }

  /**
   * Lists the tools, all pages. A server that announces no tools is not asked.
   * Rejects when the first page fails; the connection is good all the same.
   */
  async listTools(signal?: AbortSignal, wish: ListWish = "fresh-enough"): Promise<ToolCatalog> {
    if (this.negotiation.capabilities["tools"] === undefined) return EMPTY;
    const turn = (this.#listsBegun += 1);
    const pages = await this.pages("tools/list", "tools", signal, wish);
    // A list that was asked for later knows more, also when it was answered sooner.
    if (turn > this.#listAdopted) {
      this.#listAdopted = turn;
      const known = new Set(this.#catalog.warnings);
      this.#catalog = readCatalog(pages, (tools) => this.#session.adoptTools(tools));
      this.#tools = new Map(this.#catalog.tools.map((tool) => [tool.name, tool]));
      for (const { name, reason } of this.#catalog.rejectedTools)
        this.#options.log.write("warn", `The tool “${shorten(name)}” is withheld: ${reason}`);
      for (const warning of this.#catalog.warnings)
        if (!known.has(warning)) this.#options.log.write("warn", warning);
    }
    return this.#catalog;
  }

  /** Lists the prompts, all pages. Rejects when the first page fails. */
  async listPrompts(signal?: AbortSignal, wish?: ListWish): Promise<Listing<Prompt>> {
    const pages = await this.pages("prompts/list", "prompts", signal, wish);
    return readListing("prompts/list", pages, parsePrompt, ({ name }) => name);
  }

  /** Lists the resources, all pages. Rejects when the first page fails. */
  async listResources(signal?: AbortSignal, wish?: ListWish): Promise<Listing<Resource>> {
    const pages = await this.pages("resources/list", "resources", signal, wish);
    return readListing("resources/list", pages, parseResource, ({ uri }) => uri);
  }

  /** Lists the templates of resources, all pages. Rejects when the first page fails. */
  async listTemplates(signal?: AbortSignal, wish?: ListWish): Promise<Listing<ResourceTemplate>> {
    const pages = await this.pages("resources/templates/list", "resourceTemplates", signal, wish);
    return readListing("resources/templates/list", pages, parseTemplate, ({ uriTemplate }) => uriTemplate);
  }

  /**
   * Calls a tool and answers what the server asks for on the way. A name that is not in the catalog is sent all the
   * same, because the list may be older than the server; a withheld tool is not.
   *
   * @throws RpcError, EngineError, NetError; an `isError` result is not thrown
   */
  async callTool(name: string, args: JsonObject, options: CallOptions): Promise<CalledTool> {
    const { serverName } = this.#options;
    const rejected = this.#catalog.rejectedTools.find((tool) => tool.name === name);
    if (rejected !== undefined) {
      throw new EngineError("unknown-tool", { server: serverName, tool: name, reason: rejected.reason });
    }
    const params = { name, arguments: args, ...this.tasks.augment(this.#tools.get(name)) };
    const { result, rounds } = await this.request("tools/call", params, options);
    return { result: await readToolResult(result, this.#tools.get(name), this.#options), rounds };
  }

  /**
   * Waits for a task of an earlier call of a tool, and answers what it asks. Whoever gives up leaves it at work.
   *
   * @throws EngineError `no-tasks`, `task-gone`, `task-expired`, `task-cancelled`, and as `callTool` does
   */
  async resumeTask(task: RememberedTask, name: string, options: CallOptions): Promise<CalledTool> {
    const scope = this.#scope("tools/call", options.signal, undefined);
    const asker = this.#asker(scope, "tools/call", { name }, options);
    try {
      const result = await this.tasks.resume(task, { scope, asker, onTask: options.onTask });
      return {
        result: await readToolResult(result, this.#tools.get(name), this.#options),
        rounds: asker.rounds,
      };
    } finally {
      scope.dispose();
    }
  }

  /**
   * Sends any request of the era that has a result of its own, such as `resources/read`, and answers what the server
   * asks for on the way. The result is the server's, unchecked; one that was kept says so.
   *
   * @param explain gives the server's error its meaning, unless rounds of input came before it: then it may be about
   *   those
   */
  async request(
    method: string,
    params: JsonObject,
    options: CallOptions,
    explain?: (error: RpcError) => Error,
  ): Promise<Answered> {
    const { serverName, cache } = this.#options;
    const capability = requiredCapability(method);
    if (capability !== undefined && this.negotiation.capabilities[capability] === undefined)
      throw new EngineError("not-announced", { server: serverName, capability, method });
    const scope = this.#scope(method, options.signal, options.timeoutMs);
    // What may not be answered is not declared either.
    const asker = MAY_ASK.has(method) ? this.#asker(scope, method, params, options) : undefined;
    try {
      const served = await requestCached({
        cache,
        subject: { method, params },
        isFreshWanted: options.fresh === true,
        mayServeStale: true,
        fetch: () => this.#callWithRounds(method, params, { scope, asker, options }),
      });
      const answered = { result: served.result, rounds: asker?.rounds ?? 0 };
      return "fromCache" in served ? { ...answered, fromCache: served.fromCache } : answered;
    } catch (error) {
      // What was kept for whoever asks is no longer for them, whatever it was that they were refused.
      if (isRefusal(error)) cache?.dropPrivate();
      const isPlain = asker === undefined || asker.rounds === 0;
      throw error instanceof RpcError && isPlain ? (explain?.(error) ?? error) : error;
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

  /** Lists anything that comes in pages, all of them. Rejects when the first one fails. */
  async pages(method: string, key: string, signal?: AbortSignal, wish?: ListWish): Promise<ListedPages> {
    const { serverName, limits, cache } = this.#options;
    const scope = this.#scope(method, signal, undefined);
    try {
      return await listPages(this.#session, {
        method,
        itemsKey: key,
        serverName,
        limits,
        cache,
        isFreshWanted: wish === "newest",
        signal: scope.signal,
        onPage: () => {
          scope.extend();
        },
      });
    } finally {
      scope.dispose();
    }
  }

  #callWithRounds(
    method: string,
    params: JsonObject,
    how: {
      readonly scope: CallScope;
      readonly asker: InputAsker | undefined;
      readonly options: CallOptions;
    },
  ): Promise<Fetched> {
    const { serverName, limits, clock, log } = this.#options;
    const { scope, asker, options } = how;
    const trace = this.isTraced ? new CallTrace(options.trace, describeCall(method, params), log) : undefined;
    return callWithRounds({
      session: this.#session,
      call: {
        method,
        params,
        onProgress: extendOnProgress(scope, options.onProgress),
        refreshTools: async () => {
          await this.listTools(scope.signal, "newest");
        },
      },
      scope,
      asker,
      clock,
      limits,
      serverName,
      trace,
      followTask: (handle) => this.tasks.follow(handle, { scope, asker, onTask: options.onTask }),
    });
  }

  #asker(scope: CallScope, method: string, params: JsonObject, { input, callId }: CallOptions): InputAsker {
    const { serverName, limits, use } = this.#options;
    const target = targetOf(params) ?? method;
    return new InputAsker({
      handler: input,
      use,
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
      signals: [signal],
      lasting: this.closed,
      idleMs: timeoutMs ?? timeouts.requestMs,
      maximumMs: timeouts.maximumMs,
      timeoutError: (ms) => new EngineError("timeout", { server: serverName, method, seconds: ms / 1000 }),
    });
  }
}
