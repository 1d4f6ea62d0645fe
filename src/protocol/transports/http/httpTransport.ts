import { type Clock, systemClock } from "../../../base/clock.ts";
import { trackDisposable, untrackDisposable } from "../../../base/disposable.ts";
import { errorText } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import { NetError } from "../../../net/netError.ts";
import { OriginPool } from "../../../net/originPool.ts";
import { EngineError } from "../../engineError.ts";
import type { JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../../jsonrpc/message.ts";
import type { Limits } from "../../limits.ts";
import { guardListener } from "../guardListener.ts";
import type { ExchangeOptions, ExchangeResult, HttpTransport, TransportListener } from "../transport.ts";
import type { CallRequest } from "./httpCall.ts";
import { HttpDelivery } from "./httpDelivery.ts";
import { type ExchangeContext, HttpExchange } from "./httpExchange.ts";
import { HttpListening } from "./httpListening.ts";
import { basicAuthorization, mergeHeaders, readConfiguredHeaders } from "./requestHeaders.ts";

/** Where one server is, and how its transport is bounded. Strings are resolved: no placeholders are left. */
export interface HttpTransportOptions {
  readonly serverName: string;
  /** The MCP endpoint. Nothing is ever sent to another origin. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly log: Log;
  readonly clock?: Clock;
}

/** Connections beside those that running requests hold: a background stream, cancellations, answers. */
const SPARE_CONNECTIONS = 16;
/** How long ending a session may take. */
const END_SESSION_MS = 5_000;

const POST_HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const GET_HEADERS = { accept: "text/event-stream" };

/** JSON-RPC over Streamable HTTP: one POST per message to one endpoint. It connects when there is something to send. */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  return new EndpointTransport(options);
}

/** What runs on the network until it has ended: an exchange, a delivery, a stream. */
interface Running<T> {
  readonly settled: Promise<T>;
  readonly ended: Promise<void>;
  begin(request: CallRequest): void;
  stop(reason: Error): void;
}

class EndpointTransport implements HttpTransport {
  readonly kind = "http";
  readonly #options: HttpTransportOptions;
  readonly #clock: Clock;
  readonly #running = new Set<{ stop(reason: Error): void }>();
  #started:
    | {
        readonly url: URL;
        readonly base: Readonly<Record<string, string>>;
        readonly context: ExchangeContext;
      }
    | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    trackDisposable(this);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- A bad address or header rejects, as the contract says.
  async start(listener: TransportListener): Promise<void> {
    if (this.#closed !== undefined) throw this.#closedError();
    if (this.#started !== undefined) throw new Error("An HTTP transport starts once");
    const { serverName, limits, log } = this.#options;
    const url = this.#readUrl();
    const { headers, ignored } = readConfiguredHeaders(this.#options.headers, serverName);
    for (const name of ignored)
      log.write("warn", `The configured header ${name} was left out: the protocol sets it`);
    const basic = basicAuthorization(url);
    const base = basic === undefined ? headers : { authorization: basic, ...headers };
    const pool = new OriginPool(url.origin, { connections: limits.concurrentRequests + SPARE_CONNECTIONS });
    const context = {
      serverName,
      pool,
      limits,
      log,
      clock: this.#clock,
      listener: guardListener(listener, log),
    };
    this.#started = { url, base, context };
  }

  exchange(request: JsonRpcRequest, options: ExchangeOptions): Promise<ExchangeResult> {
    return this.#run(
      (context) => new HttpExchange(context, request),
      options.signal,
      () => this.#post(request, request.method, options),
    );
  }

  send(message: JsonRpcNotification | JsonRpcResponse, options: ExchangeOptions): Promise<void> {
    const what = "method" in message ? message.method : "the answer to its request";
    return this.#run(
      (context) => new HttpDelivery(context, what),
      options.signal,
      () => this.#post(message, what, options),
    );
  }

  listen(options: ExchangeOptions): Promise<boolean> {
    return this.#run(
      (context) => new HttpListening(context),
      options.signal,
      () => this.#request("GET", "GET", options.headers, GET_HEADERS),
    );
  }

  async endSession(headers: Readonly<Record<string, string>>): Promise<void> {
    const limit = new AbortController();
    const timer = this.#clock.after(END_SESSION_MS, () => {
      limit.abort(new Error(`no answer within ${String(END_SESSION_MS)} ms`));
    });
    try {
      await this.#run(
        (context) => new HttpDelivery(context, "DELETE"),
        limit.signal,
        () => this.#request("DELETE", "DELETE", headers, {}),
      );
    } catch (error) {
      // The server forgets the session by itself some day; nothing depends on this.
      this.#options.log.write("debug", `Ending the session: ${errorText(error)}`);
    } finally {
      timer.dispose();
    }
  }

  close(): Promise<void> {
    if (this.#closed === undefined) {
      untrackDisposable(this);
      for (const running of [...this.#running]) running.stop(this.#closedError());
      this.#closed = this.#started?.context.pool.destroy() ?? Promise.resolve();
    }
    return this.#closed;
  }

  dispose(): void {
    void this.close();
  }

  async #run<T>(
    create: (context: ExchangeContext) => Running<T>,
    signal: AbortSignal,
    describe: () => CallRequest,
  ): Promise<T> {
    signal.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closedError();
    if (this.#started === undefined) throw new Error("The HTTP transport was not started");
    const running = create(this.#started.context);
    this.#running.add(running);
    void running.ended.then(() => this.#running.delete(running));
    const onAbort = (): void => {
      running.stop(signal.reason as Error);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      running.begin(describe());
      return await running.settled;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #post(
    message: JsonRpcRequest | JsonRpcNotification | JsonRpcResponse,
    what: string,
    options: ExchangeOptions,
  ): CallRequest {
    const body = JSON.stringify(message);
    this.#options.log.write("trace", `→ POST ${what}`, () => body);
    return { ...this.#request("POST", what, options.headers, POST_HEADERS), body };
  }

  #request(
    method: CallRequest["method"],
    what: string,
    own: Readonly<Record<string, string>> | undefined,
    fixed: Readonly<Record<string, string>>,
  ): CallRequest {
    if (this.#started === undefined) throw new Error("The HTTP transport was not started");
    const { url, base } = this.#started;
    return { method, url, what, headers: mergeHeaders(base, own ?? {}, fixed) };
  }

  #readUrl(): URL {
    const { url: text, serverName } = this.#options;
    const fail = (reason: string): NetError => new NetError("invalid-url", { server: serverName, reason });
    if (!URL.canParse(text)) throw fail("it is not a URL");
    const url = new URL(text);
    if (url.protocol !== "http:" && url.protocol !== "https:")
      throw fail(`${url.protocol} is neither http nor https`);
    return url;
  }

  #closedError(): EngineError {
    return new EngineError("closed", { server: this.#options.serverName });
  }
}
