import type { Clock } from "../base/clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";
import { errorText } from "../base/errors.ts";
import type { Connection } from "../protocol/connection.ts";
import { EngineError } from "../protocol/engineError.ts";
import { ResultCache } from "../protocol/cache/resultCache.ts";
import type { Completion, CompletionTarget } from "../protocol/model/completion.ts";
import type { ServerNotice } from "../protocol/model/notice.ts";
import { AccountActions, type AccountHolder } from "./authorization/accountActions.ts";
import { ServerAuthorization } from "./authorization/serverAuthorization.ts";
import { ClientError } from "./clientError.ts";
import { ConnectAttempt, type ConnectWish, wasUnasked } from "./connectAttempt.ts";
import { establish } from "./establish.ts";
import { LiveServer } from "./liveServer.ts";
import type { ResourceWatches } from "./resourceWatches.ts";
import { Restarter } from "./restarter.ts";
import type { ServerConfig } from "./serverConfig.ts";
import { isBlocking, toProblem } from "./serverProblems.ts";
import type { PoolPorts } from "./serverPool.ts";
import type { ServerTasks } from "./tasks/serverTasks.ts";
import type { ConnectStep, Problem, ServerState } from "./serverState.ts";

/** What a managed server needs of its pool. */
export interface ManagedServerOptions {
  readonly config: ServerConfig;
  readonly ports: PoolPorts;
  readonly clock: Clock;
  readonly newCallId: () => string;
  readonly onDidChange: () => void;
  /** Resources that somebody wants to be told about; they outlive the connection. */
  readonly watches: ResourceWatches;
  /** What the server said on its own, beside changes of its lists. */
  readonly onNotice: (notice: ServerNotice) => void;
  /** The end of the server's earlier self, which this one waits for. */
  readonly after?: Promise<void> | undefined;
}

/** One server's life: connecting, connected, failed, stopped. The only writer of its state. */
export class ManagedServer implements Disposable, AccountHolder {
  /** Replaced only by one that needs no new connection. */
  config: ServerConfig;
  readonly #options: ManagedServerOptions;
  /** Results outlive the connection: they may not depend on it. */
  readonly #cache: ResultCache | undefined;
  #state: ServerState;
  #live: LiveServer | undefined;
  readonly #authorization: ServerAuthorization;
  /** Signing in and out. */
  readonly account: AccountActions;
  #connecting: ConnectAttempt | undefined;
  readonly #restarter: Restarter;
  #closing: Promise<void>;
  /** Counts the wishes to disconnect, so that a connect that waits can tell that it is no longer wanted. */
  #stops = 0;
  #disposed = false;

  constructor(options: ManagedServerOptions) {
    this.config = options.config;
    this.#options = options;
    this.#authorization = new ServerAuthorization({
      serverId: options.config.id,
      clock: options.clock,
      ports: options.ports,
      onDidChange: () => {
        if (!this.#disposed) options.onDidChange();
      },
      onSignedIn: (isOther) => {
        if (isOther) this.readAnew();
        else this.#live?.connection.listening.again();
      },
    });
    this.account = new AccountActions(this, this.#authorization, options.ports);
    this.#cache = options.config.cache
      ? new ResultCache({ clock: options.clock, authorization: () => this.#authorization.fingerprint })
      : undefined;
    this.#closing = options.after ?? Promise.resolve();
    this.#restarter = new Restarter({
      clock: options.clock,
      log: () => options.ports.log(options.config.id),
      restart: () => {
        this.#restart();
      },
    });
    this.#state = options.config.enabled ? { kind: "stopped" } : { kind: "disabled" };
    trackDisposable(this);
  }

  get state(): ServerState {
    return this.#state;
  }

  /** True while it is connected, or going to be. */
  get isBusy(): boolean {
    return this.#connecting !== undefined || this.#live !== undefined || this.#restarter.isPlanned;
  }

  /**
   * Connects, or joins a connection under way. Rejects with the problem that the state then shows.
   * A caller that gives up leaves the others their connection; the last one to give up ends the attempt.
   */
  async connect(wish: ConnectWish, signal?: AbortSignal): Promise<void> {
    const stops = this.#stops;
    for (;;) {
      if (this.#disposed || this.#stops !== stops || signal?.aborted === true) throw this.#cancelled();
      const attempt = this.#connecting;
      if (attempt === undefined) {
        if (this.#live !== undefined) return;
        if (!this.config.enabled) throw new ClientError("disabled", { server: this.config.id });
        await this.#begin(wish).join(signal);
        return;
      }
      // Whoever signs in wants a sign-in of its own: the one under way may wait for a page that is closed.
      if (wish.signIn !== undefined && attempt.wish !== wish) attempt.abort();
      if (attempt.isAborted) {
        await attempt.over();
        continue;
      }
      try {
        await attempt.join(signal);
        return;
      } catch (error) {
        // Nobody was asked then; whoever connects now can be.
        if (!wish.interactive || !wasUnasked(error, attempt.wish)) throw error;
      }
    }
  }

  /** Ends the connection, or stops connecting, and waits until the process or the pool is gone. */
  async disconnect(): Promise<void> {
    this.#stops += 1;
    this.#cancelRestart();
    const attempt = this.#connecting;
    if (attempt !== undefined) {
      attempt.abort();
      await attempt.over();
    }
    // Whoever asked for a connection after this has the last word.
    if (this.#connecting === undefined) {
      const connection = this.#detach();
      if (connection !== undefined) this.#closing = connection.close();
      if (this.config.enabled) this.#setState({ kind: "stopped" });
    }
    await this.#closing;
  }

  /** Forgets the results that were kept: whoever starts a server anew wants to see what it has now. */
  forgetResults(): void {
    this.#cache?.clear();
  }

  /** Reads all lists again, and resources when they are wanted next. Rejects when the tools cannot be listed. */
  async refresh(signal?: AbortSignal): Promise<void> {
    const live = this.connected();
    this.#cache?.outdate();
    await Promise.all([live.listTools(signal, "newest"), live.listOthers(signal, "newest")]);
  }

  /** @throws ClientError `not-connected` */
  get tasks(): ServerTasks {
    return this.connected().tasks;
  }

  /** @throws ClientError `not-connected`; RpcError, EngineError and NetError of the call */
  async complete(
    target: CompletionTarget,
    argument: { readonly name: string; readonly value: string },
    known: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Completion> {
    const options = { callId: this.#options.newCallId(), signal, input: null };
    return this.connected().complete(target, argument, known, options);
  }

  /** Asks to be told when a resource changes, also on later connections, until the handle is disposed. */
  async watchResource(uri: string, signal?: AbortSignal): Promise<Disposable> {
    this.connected();
    return this.#options.watches.watch(uri, signal);
  }

  /** What stands while it is connected, to call it through. @throws ClientError `not-connected` */
  connected(): LiveServer {
    if (this.#live === undefined) throw new ClientError("not-connected", { server: this.config.id });
    return this.#live;
  }

  /** Takes settings that differ only in what needs no new connection. */
  adopt(config: ServerConfig): void {
    this.config = config;
    if (config.restart === false) this.#cancelRestart();
    this.#live?.observe(config);
  }

  dispose(): void {
    untrackDisposable(this);
    this.#disposed = true;
    this.#restarter.dispose();
    this.#cache?.clear();
    this.#connecting?.abort();
    this.#detach()?.dispose();
    this.#authorization.dispose();
  }

  /** The connection that stands, unless another one is being made. */
  get standing(): LiveServer | undefined {
    return this.#connecting === undefined ? this.#live : undefined;
  }

  /** Reads what other credentials may show, and listens where that was refused. Each list shows its own problem. */
  readAnew(): void {
    this.#cache?.outdate();
    this.#live?.connection.listening.again();
    this.#live?.listTools(undefined, "newest").catch(() => undefined);
    void this.#live?.listOthers(undefined, "newest");
  }

  #begin(wish: ConnectWish): ConnectAttempt {
    if (wish.isRestart !== true) this.#cancelRestart();
    const attempt: ConnectAttempt = new ConnectAttempt({
      wish,
      run: (signal) => this.#run(wish, signal),
      onOver: () => {
        if (this.#connecting === attempt) this.#connecting = undefined;
      },
      cancelled: () => this.#cancelled(),
    });
    this.#connecting = attempt;
    return attempt;
  }

  /** Connects again after the connection ended without anybody's doing. How that ends is in the state. */
  #restart(): void {
    const attempt = this.#begin({ interactive: false, isRestart: true });
    attempt.join().catch((error: unknown) => {
      if (!attempt.isAborted) this.#options.ports.log(this.config.id).write("warn", errorText(error));
    });
  }

  #cancelRestart(): void {
    this.#restarter.reset();
    const state = this.#state;
    if (state.kind === "failed" && state.restart !== undefined)
      this.#setState({ kind: "failed", problem: state.problem });
  }

  async #run(wish: ConnectWish, signal: AbortSignal): Promise<void> {
    const { ports, clock, newCallId } = this.#options;
    try {
      // A server that is still shutting down may hold what the new one needs, such as a port or a lock.
      await this.#closing.catch(() => undefined);
      const connection = await establish({
        config: this.config,
        wish,
        ports,
        authorization: this.#authorization,
        cache: this.#cache,
        clock,
        newCallId,
        signal,
        onStep: (step) => {
          this.#step(step);
        },
      });
      const live = this.#attach(connection);
      // Either may have happened while the last message of the negotiation was on its way.
      signal.throwIfAborted();
      connection.closed.throwIfAborted();
      this.#step("listing");
      await live.listTools(signal).catch((error: unknown) => {
        // The connection stands without its list; only an end of the connection itself is a failure.
        if (connection.closed.aborted || signal.aborted) throw error;
      });
      this.#restarter.connected();
      // Nobody waits for these: a server is usable with its tools.
      void live.listOthers();
    } catch (error) {
      this.#fail(error, signal, wish);
      throw error;
    }
  }

  #attach(connection: Connection): LiveServer {
    const { clock, ports } = this.#options;
    const live: LiveServer = new LiveServer({
      connection,
      config: this.config,
      clock,
      log: ports.log(this.config.id),
      toProblem: (error) => toProblem(error, this.config.id),
      onDidChange: () => {
        if (this.#live === live) this.#setState(live.state);
      },
      onNotice: this.#options.onNotice,
      watches: this.#options.watches,
      taskStore: ports.tasks,
    });
    this.#live = live;
    connection.closed.addEventListener(
      "abort",
      () => {
        if (this.#live !== live) return;
        this.#detach();
        this.#closing = connection.close();
        this.#closing.catch(() => undefined);
        if (this.#connecting === undefined)
          this.#setFailed(toProblem(connection.closed.reason, this.config.id), "restarts");
      },
      { once: true },
    );
    return live;
  }

  #detach(): Connection | undefined {
    const live = this.#live;
    this.#live = undefined;
    live?.dispose();
    return live?.connection;
  }

  #fail(error: unknown, signal: AbortSignal, wish: ConnectWish): void {
    const connection = this.#detach();
    if (connection !== undefined) {
      this.#closing = connection.close();
      this.#closing.catch(() => undefined);
    }
    const problem = toProblem(error, this.config.id);
    if (signal.aborted) this.#setState({ kind: "stopped" });
    else if (isBlocking(problem)) this.#setState({ kind: "blocked", problem });
    else this.#setFailed(problem, wish.isRestart === true ? "restarts" : "stays");
  }

  #setFailed(problem: Problem, then: "restarts" | "stays"): void {
    const isWanted = then === "restarts" && this.config.restart !== false && !this.#disposed;
    const restart = isWanted ? this.#restarter.plan(problem) : undefined;
    this.#setState({ kind: "failed", problem, ...(restart && { restart }) });
  }

  #step(step: ConnectStep): void {
    this.#setState({ kind: "connecting", step, sinceMs: this.#options.clock.now() });
  }

  #setState(state: ServerState): void {
    this.#state = state;
    this.#options.onDidChange();
  }

  #cancelled(): EngineError {
    return new EngineError("cancelled", { server: this.config.id, method: "the connection" });
  }
}
