import { randomUUID } from "node:crypto";
import type { SignInWish, SignOutOutcome } from "../auth/model/authSession.ts";
import type { AuthReport } from "../auth/model/authStatus.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { type Disposable, DisposableStore } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { errorText } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { CallOptions as RequestOptions } from "../protocol/connection.ts";
import type { CacheNote } from "../protocol/model/cached.ts";
import type { Completion, CompletionTarget } from "../protocol/model/completion.ts";
import type { PromptResult } from "../protocol/model/prompt.ts";
import type { ResourceResult } from "../protocol/model/resource.ts";
import type { VerifiedFile } from "../protocol/model/skill.ts";
import type { ToolResult } from "../protocol/model/tool.ts";
import { EngineError } from "../protocol/engineError.ts";
import { ActiveCalls } from "./activeCalls.ts";
import { type CallEnd, callLine } from "./callLine.ts";
import { ClientError } from "./clientError.ts";
import { forgetVerdict } from "./establish.ts";
import { ManagedServer } from "./managedServer.ts";
import { needsNewConnection } from "./needsNewConnection.ts";
import { ResourceWatches } from "./resourceWatches.ts";
import type { ConfigProblem, ParsedServers, ServerConfig } from "./serverConfig.ts";
import { brokenConfig } from "./serverProblems.ts";
import type { WantedSkill } from "./skills/skillShelf.ts";
import { waitAWhile } from "./waitAWhile.ts";
import type {
  ActiveCall,
  CallMethod,
  CallOptions,
  CallOutcome,
  PoolNotice,
  PoolPorts,
  ServerEntry,
  ServerPool,
} from "./serverPool.ts";

/** Makes a pool without servers; `configure` brings them. Nothing is started before it is asked for. */
export function createServerPool(ports: PoolPorts): ServerPool {
  return new Pool(ports);
}

class Pool implements ServerPool {
  readonly #ports: PoolPorts;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<string | undefined>());
  readonly #servers = new Map<string, ManagedServer>();
  /** By name; they outlive a server whose settings change. */
  readonly #watches = new Map<string, ResourceWatches>();
  readonly #calls = this.#store.add(new ActiveCalls());
  /** Ends of servers that the settings no longer have, or have in another form, by name. */
  readonly #endings = new Map<string, Promise<void>>();
  /** Names in the order of the settings, with the broken ones among them. */
  #order: readonly string[] = [];
  #problems: readonly ConfigProblem[] = [];
  #disposed = false;

  readonly #notices = this.#store.add(new Emitter<PoolNotice>());

  readonly onDidNotice = this.#notices.event;
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCalls = this.#calls.onDidChange;

  constructor(ports: PoolPorts) {
    this.#ports = ports;
    this.#clock = ports.clock ?? systemClock;
  }

  servers(): readonly ServerEntry[] {
    return this.#order.flatMap((id) => this.get(id) ?? []);
  }

  get(id: string): ServerEntry | undefined {
    const problems = this.#problems.filter((problem) => problem.serverId === id);
    const server = this.#servers.get(id);
    if (server !== undefined) {
      const { config, state, account } = server;
      return { id, config, problems, state, authorization: account.status };
    }
    if (problems.length === 0) return undefined;
    return {
      id,
      config: undefined,
      problems,
      state: { kind: "blocked", problem: brokenConfig(id, problems) },
      authorization: undefined,
    };
  }

  calls(): readonly ActiveCall[] {
    return this.#calls.list();
  }

  configure(parsed: ParsedServers): void {
    if (this.#disposed) return;
    const wanted = new Map(parsed.servers.map((config) => [config.id, config]));
    const restart = new Set<string>();
    for (const [id, server] of this.#servers) {
      const next = wanted.get(id);
      if (next !== undefined && !needsNewConnection(server.config, next)) {
        this.#follow(id, server, next);
        continue;
      }
      if (next?.enabled === true && server.isBusy) restart.add(id);
      this.#servers.delete(id);
      this.#retire(id, server);
    }
    const broken = parsed.problems.map((problem) => problem.serverId);
    this.#order = [...new Set([...wanted.keys(), ...broken])];
    this.#problems = parsed.problems;
    for (const [id, config] of wanted) {
      if (this.#servers.has(id)) continue;
      const server = this.#manage(config, this.#endings.get(id));
      this.#servers.set(id, server);
      if (config.enabled && (restart.has(id) || config.autostart)) {
        this.#inBackground(id, server.connect({ interactive: restart.has(id) }));
      }
    }
    this.#changed.fire(undefined);
  }

  async connect(id: string, signal?: AbortSignal): Promise<void> {
    await this.#server(id).connect({ interactive: true }, signal);
  }

  async disconnect(id: string): Promise<void> {
    await this.#server(id).disconnect();
  }

  async restart(id: string, signal?: AbortSignal): Promise<void> {
    const server = this.#server(id);
    server.forgetResults();
    await server.disconnect();
    // The settings may have changed meanwhile, and the server with them.
    await this.#server(id).connect({ interactive: true }, signal);
  }

  async negotiateAgain(id: string, signal?: AbortSignal): Promise<void> {
    forgetVerdict(this.#ports, this.#server(id).config);
    await this.restart(id, signal);
  }

  async refresh(id: string, signal?: AbortSignal): Promise<void> {
    await this.#server(id).refresh(signal);
  }

  async toolsSettled(signal: AbortSignal): Promise<void> {
    const connected = [...this.#servers.values()].filter(({ state }) => state.kind === "connected");
    const settled = connected.map((server) => server.connected().toolsSettled());
    await waitAWhile(Promise.all(settled), this.#clock, signal);
  }

  async callTool(
    id: string,
    tool: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<CallOutcome<ToolResult>> {
    this.#server(id);
    const sinceMs = this.#clock.now();
    const tell = (end: CallEnd): void => {
      // The logs may be gone before the last call has ended.
      if (this.#disposed) return;
      this.#ports.log(id).write("info", callLine(tool, options, end, this.#clock.now() - sinceMs));
    };
    try {
      const outcome = await this.#call(id, "tools/call", tool, options, (server, how) =>
        server.connected().callTool(tool, args, how),
      );
      tell(outcome);
      return outcome;
    } catch (error) {
      tell({ error });
      throw error;
    }
  }

  async awaitTask(id: string, taskId: string, options: CallOptions): Promise<CallOutcome<ToolResult>> {
    const state = this.get(id)?.state;
    const known =
      state?.kind === "connected" ? state.tasks.find((task) => task.taskId === taskId) : undefined;
    return this.#call(id, "tools/call", known?.tool ?? taskId, options, (server, how) =>
      server.tasks.wait(taskId, how),
    );
  }

  async cancelTask(id: string, taskId: string, signal?: AbortSignal): Promise<void> {
    await this.#server(id).tasks.cancel(taskId, signal);
  }

  forgetTask(id: string, taskId: string): void {
    this.#server(id).tasks.forget(taskId);
  }

  async readResource(id: string, uri: string, options: CallOptions): Promise<CallOutcome<ResourceResult>> {
    return this.#call(id, "resources/read", uri, options, (server, how) =>
      server.connected().readResource(uri, how),
    );
  }

  async readSkill(id: string, wanted: WantedSkill, options: CallOptions): Promise<CallOutcome<VerifiedFile>> {
    return this.#call(id, "resources/read", wanted.skill, options, (server, how) =>
      server.connected().skills.read(wanted, how),
    );
  }

  async watchResource(id: string, uri: string, signal?: AbortSignal): Promise<Disposable> {
    return this.#server(id).watchResource(uri, signal);
  }

  async getPrompt(
    id: string,
    prompt: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<CallOutcome<PromptResult>> {
    return this.#call(id, "prompts/get", prompt, options, (server, how) =>
      server.connected().getPrompt(prompt, args, how),
    );
  }

  async complete(
    id: string,
    target: CompletionTarget,
    argument: { readonly name: string; readonly value: string },
    known: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Completion> {
    return this.#server(id).complete(target, argument, known, signal);
  }

  async #call<T>(
    id: string,
    method: CallMethod,
    target: string,
    options: CallOptions,
    run: (
      server: ManagedServer,
      how: RequestOptions,
    ) => Promise<{ readonly result: T; readonly rounds: number; readonly fromCache?: CacheNote }>,
  ): Promise<CallOutcome<T>> {
    const server = this.#server(id);
    const callId = randomUUID();
    const sinceMs = this.#clock.now();
    const call = { callId, serverId: id, method, target, sinceMs, origin: options.origin };
    return this.#calls.during(call, async () => {
      const answer = await run(server, {
        callId,
        signal: options.signal,
        timeoutMs: options.timeoutMs,
        fresh: options.fresh,
        onProgress: options.onProgress,
        trace: options.trace,
        onTask: options.onTask,
        input: options.input === undefined ? this.#ports.input : options.input,
      });
      return { ...answer, callId, durationMs: this.#clock.now() - sinceMs };
    });
  }

  async signIn(id: string, wish: SignInWish, signal?: AbortSignal): Promise<void> {
    await this.#server(id).account.signIn(wish, signal);
  }

  async stepUp(id: string, signal?: AbortSignal): Promise<void> {
    await this.#server(id).account.stepUp(signal);
  }

  async signOut(id: string, signal?: AbortSignal): Promise<SignOutOutcome> {
    return this.#server(id).account.signOut(signal);
  }

  authReport(id: string): AuthReport | undefined {
    return this.#server(id).account.report;
  }

  async close(): Promise<void> {
    this.#disposed = true;
    const servers = [...this.#servers.values()];
    await Promise.allSettled([...servers.map((server) => server.disconnect()), ...this.#endings.values()]);
    this.#end();
  }

  dispose(): void {
    this.#disposed = true;
    this.#end();
  }

  #end(): void {
    for (const server of this.#servers.values()) server.dispose();
    this.#servers.clear();
    this.#store.dispose();
  }

  /** Gives a server the settings that need no new connection. */
  #follow(id: string, server: ManagedServer, next: ServerConfig): void {
    const startsNow = next.autostart && !server.config.autostart && next.enabled && !server.isBusy;
    server.adopt(next);
    if (startsNow) this.#inBackground(id, server.connect({ interactive: false }));
  }

  /** Ends a server that was taken out; its successor waits for that. */
  #retire(id: string, server: ManagedServer): void {
    const end = server.disconnect().finally(() => {
      server.dispose();
      if (this.#endings.get(id) === end) this.#endings.delete(id);
    });
    this.#endings.set(id, end);
    this.#inBackground(id, end);
  }

  #manage(config: ServerConfig, after: Promise<void> | undefined): ManagedServer {
    const watches = this.#watches.get(config.id) ?? new ResourceWatches();
    this.#watches.set(config.id, watches);
    const server: ManagedServer = new ManagedServer({
      watches,
      config,
      after,
      ports: this.#ports,
      clock: this.#clock,
      newCallId: randomUUID,
      onNotice: (notice) => {
        this.#notices.fire({ serverId: config.id, notice });
      },
      onDidChange: () => {
        if (this.#servers.get(config.id) === server) this.#changed.fire(config.id);
      },
    });
    return server;
  }

  #server(id: string): ManagedServer {
    if (this.#disposed) throw new EngineError("closed", { server: id });
    const server = this.#servers.get(id);
    if (server !== undefined) return server;
    const problems = this.#problems.filter((problem) => problem.serverId === id);
    throw problems.length > 0
      ? brokenConfig(id, problems)
      : new ClientError("no-such-server", { server: id });
  }

  /** For work that nobody waits for: its problem is in the state already, or only worth a line in the log. */
  #inBackground(id: string, work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#ports.log(id).write("warn", errorText(error));
    });
  }
}
