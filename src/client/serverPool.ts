import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import type { Event } from "../base/emitter.ts";
import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { InputHandler } from "../protocol/mrtr/inputRequired.ts";
import type { Implementation } from "../protocol/model/server.ts";
import type { Progress, ToolResult } from "../protocol/model/tool.ts";
import type { ConfigProblem, ParsedServers, ResolvedConfig, ServerConfig } from "./serverConfig.ts";
import type { ServerState } from "./serverState.ts";

/** One server as everybody above sees it. */
export interface ServerEntry {
  readonly id: string;
  /** Undefined when the entry in the settings is too broken to be a server; `problems` says why. */
  readonly config: ServerConfig | undefined;
  readonly problems: readonly ConfigProblem[];
  readonly state: ServerState;
}

/** A call under way. */
export interface ActiveCall {
  readonly callId: string;
  readonly serverId: string;
  readonly tool: string;
  readonly sinceMs: number;
  readonly origin: CallOrigin;
}

/** Who asked for a call. */
export type CallOrigin = "panel" | "chat" | "api" | "cli";

/** How one call is to be made. */
export interface ToolCallOptions {
  readonly origin: CallOrigin;
  readonly signal?: AbortSignal;
  /** Overrides the server's request limit, in milliseconds. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Undefined uses the pool's handler; null declares no elicitation for this call. */
  readonly input?: InputHandler | null;
}

/** What a finished call gave, and how it came to be. */
export interface ToolCallOutcome {
  readonly callId: string;
  readonly result: ToolResult;
  /** Milliseconds from the request to the result, waiting for a person included. */
  readonly durationMs: number;
  /** Rounds of input that were answered; 0 when nothing was asked. */
  readonly rounds: number;
}

/** What the pool needs from its surroundings. */
export interface PoolPorts {
  readonly clientInfo: Implementation;
  readonly log: (serverId: string) => Log;
  /** Fills in placeholders. Rejects with a ClientError `unset-variable` that names the placeholder. */
  readonly resolve: (config: ServerConfig, signal: AbortSignal) => Promise<ResolvedConfig>;
  /**
   * Asks for trust and first-run approval where the source needs it. Rejects with `untrusted` or `not-approved`.
   * Not interactive means that nobody asked for this server just now: what is not approved yet is refused unasked.
   */
  readonly approve: (
    config: ServerConfig,
    signal: AbortSignal,
    how: { readonly interactive: boolean },
  ) => Promise<void>;
  /** The handler for calls that bring none, and for legacy servers that do not say which call they ask for. */
  readonly input: InputHandler | null;
  readonly verdicts: VerdictStore;
  /** The system's clock when left out. */
  readonly clock?: Clock;
}

/** Remembers how servers were negotiated. Holds no secrets: keys are digests of the configuration. */
export interface VerdictStore {
  get(key: string): JsonObject | undefined;
  /** Undefined forgets. */
  set(key: string, verdict: JsonObject | undefined): void;
}

/** All servers of a window. The one place that starts, stops and calls them. */
export interface ServerPool extends Disposable {
  /** Fires with the id of the server whose entry changed, or undefined when the set of servers changed. */
  readonly onDidChange: Event<string | undefined>;
  /** Fires when a call starts or ends. */
  readonly onDidChangeCalls: Event<void>;
  servers(): readonly ServerEntry[];
  get(id: string): ServerEntry | undefined;
  calls(): readonly ActiveCall[];
  /**
   * Takes new settings. Servers whose definition is unchanged are left alone; a changed or removed one is
   * disconnected, and connected again when it was connected before.
   */
  configure(parsed: ParsedServers): void;
  /** Resolves when connected and listed; rejects with the problem, which is in the state too. Joins one under way. */
  connect(id: string, signal?: AbortSignal): Promise<void>;
  disconnect(id: string): Promise<void>;
  restart(id: string, signal?: AbortSignal): Promise<void>;
  /** Forgets the remembered era and connects anew. */
  negotiateAgain(id: string, signal?: AbortSignal): Promise<void>;
  /** Lists the tools again. */
  refreshTools(id: string, signal?: AbortSignal): Promise<void>;
  /** Calls a tool. Rejects with EngineError, RpcError or ClientError; an `isError` result is not a rejection. */
  callTool(id: string, tool: string, args: JsonObject, options: ToolCallOptions): Promise<ToolCallOutcome>;
  /** Ends all connections and waits for their processes. */
  close(): Promise<void>;
}
