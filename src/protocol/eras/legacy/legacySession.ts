import { abortable } from "../../../base/abortable.ts";
import { errorText } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { Channel } from "../../channel.ts";
import { EngineError } from "../../engineError.ts";
import { isErrorResponse, type JsonRpcNotification, type RequestId } from "../../jsonrpc/message.ts";
import type { ListName } from "../../model/listing.ts";
import type { ServerNotice } from "../../model/notice.ts";
import { NO_FILTER, type SubscriptionState } from "../../model/subscriptions.ts";
import type { ServerLogLevel } from "../../model/serverLog.ts";
import type { AnyRevision } from "../../model/revision.ts";
import type { RejectedTool, Tool } from "../../model/tool.ts";
import { RpcError } from "../../rpcError.ts";
import { shorten } from "../../shorten.ts";
import { isAuthorizationRefusal } from "../../transports/authorizationRefusal.ts";
import type { HttpTransport } from "../../transports/transport.ts";
import type { EraCall, EraResult, EraSession, SessionFacts } from "../eraSession.ts";
import { announcedLists, announcesWatching } from "../announcedLists.ts";
import { limitSignal } from "../limitSignal.ts";
import { logServerMessage } from "../logServerMessage.ts";
import { readChangeNotice } from "../readChangeNotice.ts";
import { LegacyTasks } from "./legacyTasks.ts";
import { LEGACY_METHODS } from "./methods.ts";
import { ResourceSubscriptions } from "./resourceSubscriptions.ts";
import { type ServerRequests } from "./serverRequests.ts";
import { ServerStream } from "./serverStream.ts";
import { cancelled, withProgress } from "./requestWords.ts";
import { SessionDoubt } from "./sessionLoss.ts";
import { UrlElicitations } from "./urlElicitations.ts";

/** The time limit of a request that nobody made a call for, such as a subscription. */
const ASIDE_MS = 60_000;

/** What the handshake found out. */
export interface LegacyStart {
  readonly facts: SessionFacts;
  /** The `Mcp-Session-Id` of the `initialize` response: a secret. */
  readonly sessionId: string | undefined;
}

export interface LegacySessionOptions {
  readonly channel: Channel;
  readonly start: LegacyStart;
  /** Makes a new handshake on the same transport, after the server forgot the session. */
  readonly initialize: (revision: AnyRevision, signal: AbortSignal) => Promise<LegacyStart>;
  readonly serverRequests: ServerRequests;
  /** What the requests for input of one error may take. */
  readonly inputBytes: number;
}

/** A session that began with `initialize`. @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle */
export class LegacySession implements EraSession {
  onNotice: ((notice: ServerNotice) => void) | undefined;
  onSubscriptions: ((state: SubscriptionState) => void) | undefined;
  readonly #channel: Channel;
  readonly #options: LegacySessionOptions;
  readonly #serverRequests: ServerRequests;
  #start: LegacyStart;
  #renewal: Promise<void> | undefined;
  readonly #stream: ServerStream;
  readonly #doubt = new SessionDoubt(() => this.#ping());
  readonly #resources: ResourceSubscriptions;
  readonly #urls: UrlElicitations;
  readonly #tasks: LegacyTasks;
  #logLevel: ServerLogLevel | undefined;

  constructor(options: LegacySessionOptions) {
    this.#options = options;
    this.#channel = options.channel;
    this.#start = options.start;
    this.#serverRequests = options.serverRequests;
    const { log, clock, serverName } = options.channel;
    this.#resources = new ResourceSubscriptions({
      send: (method, uri, signal) => this.#sendAside(method, { uri }, signal),
      onDidChange: () => this.onSubscriptions?.(this.subscriptions),
      log,
    });
    this.#serverRequests.onElicitationId = (id) => {
      this.#urls.begin(id);
    };
    this.#urls = new UrlElicitations({ serverName, inputBytes: options.inputBytes, clock, log });
    this.#tasks = new LegacyTasks({
      channel: options.channel,
      facts: () => this.facts,
      send: (call) => this.#recovering(call),
      serverRequests: options.serverRequests,
    });
    this.#stream = new ServerStream({
      channel: options.channel,
      headers: () => this.#headers(),
      onHeard: () => this.onSubscriptions?.(this.subscriptions),
      onGone: () => {
        // With the session gone as well, there is to be a new one before somebody makes a call.
        if (this.#hasSession && this.#doubt.mayLook(clock.now()))
          this.#sendAside("ping", undefined, undefined).catch(() => undefined);
      },
      onGap: () => {
        this.#missed(announcedLists(this.facts.capabilities));
      },
    });
    this.#channel.attach({
      onNotification: (message) => {
        this.#notified(message);
      },
      onRequest: (message, relatedTo) => {
        this.#serverRequests.answer(message, relatedTo, (response) =>
          this.#channel.send(response, this.#headers()),
        );
      },
    });
  }

  get facts(): SessionFacts {
    return this.#start.facts;
  }

  get closed(): AbortSignal {
    return this.#channel.closed;
  }

  /** Tells the server that the client is ready, and opens the stream for what it wants to say on its own. */
  async ready(): Promise<void> {
    await this.#channel.send({ jsonrpc: "2.0", method: "notifications/initialized" }, this.#headers());
    this.#serverRequests.tellOfRoots((message) => this.#channel.send(message, this.#headers()));
    this.#stream.open();
  }

  listenAgain(): void {
    this.#stream.again();
  }

  get subscriptions(): SubscriptionState {
    const lists = announcedLists(this.facts.capabilities);
    const { wanted, honoured } = this.#resources;
    return {
      asked: { ...NO_FILTER, lists, resources: wanted },
      honoured: this.#stream.isHeard ? { ...NO_FILTER, lists, resources: honoured } : NO_FILTER,
    };
  }

  async watchResource(uri: string, signal: AbortSignal): Promise<void> {
    if (!announcesWatching(this.facts.capabilities) || !this.#stream.isHeard) {
      throw new EngineError("not-watched", { server: this.#channel.serverName, uri });
    }
    await this.#resources.watch(uri, signal);
  }

  unwatchResource(uri: string): void {
    this.#resources.unwatch(uri);
  }

  get tasks(): LegacyTasks | undefined {
    return this.#tasks.isThere ? this.#tasks : undefined;
  }

  /** There is nothing to ask for: a legacy server tells of its tasks, or does not, on its own. */
  watchTasks(): void {}

  async setLogLevel(level: ServerLogLevel | undefined): Promise<void> {
    const before = this.#logLevel;
    this.#logLevel = level;
    // There is no way to take a level back; the highest one is as near to silence as a server can be asked to be.
    const wanted = level ?? (before === undefined ? undefined : "emergency");
    if (wanted === undefined || this.facts.capabilities["logging"] === undefined) return;
    await this.#sendAside("logging/setLevel", { level: wanted }, undefined);
  }

  async request(call: EraCall): Promise<EraResult> {
    for (;;) {
      try {
        const isTask = call.params?.["task"] !== undefined;
        return await (isTask ? this.#tasks.begin(call) : this.#recovering(call));
      } catch (error) {
        const urls = this.#urls.read(error, call.asker);
        if (urls === undefined || call.asker === undefined) throw error;
        // The server refused to carry the request out before this is done, so that it may be made once more.
        await this.#urls.settle(urls, call.asker);
      }
    }
  }

  async #recovering(call: EraCall): Promise<EraResult> {
    const before = this.#start;
    try {
      return await this.#once(call);
    } catch (error) {
      if (!this.#hasSession || !(await this.#doubt.isLost(error, this.#start !== before, call.signal)))
        throw error;
      // The server has not seen the call: it answered for the session only. So it may be made once more.
      await this.#renew(before, call.signal);
      return await this.#once(call);
    }
  }

  adoptTools(tools: readonly Tool[]): readonly RejectedTool[] {
    return this.#tasks.withhold(tools);
  }

  async close(): Promise<void> {
    this.#stream.close(new EngineError("closed", { server: this.#channel.serverName }));
    this.#serverRequests.dispose();
    const transport = this.#channel.transport;
    if (transport.kind === "http" && this.#start.sessionId !== undefined) {
      await (transport as HttpTransport).endSession(this.#headers());
    }
    await this.#channel.close();
  }

  dispose(): void {
    this.#stream.close(new EngineError("closed", { server: this.#channel.serverName }));
    this.#serverRequests.dispose();
    this.#channel.dispose();
  }

  async #once(call: EraCall): Promise<EraResult> {
    const { method, params, signal, onProgress } = call;
    const server = this.#channel.serverName;
    if (!LEGACY_METHODS.has(method)) {
      throw new EngineError("unsupported-method", { method, revision: this.facts.revision, server });
    }
    let own: number | undefined;
    try {
      const { response, http } = await this.#channel.exchange({
        method,
        signal,
        onProgress,
        progressUntil: call.progressUntil,
        isResumable: true,
        build: (id) => {
          // A request that is made again has another id.
          if (own !== undefined) this.#serverRequests.end(own);
          own = id;
          // What can never ask, such as reading a list, takes no part in telling which call a question belongs to.
          if (call.asker !== undefined) this.#serverRequests.begin(id, call.asker);
          return {
            params: withProgress(params, onProgress === undefined ? undefined : id),
            headers: this.#headers(),
          };
        },
        cancelMessage: (id) =>
          method.startsWith("tasks/") || params?.["task"] !== undefined ? undefined : cancelled(id),
      });
      if (isErrorResponse(response)) throw new RpcError(method, response.error, http?.status);
      return { kind: "complete", result: response.result };
    } finally {
      if (own !== undefined) this.#serverRequests.end(own);
    }
  }

  #notified(message: JsonRpcNotification): void {
    switch (message.method) {
      case "notifications/cancelled": {
        const { requestId, reason } = message.params ?? {};
        if (typeof reason === "string")
          this.#channel.log.write("debug", `The server no longer wants an answer: ${shorten(reason)}`);
        this.#serverRequests.cancel(requestId as RequestId | undefined);
        return;
      }
      case "notifications/elicitation/complete": {
        const elicitationId = message.params?.["elicitationId"];
        if (typeof elicitationId === "string" && this.#urls.complete(elicitationId))
          this.onNotice?.({ kind: "elicitation-complete", elicitationId });
        return;
      }
      default: {
        const notice = readChangeNotice(message);
        if (notice === undefined) logServerMessage(this.#channel.log, message);
        else this.onNotice?.(notice);
      }
    }
  }

  /** A request of the session itself, within a time limit of its own. */
  async #sendAside(
    method: string,
    params: JsonObject | undefined,
    signal: AbortSignal | undefined,
    send = (call: EraCall): Promise<EraResult> => this.#recovering(call),
  ): Promise<void> {
    const limit = limitSignal(this.#channel, method, ASIDE_MS, signal ?? this.closed);
    try {
      await send({ method, params, signal: limit.signal });
    } finally {
      limit.dispose();
    }
  }

  /** Asks whether the server is there for this very session. */
  #ping(): Promise<void> {
    return this.#sendAside("ping", undefined, undefined, (call) => this.#once(call));
  }

  /** Only over HTTP there are sessions that a server can forget while it goes on. */
  get #hasSession(): boolean {
    return this.#start.sessionId !== undefined && this.#channel.transport.kind === "http";
  }

  /** After a gap in which changes could be missed: what is told of changes is read anew. */
  #missed(lists: readonly ListName[]): void {
    for (const list of lists) this.onNotice?.({ kind: "list-changed", list });
    for (const uri of this.#resources.wanted) this.onNotice?.({ kind: "resource-updated", uri });
  }

  #headers(): Record<string, string> {
    const { facts, sessionId } = this.#start;
    return {
      "MCP-Protocol-Version": facts.revision,
      ...(sessionId !== undefined && { "Mcp-Session-Id": sessionId }),
    };
  }

  /** One renewal serves all calls that lost the same session. */
  async #renew(lost: LegacyStart, signal: AbortSignal): Promise<void> {
    // It has its own time limit and ends with the connection: a call that gives up leaves it to the others.
    if (this.#start === lost) {
      this.#renewal ??= this.#startAnew().finally(() => {
        this.#renewal = undefined;
      });
    }
    if (this.#renewal !== undefined) await abortable(this.#renewal, signal);
  }

  async #startAnew(): Promise<void> {
    const server = this.#channel.serverName;
    this.#channel.log.write("info", "The server no longer knows the session; a new one is started.");
    this.#stream.close(new EngineError("session-lost", { server }));
    this.#serverRequests.forgetSession();
    const before = this.#start;
    try {
      this.#start = await this.#options.initialize(this.facts.revision, this.closed);
    } catch (error) {
      if (isAuthorizationRefusal(error)) throw error;
      throw new EngineError("session-lost", { server }, { cause: error, detail: errorText(error) });
    }
    await this.ready().catch((error: unknown) => {
      // A session that did not get ready is none: the next call begins another one.
      this.#start = before;
      throw error;
    });
    this.setLogLevel(this.#logLevel).catch((error: unknown) => {
      this.#channel.log.write("warn", `The level of the server's log could not be set: ${errorText(error)}`);
    });
    this.#resources.renew();
    // A new session may have other lists, and nobody heard what changed in between.
    this.#missed(["tools", "prompts", "resources"]);
  }
}
