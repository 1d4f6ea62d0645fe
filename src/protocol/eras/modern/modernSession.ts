import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../../base/json.ts";
import { readCacheHints } from "../../cache/cacheHints.ts";
import type { Channel } from "../../channel.ts";
import { EngineError } from "../../engineError.ts";
import { isErrorResponse, type JsonRpcErrorObject } from "../../jsonrpc/message.ts";
import type { ServerNotice } from "../../model/notice.ts";
import { MODERN_REVISION } from "../../model/revision.ts";
import type { Implementation } from "../../model/server.ts";
import type { ServerLogLevel } from "../../model/serverLog.ts";
import type { SubscriptionState } from "../../model/subscriptions.ts";
import type { RejectedTool, Tool } from "../../model/tool.ts";
import type { FeatureName } from "../../mrtr/clientFeatures.ts";
import type { InputModes } from "../../mrtr/inputRequired.ts";
import { RPC_CODES, RpcError } from "../../rpcError.ts";
import { shorten } from "../../shorten.ts";
import { checkToolHeaders, type MirroredArgument, mirrorHeaders } from "../../schema/toolHeaders.ts";
import { announcedLists, announcesWatching } from "../announcedLists.ts";
import { logServerMessage } from "../logServerMessage.ts";
import type { EraCall, EraResult, EraSession, SessionFacts } from "../eraSession.ts";
import { envelope, modernHeaders } from "./envelope.ts";
import { MODERN_METHODS } from "./methods.ts";
import { isAboutTask, ModernTasks, TASKS_EXTENSION } from "./modernTasks.ts";
import { Subscriptions } from "./subscriptions.ts";

/** A session in name only: every request stands alone and carries its own metadata. */
export class ModernSession implements EraSession {
  readonly facts: SessionFacts;
  readonly tasks: ModernTasks;
  onNotice: ((notice: ServerNotice) => void) | undefined;
  onSubscriptions: ((state: SubscriptionState) => void) | undefined;
  readonly #channel: Channel;
  readonly #clientInfo: Implementation;
  readonly #extensions: readonly string[];
  /** Arguments that are repeated in headers, by tool name. Empty on stdio, which has no headers. */
  #mirrored = new Map<string, readonly MirroredArgument[]>();
  readonly #subscriptions: Subscriptions;
  #logLevel: ServerLogLevel | undefined;

  constructor(
    channel: Channel,
    clientInfo: Implementation,
    facts: Omit<SessionFacts, "revision">,
    declared: readonly string[] = [],
  ) {
    this.#channel = channel;
    this.#extensions = declared;
    this.#clientInfo = clientInfo;
    this.facts = { ...facts, revision: MODERN_REVISION };
    const announced = facts.capabilities["extensions"];
    this.tasks = new ModernTasks({
      serverName: channel.serverName,
      send: (call) => this.request(call),
      isAnnounced: isJsonObject(announced) && announced[TASKS_EXTENSION] !== undefined,
    });
    this.#subscriptions = new Subscriptions({
      channel,
      lists: announcedLists(facts.capabilities),
      envelope: (params) => envelope(params, { ...NO_INPUT(clientInfo), tasks: asksForTasks(params) }),
      onNotice: (notice) => this.onNotice?.(notice),
      onState: (state) => this.onSubscriptions?.(state),
    });
    channel.attach({
      onNotification: (message) => {
        if (!this.#subscriptions.take(message)) logServerMessage(channel.log, message);
      },
      // Modern servers may not send requests, and answering one would break the rules on our side too.
      onRequest: (message) => {
        channel.log.write(
          "warn",
          `Dropped the request ${shorten(message.method)}: this revision has no server requests.`,
        );
      },
    });
  }

  get closed(): AbortSignal {
    return this.#channel.closed;
  }

  async request(call: EraCall): Promise<EraResult> {
    let reselected = false;
    let refreshed = false;
    for (;;) {
      const answer = await this.#once(call);
      if (answer.kind === "result") return this.#classify(call.method, answer.result);
      const { error, httpStatus } = answer;
      if (error.code === RPC_CODES.unsupportedVersion && !reselected && lists(error, MODERN_REVISION)) {
        // A server may ask for the version it was just given once, while it warms up; asking twice is a loop.
        reselected = true;
        continue;
      }
      if (error.code === RPC_CODES.headerMismatch && !refreshed && call.refreshTools !== undefined) {
        refreshed = true;
        await call.refreshTools();
        continue;
      }
      throw this.#failure(call, error, httpStatus);
    }
  }

  adoptTools(tools: readonly Tool[]): readonly RejectedTool[] {
    this.#mirrored = new Map();
    if (this.#channel.transport.kind === "stdio") return [];
    const rejected: RejectedTool[] = [];
    for (const tool of tools) {
      const headers = checkToolHeaders(tool.inputSchema);
      if (headers.kind === "invalid") rejected.push({ name: tool.name, reason: headers.reason });
      else if (headers.mirrored.length > 0) this.#mirrored.set(tool.name, headers.mirrored);
    }
    return rejected;
  }

  get subscriptions(): SubscriptionState {
    return this.#subscriptions.state;
  }

  async watchResource(uri: string, signal: AbortSignal): Promise<void> {
    if (!announcesWatching(this.facts.capabilities)) {
      throw new EngineError("not-watched", { server: this.#channel.serverName, uri });
    }
    await this.#subscriptions.watchResource(uri, signal);
  }

  unwatchResource(uri: string): void {
    this.#subscriptions.unwatchResource(uri);
  }

  watchTasks(taskIds: readonly string[]): void {
    this.#subscriptions.watchTasks(taskIds);
  }

  listenAgain(): void {
    this.#subscriptions.again();
  }

  /** Nothing is sent: each request says what may be logged while it runs. */
  setLogLevel(level: ServerLogLevel | undefined): Promise<void> {
    this.#logLevel = level;
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#subscriptions.dispose();
    await this.#channel.close();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#channel.dispose();
  }

  async #once(call: EraCall): Promise<Answer> {
    const { method, params, signal, onProgress, asker } = call;
    if (!(method in MODERN_METHODS)) {
      throw new EngineError("unsupported-method", {
        method,
        revision: MODERN_REVISION,
        server: this.#channel.serverName,
      });
    }
    const { response, http } = await this.#channel.exchange({
      method,
      signal,
      onProgress,
      build: (id) => ({
        params: envelope(params, {
          clientInfo: this.#clientInfo,
          modes: asker?.modes,
          progressToken: onProgress === undefined ? undefined : id,
          logLevel: this.#logLevel,
          extensions: this.#extensions,
          tasks: this.tasks.isDeclaredIn(method),
        }),
        // A process has no headers.
        headers:
          this.#channel.transport.kind === "http"
            ? modernHeaders(method, params, this.#mirror(method, params))
            : undefined,
      }),
      cancelMessage: (id) =>
        // Over HTTP closing the response stream is the cancellation; a notification would be an error.
        this.#channel.transport.kind === "http" || isAboutTask(method)
          ? undefined
          : {
              jsonrpc: "2.0",
              method: "notifications/cancelled",
              params: envelope({ requestId: id }, NO_INPUT(this.#clientInfo)),
            },
    });
    if (isErrorResponse(response)) return { kind: "error", error: response.error, httpStatus: http?.status };
    return { kind: "result", result: response.result };
  }

  #mirror(method: string, params: JsonObject | undefined): Record<string, string> {
    const name = params?.["name"];
    if (method !== "tools/call" || typeof name !== "string") return {};
    const mirrored = this.#mirrored.get(name);
    const args = params?.["arguments"];
    return mirrored === undefined || !isJsonObject(args) ? {} : mirrorHeaders(mirrored, args);
  }

  /** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#result-type */
  #classify(method: string, result: JsonObject): EraResult {
    const type = result["resultType"];
    switch (type) {
      case "complete":
        return { kind: "complete", result, hints: readCacheHints(result) };
      case "input_required":
        return { kind: "input-required", result };
      case "task":
        return this.#classifyTask(method, result);
      case undefined:
        // Required since this revision, but a missing one counts as complete for older servers.
        this.#channel.log.write(
          "debug",
          `The result of ${method} has no resultType; it is taken as complete.`,
        );
        return { kind: "complete", result, hints: readCacheHints(result) };
      default:
        throw this.#unknownType(method, typeof type === "string" ? type : stringifyJson(type));
    }
  }

  #classifyTask(method: string, result: JsonObject): EraResult {
    // The examples of the extension have it here too, where it is one of the ordinary results.
    if (method === "tasks/get") return { kind: "complete", result };
    if (!this.tasks.isDeclaredIn(method)) throw this.#unknownType(method, "task");
    return { kind: "task", result };
  }

  #unknownType(method: string, type: string): EngineError {
    return new EngineError("unknown-result-type", {
      server: this.#channel.serverName,
      method,
      type: shorten(type),
    });
  }

  #failure({ method, asker }: EraCall, error: JsonRpcErrorObject, httpStatus: number | undefined): Error {
    const server = this.#channel.serverName;
    if (error.code === RPC_CODES.unsupportedVersion) {
      const theirs = isJsonObject(error.data) ? error.data["supported"] : undefined;
      return new EngineError("no-common-revision", {
        server,
        theirs: Array.isArray(theirs) ? shorten(theirs.join(", ")) : "another revision",
        ours: MODERN_REVISION,
      });
    }
    if (error.code === RPC_CODES.missingCapability) {
      const required = isJsonObject(error.data) ? error.data["requiredCapabilities"] : undefined;
      if (this.#lacksTasks(required, method)) return new EngineError("tasks-off", { server, method });
      const feature = missingFeature(required, asker?.modes);
      // The server need not be at fault: it may be something that a person can switch on.
      if (asker !== undefined && feature !== undefined) return asker.notOffered(feature);
      return new EngineError("missing-capability", {
        server,
        method,
        capabilities: isJsonObject(required)
          ? shorten(Object.keys(required).join(", "))
          : new RpcError(method, error).message,
      });
    }
    return new RpcError(method, error, httpStatus);
  }

  #lacksTasks(required: JsonValue | undefined, method: string): boolean {
    const extensions = isJsonObject(required) ? required["extensions"] : undefined;
    const isNamed = isJsonObject(extensions) && extensions[TASKS_EXTENSION] !== undefined;
    return isNamed && !this.tasks.isDeclaredIn(method);
  }
}

type Answer =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "error"; readonly error: JsonRpcErrorObject; readonly httpStatus: number | undefined };

const NO_INPUT = (clientInfo: Implementation): Parameters<typeof envelope>[1] => ({
  clientInfo,
  modes: undefined,
  progressToken: undefined,
});

/** True when a subscription wants to hear of tasks: the server refuses it without the extension. */
function asksForTasks({ notifications }: JsonObject): boolean {
  return isJsonObject(notifications) && notifications["taskIds"] !== undefined;
}

/** What a server requires of the features that a person allows, and that this call did not declare. */
function missingFeature(
  required: JsonValue | undefined,
  modes: InputModes | undefined,
): FeatureName | undefined {
  if (!isJsonObject(required)) return undefined;
  if (required["sampling"] !== undefined && modes?.sampling === undefined) return "sampling";
  return required["roots"] !== undefined && modes?.roots !== true ? "roots" : undefined;
}

/** True when an unsupported-version error names this revision as supported. */
function lists(error: JsonRpcErrorObject, revision: string): boolean {
  const supported = isJsonObject(error.data) ? error.data["supported"] : undefined;
  return Array.isArray(supported) && supported.includes(revision);
}
