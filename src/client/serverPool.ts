import type { AuthSession, SignInWish, SignOutOutcome } from "../auth/model/authSession.ts";
import type { AuthReport, AuthStatus } from "../auth/model/authStatus.ts";
import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import type { Event } from "../base/emitter.ts";
import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { NetworkSettings } from "../net/networkSettings.ts";
import type { ClientFeatures } from "../protocol/mrtr/clientFeatures.ts";
import type { InputHandler } from "../protocol/mrtr/inputRequired.ts";
import type { CacheNote } from "../protocol/model/cached.ts";
import type { Completion, CompletionTarget } from "../protocol/model/completion.ts";
import type { ServerNotice } from "../protocol/model/notice.ts";
import type { PromptResult } from "../protocol/model/prompt.ts";
import type { ResourceResult } from "../protocol/model/resource.ts";
import type { Implementation } from "../protocol/model/server.ts";
import type { TaskReport } from "../protocol/tasks/connectionTasks.ts";
import type { TraceContext } from "../protocol/traceContext.ts";
import type { VerifiedFile } from "../protocol/model/skill.ts";
import type { Progress, ToolResult } from "../protocol/model/tool.ts";
import type { ConfigProblem, ParsedServers, ResolvedConfig, ServerConfig } from "./serverConfig.ts";
import type { WantedSkill } from "./skills/skillShelf.ts";
import type { ServerState } from "./serverState.ts";
import type { TaskStore } from "./tasks/taskStore.ts";

/** One server as everybody above sees it. */
export interface ServerEntry {
  readonly id: string;
  /** Undefined when the entry in the settings is too broken to be a server; `problems` says why. */
  readonly config: ServerConfig | undefined;
  readonly problems: readonly ConfigProblem[];
  readonly state: ServerState;
  /** How its requests are authorized; undefined for a process, and where `oauth` is false. */
  readonly authorization?: AuthStatus | undefined;
}

/** A call under way. */
export interface ActiveCall {
  readonly callId: string;
  readonly serverId: string;
  readonly method: CallMethod;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly target: string;
  readonly sinceMs: number;
  readonly origin: CallOrigin;
}

/** What can be called: the requests in which a server may ask a person for input. */
export type CallMethod = "tools/call" | "prompts/get" | "resources/read";

/** Who asked for a call. */
export type CallOrigin = "panel" | "chat" | "api" | "cli";

/** How one call is to be made. */
export interface CallOptions {
  readonly origin: CallOrigin;
  readonly signal?: AbortSignal;
  /** Overrides the server's request limit, in milliseconds. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** The trace that the caller's work belongs to; used only where the server's settings switch traces on. */
  readonly trace?: TraceContext;
  /** True when the newest is wanted: no result that was kept will do. */
  readonly fresh?: boolean;
  /** Undefined uses the pool's handler; null declares no elicitation for this call. */
  readonly input?: InputHandler | null;
  /** Hears how the call is when it has become a task. */
  readonly onTask?: (report: TaskReport) => void;
}

/** What a finished call gave, and how it came to be. */
export interface CallOutcome<T> {
  readonly callId: string;
  readonly result: T;
  /** Milliseconds from the request to the result, waiting for a person included. */
  readonly durationMs: number;
  /** Rounds of input that were answered; 0 when nothing was asked. */
  readonly rounds: number;
  /** Set when nothing was fetched: the result is a copy, which has to be said where it is shown. */
  readonly fromCache?: CacheNote;
}

/** What the pool needs from its surroundings. */
export interface PoolPorts {
  readonly clientInfo: Implementation;
  readonly log: (serverId: string) => Log;
  /**
   * Fills in placeholders. Rejects with a ClientError `unset-variable` that names the placeholder. Where nobody may be
   * asked, what was answered before is used.
   */
  readonly resolve: (
    config: ServerConfig,
    signal: AbortSignal,
    how: { readonly mayAsk: boolean },
  ) => Promise<ResolvedConfig>;
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
  /** What the person lets one server use beside asking for input, asked for when it is connected; nothing when left out. */
  readonly features?: (config: ServerConfig) => ClientFeatures;
  readonly verdicts: VerdictStore;
  /** Remembers the tasks of servers; left out, they are forgotten with the connection. */
  readonly tasks?: TaskStore;
  /**
   * Makes the authorization of one server, which the pool disposes; asked when the server is connected or signed in to
   * with values that are new. Undefined, or left out: nobody signs in, and a refusal is `authorization-required`. It may
   * take a moment, because what it needs is loaded only for a server that may need it.
   */
  readonly authorize?: (config: ResolvedConfig) => AuthSession | undefined | Promise<AuthSession | undefined>;
  /**
   * Names what the settings say about the authorization of all servers: after it has changed, each authorization is made
   * anew when its server is connected or signed in to next. It never changes when left out.
   */
  readonly authorizationSettings?: () => string;
  /** Whether there is a person who can sign in while a server is connected; there is one when left out. */
  readonly isAttended?: boolean;
  /** What editor and environment say about proxies and certificates; read for each connection. Left out, the environment. */
  readonly network?: () => NetworkSettings;
  /** The system's clock when left out. */
  readonly clock?: Clock;
}

/** Remembers how servers were negotiated. Holds no secrets: keys are digests of the configuration. */
export interface VerdictStore {
  get(key: string): JsonObject | undefined;
  /** Undefined forgets. */
  set(key: string, verdict: JsonObject | undefined): void;
}

/** What one server said on its own. */
export interface PoolNotice {
  readonly serverId: string;
  readonly notice: ServerNotice;
}

/** All servers of a window. The one place that starts, stops and calls them. */
export interface ServerPool extends Disposable {
  /** Fires with the id of the server whose entry changed, or undefined when the set of servers changed. */
  readonly onDidChange: Event<string | undefined>;
  /** Fires when a call starts or ends. */
  readonly onDidChangeCalls: Event<void>;
  /** Fires with what servers say on their own, beside changes of their lists. */
  readonly onDidNotice: Event<PoolNotice>;
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
  /**
   * Reads all lists again, whatever was kept of them, and kept resources when they are wanted next. Rejects when the
   * tools cannot be listed; other lists show their own problems.
   */
  refresh(id: string, signal?: AbortSignal): Promise<void>;
  /**
   * Waits until the tools of all connected servers are as new as what the servers said of their changes, for two
   * seconds at most. Rejects only when the signal is aborted.
   */
  toolsSettled(signal: AbortSignal): Promise<void>;
  /** Calls a tool. Rejects with EngineError, RpcError or ClientError; an `isError` result is not a rejection. */
  callTool(
    id: string,
    tool: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<CallOutcome<ToolResult>>;
  /**
   * Waits for a task of a server and answers what it asks; giving up leaves the task at work. Rejects with
   * `no-such-task` when it is not in the server's state, and else as `callTool` does.
   */
  awaitTask(id: string, taskId: string, options: CallOptions): Promise<CallOutcome<ToolResult>>;
  /** Asks a server to cancel a task; it may finish all the same. Rejects where the server cannot cancel. */
  cancelTask(id: string, taskId: string, signal?: AbortSignal): Promise<void>;
  /** Takes a task off the list of its server, which is told nothing. */
  forgetTask(id: string, taskId: string): void;
  /**
   * Reads a resource, listed or not. Rejects with `no-such-resource` when the server does not have it. A copy that was
   * kept is given with `fromCache`: a fresh one in place of the server's answer, a stale one when it is out of reach.
   */
  readResource(id: string, uri: string, options: CallOptions): Promise<CallOutcome<ResourceResult>>;
  /**
   * Reads a file of a skill and gives it only when it is what the entry of the skill announces. SKILL.md is read and
   * verified first, whichever file is wanted, and nothing is read ahead. Rejects with one of the errors of skills when
   * it is not; then nothing more of that skill is read until the lists are read again.
   */
  readSkill(id: string, wanted: WantedSkill, options: CallOptions): Promise<CallOutcome<VerifiedFile>>;
  /**
   * Has the server tell when a resource, or one below it, changes: `onDidNotice` fires with `resource-updated`. It is
   * asked for once however many want it, again on each later connection, and given up with the last handle.
   * Rejects when the server does not tell of it.
   */
  watchResource(id: string, uri: string, signal?: AbortSignal): Promise<Disposable>;
  /** Gets a prompt with its arguments filled in. Required arguments are checked before anything is sent. */
  getPrompt(
    id: string,
    prompt: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<CallOutcome<PromptResult>>;
  /**
   * Proposes values for one argument; `known` are the arguments that are filled in already. Without proposals of the
   * server the answer is empty: completing is a help, not a duty.
   */
  complete(
    id: string,
    target: CompletionTarget,
    argument: { readonly name: string; readonly value: string },
    known: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Completion>;
  /**
   * Signs in to a server, connected or not, and connects it with what that gave. A connection that stands is kept until
   * it has succeeded. Rejects with AuthError, NetError or ClientError.
   */
  signIn(id: string, wish: SignInWish, signal?: AbortSignal): Promise<void>;
  /**
   * Asks the person for the scopes that the last refusal named, and keeps the connection. The call that was refused is
   * not made again. Rejects as `signIn` does.
   */
  stepUp(id: string, signal?: AbortSignal): Promise<void>;
  /** Disconnects a server, revokes its tokens where that is possible, and deletes them here in any case. */
  signOut(id: string, signal?: AbortSignal): Promise<SignOutOutcome>;
  /** What there is to show of an authorization; undefined where none was used since the server was defined. */
  authReport(id: string): AuthReport | undefined;
  /** Ends all connections and waits for their processes. */
  close(): Promise<void>;
}
