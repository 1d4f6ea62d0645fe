import { abortable } from "../base/abortable.ts";
import type { Clock } from "../base/clock.ts";
import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";
import { CodedError, errorText } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { CallToolOptions, CalledTool, Connection } from "../protocol/connection.ts";
import { EngineError } from "../protocol/engineError.ts";
import { toVerdict } from "../protocol/eras/negotiateOptions.ts";
import type { ToolCatalog } from "../protocol/model/tool.ts";
import { RpcError } from "../protocol/rpcError.ts";
import { ClientError } from "./clientError.ts";
import { ListRefresher } from "./listRefresher.ts";
import { openConnection } from "./openConnection.ts";
import { readVerdict, verdictKey } from "./rememberedVerdict.ts";
import type { ServerConfig } from "./serverConfig.ts";
import type { PoolPorts } from "./serverPool.ts";
import type { ConnectStep, Problem, ServerState } from "./serverState.ts";

/** What a managed server needs of its pool. */
export interface ManagedServerOptions {
  readonly config: ServerConfig;
  readonly ports: PoolPorts;
  readonly clock: Clock;
  readonly newCallId: () => string;
  readonly onDidChange: () => void;
  /** The end of the server's earlier self, which this one waits for. */
  readonly after?: Promise<void> | undefined;
}

/** One attempt to connect, with all who wait for it. */
interface Attempt {
  readonly promise: Promise<void>;
  readonly abort: AbortController;
  readonly interactive: boolean;
  /** Callers that have not given up; with the last of them the attempt ends. */
  waiting: number;
}

/** One server's life: connecting, connected, failed, stopped. The only writer of its state. */
export class ManagedServer implements Disposable {
  readonly config: ServerConfig;
  readonly #options: ManagedServerOptions;
  #state: ServerState;
  #connection: Connection | undefined;
  #connecting: Attempt | undefined;
  #closing: Promise<void>;
  #refresher: ListRefresher | undefined;
  /** Counts the wishes to disconnect, so that a connect that waits can tell that it is no longer wanted. */
  #stops = 0;
  #disposed = false;

  constructor(options: ManagedServerOptions) {
    this.config = options.config;
    this.#options = options;
    this.#closing = options.after ?? Promise.resolve();
    this.#state = options.config.enabled ? { kind: "stopped" } : { kind: "disabled" };
    trackDisposable(this);
  }

  get state(): ServerState {
    return this.#state;
  }

  get isBusy(): boolean {
    return this.#connecting !== undefined || this.#connection !== undefined;
  }

  /**
   * Connects, or joins a connection under way. Rejects with the problem that the state then shows.
   * A caller that gives up leaves the others their connection; the last one to give up ends the attempt.
   */
  async connect(how: { readonly interactive: boolean }, signal?: AbortSignal): Promise<void> {
    const stops = this.#stops;
    for (;;) {
      if (this.#disposed || this.#stops !== stops || signal?.aborted === true) throw this.#cancelled();
      const attempt = this.#connecting;
      if (attempt === undefined) {
        if (this.#connection !== undefined) return;
        if (!this.config.enabled) throw new ClientError("disabled", { server: this.config.id });
        await this.#join(this.#begin(how), signal);
        return;
      }
      if (attempt.abort.signal.aborted) {
        await attempt.promise.catch(() => undefined);
        continue;
      }
      try {
        await this.#join(attempt, signal);
        return;
      } catch (error) {
        // Nobody was asked then; whoever connects now can be.
        const wasUnasked = error instanceof ClientError && error.code === "not-approved";
        if (!wasUnasked || attempt.interactive || !how.interactive) throw error;
      }
    }
  }

  /** Ends the connection, or stops connecting, and waits until the process or the pool is gone. */
  async disconnect(): Promise<void> {
    this.#stops += 1;
    const attempt = this.#connecting;
    if (attempt !== undefined) {
      attempt.abort.abort(this.#cancelled());
      await attempt.promise.catch(() => undefined);
    }
    // Whoever asked for a connection after this has the last word.
    if (this.#connecting === undefined) {
      const connection = this.#detach();
      if (connection !== undefined) this.#closing = connection.close();
      if (this.config.enabled) this.#setState({ kind: "stopped" });
    }
    await this.#closing;
  }

  /** Forgets how the server was negotiated. */
  forgetVerdict(): void {
    this.#options.ports.verdicts.set(verdictKey(this.config), undefined);
  }

  async refreshTools(signal?: AbortSignal): Promise<void> {
    const connection = this.#live();
    await this.#list(connection, signal);
  }

  /** @throws ClientError `not-connected`; RpcError, EngineError and NetError of the call */
  async callTool(name: string, args: JsonObject, options: CallToolOptions): Promise<CalledTool> {
    const connection = this.#live();
    if (this.config.tools !== undefined && !this.config.tools.includes(name)) {
      throw new EngineError("unknown-tool", {
        server: this.config.id,
        tool: name,
        reason: "“tools” in its settings leaves it out.",
      });
    }
    return connection.callTool(name, args, options);
  }

  dispose(): void {
    untrackDisposable(this);
    this.#disposed = true;
    this.#connecting?.abort.abort(this.#cancelled());
    this.#detach()?.dispose();
  }

  #begin(how: { readonly interactive: boolean }): Attempt {
    const abort = new AbortController();
    const promise = this.#run(how, abort.signal).finally(() => {
      this.#connecting = undefined;
    });
    // Callers that gave up do not hear how it ended.
    promise.catch(() => undefined);
    const attempt = { promise, abort, interactive: how.interactive, waiting: 0 };
    this.#connecting = attempt;
    return attempt;
  }

  async #join(attempt: Attempt, signal: AbortSignal | undefined): Promise<void> {
    attempt.waiting += 1;
    try {
      await (signal === undefined ? attempt.promise : abortable(attempt.promise, signal));
    } catch (error) {
      throw signal?.aborted === true ? this.#cancelled() : error;
    } finally {
      attempt.waiting -= 1;
      if (attempt.waiting === 0 && this.#connecting === attempt) attempt.abort.abort(this.#cancelled());
    }
  }

  async #run(how: { readonly interactive: boolean }, signal: AbortSignal): Promise<void> {
    const { ports, clock } = this.#options;
    try {
      // A server that is still shutting down may hold what the new one needs, such as a port or a lock.
      await this.#closing.catch(() => undefined);
      this.#step("approving");
      await abortable(ports.approve(this.config, signal, how), signal);
      this.#step("resolving");
      const resolved = await abortable(ports.resolve(this.config, signal), signal);
      this.#step("negotiating");
      const key = verdictKey(this.config);
      const remembered = this.config.protocol === "auto" ? readVerdict(ports.verdicts.get(key)) : undefined;
      const connection = await openConnection({
        config: resolved,
        clientInfo: ports.clientInfo,
        input: ports.input,
        log: ports.log(this.config.id),
        clock,
        signal,
        remembered,
        newCallId: this.#options.newCallId,
      }).catch((error: unknown) => {
        // A server that became modern may die of `initialize`, or ignore it: the next attempt probes.
        if (remembered?.era === "legacy" && isDeadEnd(error)) this.forgetVerdict();
        throw error;
      });
      this.#attach(connection);
      // Either may have happened while the last message of the negotiation was on its way.
      signal.throwIfAborted();
      connection.closed.throwIfAborted();
      const { negotiation } = connection;
      if (this.config.protocol === "auto" && negotiation.how !== "remembered") {
        ports.verdicts.set(key, { ...toVerdict(negotiation, clock.now()) });
      }
      this.#step("listing");
      await this.#list(connection, signal).catch((error: unknown) => {
        // The connection stands without its list; only an end of the connection itself is a failure.
        if (connection.closed.aborted || signal.aborted) throw error;
      });
    } catch (error) {
      this.#fail(error, signal);
      throw error;
    }
  }

  #attach(connection: Connection): void {
    this.#connection = connection;
    connection.closed.addEventListener(
      "abort",
      () => {
        if (this.#connection !== connection) return;
        this.#detach();
        this.#closing = connection.close();
        this.#closing.catch(() => undefined);
        if (this.#connecting === undefined)
          this.#setState({ kind: "failed", problem: this.#toProblem(connection.closed.reason) });
      },
      { once: true },
    );
    const refresher = new ListRefresher(this.#options.clock, () => this.#refresh(connection));
    this.#refresher = refresher;
    connection.onToolsChanged = () => {
      refresher.request();
    };
  }

  #detach(): Connection | undefined {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#refresher?.dispose();
    this.#refresher = undefined;
    return connection;
  }

  /** Lists tools that changed; nobody waits for it, so a failure is a line in the log. */
  async #refresh(connection: Connection): Promise<void> {
    try {
      await this.#list(connection);
    } catch (error) {
      const log = this.#options.ports.log(this.config.id);
      log.write("warn", `The changed tools could not be listed: ${errorText(error)}`);
    }
  }

  /** Lists the tools and shows them; a failure is shown beside the connection and thrown. */
  async #list(connection: Connection, signal?: AbortSignal): Promise<void> {
    try {
      await connection.listTools(signal);
      this.#showConnected(connection, undefined);
    } catch (error) {
      if (!connection.closed.aborted && signal?.aborted !== true)
        this.#showConnected(connection, this.#toProblem(error));
      throw error;
    }
  }

  #showConnected(connection: Connection, listProblem: Problem | undefined): void {
    if (this.#connection !== connection) return;
    this.#setState({
      kind: "connected",
      negotiation: connection.negotiation,
      catalog: this.#filter(connection.catalog),
      listProblem,
      sinceMs: this.#state.kind === "connected" ? this.#state.sinceMs : this.#options.clock.now(),
    });
  }

  #filter(catalog: ToolCatalog): ToolCatalog {
    const wanted = this.config.tools;
    if (wanted === undefined) return catalog;
    return { ...catalog, tools: catalog.tools.filter((tool) => wanted.includes(tool.name)) };
  }

  #fail(error: unknown, signal: AbortSignal): void {
    const connection = this.#detach();
    if (connection !== undefined) {
      this.#closing = connection.close();
      this.#closing.catch(() => undefined);
    }
    const problem = this.#toProblem(error);
    if (signal.aborted) this.#setState({ kind: "stopped" });
    else if (isBlocking(problem)) this.#setState({ kind: "blocked", problem });
    else this.#setState({ kind: "failed", problem });
  }

  #live(): Connection {
    if (this.#connection === undefined) throw new ClientError("not-connected", { server: this.config.id });
    return this.#connection;
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

  #toProblem(error: unknown): Problem {
    if (error instanceof CodedError || error instanceof RpcError) return error;
    return new ClientError(
      "unexpected",
      { server: this.config.id, reason: errorText(error) },
      { cause: error },
    );
  }
}

function isDeadEnd(error: unknown): boolean {
  return error instanceof EngineError && (error.code === "process-exited" || error.code === "timeout");
}

function isBlocking(problem: Problem): boolean {
  return (
    problem instanceof ClientError &&
    (problem.code === "untrusted" ||
      problem.code === "not-approved" ||
      problem.code === "unset-variable" ||
      problem.code === "invalid-config")
  );
}
