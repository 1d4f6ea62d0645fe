import { stringifyJson } from "../../../base/json.ts";
import { type Clock, systemClock } from "../../../base/clock.ts";
import { trackDisposable, untrackDisposable } from "../../../base/disposable.ts";
import { errorText } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import { basicCredentials } from "../../../net/basicCredentials.ts";
import { NetError } from "../../../net/netError.ts";
import { type NetworkSettings, NO_EDITOR, type RouteOptions } from "../../../net/networkSettings.ts";
import type { RequestAuthorizer } from "../../../net/requestAuthorizer.ts";
import { EngineError } from "../../engineError.ts";
import type { JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../../jsonrpc/message.ts";
import type { Limits } from "../../limits.ts";
import { guardListener } from "../guardListener.ts";
import type {
  ExchangeOptions,
  ExchangeResult,
  HttpTransport,
  ListenOptions,
  TransportListener,
} from "../transport.ts";
import type { CallRequest } from "./httpCall.ts";
import { HttpDelivery } from "./httpDelivery.ts";
import { type ExchangeContext, HttpExchange } from "./httpExchange.ts";
import { HttpListening } from "./httpListening.ts";
import { StreamResumption } from "./streamResumption.ts";
import { acceptedEncodings, mergeHeaders, readConfiguredHeaders } from "./requestHeaders.ts";
import { wireText } from "../wireText.ts";

/** Where one server is, and how its transport is bounded. Strings are resolved: no placeholders are left. */
export interface HttpTransportOptions {
  readonly serverName: string;
  /** The MCP endpoint. Nothing is ever sent to another origin. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The server's own proxy, certificates and version of HTTP. */
  readonly route?: RouteOptions;
  /** What editor and environment say about proxies and certificates; left out, they say nothing. */
  readonly network?: NetworkSettings;
  /** Authorizes each request; what it says has precedence over `headers`. */
  readonly authorizer?: RequestAuthorizer | undefined;
  readonly limits: Limits;
  readonly log: Log;
  readonly clock?: Clock;
}

const NO_NETWORK: NetworkSettings = { editor: NO_EDITOR, environment: {} };

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
  /** Told once, when nothing of it is left on the network. */
  onEnded: (() => void) | undefined;
  stop(reason: Error): void;
}

class EndpointTransport implements HttpTransport {
  readonly kind = "http";
  readonly #options: HttpTransportOptions;
  readonly #clock: Clock;
  /** In objects that are emptied: tables that a `Set` has outgrown hold on to their entries for a while. */
  readonly #running = new Set<{ what: { stop(reason: Error): void } | undefined }>();
  #started:
    | {
        readonly url: URL;
        readonly base: Readonly<Record<string, string>>;
        readonly context: ExchangeContext;
      }
    | undefined;
  /** How far the background stream of which session was read, so that the next one goes on from there. */
  #heard: { readonly session: string | undefined; readonly lastEventId: string } | undefined;
  #listenAgainMs: number | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    trackDisposable(this);
  }

  async start(listener: TransportListener): Promise<void> {
    this.#throwIfClosed();
    if (this.#started !== undefined) throw new Error("An HTTP transport starts once");
    const { serverName, limits, log, authorizer } = this.#options;
    const url = this.#readUrl();
    const { headers, ignored } = readConfiguredHeaders(this.#options.headers, serverName);
    for (const name of ignored)
      log.write("warn", `The configured header ${name} was left out: the protocol sets it`);
    const basic = basicCredentials(url);
    const base = {
      ...acceptedEncodings(url),
      ...(basic === undefined ? {} : { authorization: basic }),
      ...headers,
    };
    // Who has only local processes, or has not connected yet, does not load the HTTP client.
    const { openOrigin } = await import("../../../net/openOrigin.ts");
    const pool = await openOrigin({
      serverName,
      url,
      connections: limits.concurrentRequests + SPARE_CONNECTIONS,
      route: this.#options.route ?? {},
      network: this.#options.network ?? NO_NETWORK,
      log,
      ...(authorizer !== undefined && {
        zone: () => authorizer.zone,
        fakeIpRanges: authorizer.fakeIpRanges,
      }),
    });
    if (this.#closed !== undefined) {
      await pool.destroy();
      throw this.#closedError();
    }
    const context = {
      serverName,
      pool,
      limits,
      log,
      clock: this.#clock,
      listener: guardListener(listener, log),
      authorizer,
    };
    this.#started = { url, base, context };
  }

  exchange(request: JsonRpcRequest, options: ExchangeOptions): Promise<ExchangeResult> {
    return this.#run(
      (context) => new HttpExchange(context, request),
      options.signal,
      () => {
        const post = this.#post(request, request.method, options, true);
        const resumption = options.resumable === true ? this.#resumption(post) : undefined;
        return (exchange) => {
          exchange.begin(post, resumption);
        };
      },
    );
  }

  send(message: JsonRpcNotification | JsonRpcResponse, options: ExchangeOptions): Promise<void> {
    const what = "method" in message ? message.method : "the answer to its request";
    return this.#run(
      (context) => new HttpDelivery(context, what),
      options.signal,
      () => {
        const post = this.#post(message, what, options, false);
        return (delivery) => {
          delivery.begin(post);
        };
      },
    );
  }

  get listenAgainMs(): number | undefined {
    return this.#listenAgainMs;
  }

  async listen(options: ListenOptions): Promise<boolean> {
    const request = this.#request("GET", "GET", options.headers, GET_HEADERS);
    const session = request.headers["mcp-session-id"];
    const heard = this.#heard?.session === session ? this.#heard : undefined;
    let listening: HttpListening | undefined;
    try {
      return await this.#run(
        (context) => (listening = new HttpListening(context, () => options.onOpen?.(heard !== undefined))),
        options.signal,
        () => (stream) => {
          const resume = heard === undefined ? {} : { "last-event-id": heard.lastEventId };
          stream.begin({ ...request, headers: { ...request.headers, ...resume } });
        },
      );
    } finally {
      this.#listenAgainMs = listening?.retryMs;
      const lastEventId = listening?.lastEventId ?? "";
      // A stream that was taken up in vain is not taken up from there again.
      this.#heard = /^[\x20-\x7e]+$/.test(lastEventId) ? { session, lastEventId } : undefined;
    }
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
        () => (delivery) => {
          delivery.begin(this.#request("DELETE", "DELETE", headers, {}));
        },
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
      for (const { what } of [...this.#running]) what?.stop(this.#closedError());
      this.#closed = this.#started?.context.pool.destroy() ?? Promise.resolve();
    }
    return this.#closed;
  }

  dispose(): void {
    void this.close();
  }

  async #run<T, R extends Running<T>>(
    create: (context: ExchangeContext) => R & Running<T>,
    signal: AbortSignal,
    prepare: () => (running: R) => void,
  ): Promise<T> {
    signal.throwIfAborted();
    this.#throwIfClosed();
    if (this.#started === undefined) throw new Error("The HTTP transport was not started");
    // Writing the message may fail; nothing may be left of it then.
    const begin = prepare();
    const running = create(this.#started.context);
    const entry: { what: R | undefined } = { what: running };
    this.#running.add(entry);
    running.onEnded = () => {
      entry.what = undefined;
      this.#running.delete(entry);
    };
    const onAbort = (): void => {
      running.stop(signal.reason as Error);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      begin(running);
      return await running.settled;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #post(
    message: JsonRpcRequest | JsonRpcNotification | JsonRpcResponse,
    what: string,
    options: ExchangeOptions,
    hasId: boolean,
  ): CallRequest {
    const body = stringifyJson(message);
    this.#options.log.write("trace", `→ POST ${what}`, () => wireText(message));
    return { ...this.#request("POST", what, options.headers, POST_HEADERS), body, hasId };
  }

  /** The same endpoint with the same session, asked for the rest of a stream. */
  #resumption(post: CallRequest): StreamResumption {
    const { url, what } = post;
    const headers = mergeHeaders(post.headers, GET_HEADERS);
    delete headers["content-type"];
    return new StreamResumption({ method: "GET", url, what, headers }, this.#clock);
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

  #throwIfClosed(): void {
    if (this.#closed !== undefined) throw this.#closedError();
  }

  #closedError(): EngineError {
    return new EngineError("closed", { server: this.#options.serverName });
  }
}
