import { type LookupFunction, Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import type { buildConnector as connectors, Dispatcher } from "undici";

import { type Disposable, trackDisposable, untrackDisposable } from "../base/disposable.ts";
import { portOf } from "./bypassesProxy.ts";
import type { ProxyServer } from "./chooseProxy.ts";
import { NetError } from "./netError.ts";
import { type ConnectTarget, toConnectError, toProxyError } from "./toNetError.ts";
import { buildConnector, Client, connect } from "./undici.ts";

/** How long a connection may take to be made, name look-up included; TLS and a proxy's answer count anew. */
const CONNECT_MS = 10_000;
/**
 * How long one of several addresses of a host may take before the next one is tried. Addresses are not tried at
 * the same time, so that a slow but working one must not be given up too early.
 */
const NEXT_ADDRESS_MS = 500;
/** After this much silence the system asks whether the other side is still there, however quiet a stream may be. */
const KEEP_ALIVE_MS = 60_000;

/** How the connections to one origin are made. */
export interface ConnectorOptions {
  /** The server's configured name, for errors. */
  readonly serverName: string;
  readonly origin: URL;
  readonly proxy?: ProxyServer | undefined;
  /** What secure connections trust and show; undefined where there are none. */
  readonly secureContext?: SecureContext | undefined;
  /** What a secure connection to the proxy itself trusts. */
  readonly proxyContext?: SecureContext | undefined;
  /** The name that the certificate must be made out to, in place of the host. */
  readonly tlsServerName?: string | undefined;
  readonly http2: boolean;
  readonly connectMs?: number | undefined;
  /** Finds the addresses of the origin's host; the system's own when left out. Not asked about addresses. */
  readonly lookup?: LookupFunction | undefined;
  /**
   * Looks at the address that a direct connection has reached, before a byte is sent, and throws a NetError to have
   * nothing sent at all. Not asked about tunnels, whose other end only the proxy knows.
   */
  readonly admit?: ((address: string) => void) | undefined;
}

type Connect = connectors.connector;
type ConnectCallback = connectors.Callback;
/** Undici gives the socket back at once, which its types do not say. */
type Starter = (...args: Parameters<Connect>) => unknown;

/**
 * Makes the connections to one origin, directly or through a tunnel of a proxy. What goes wrong is told as a
 * NetError: at this point nothing of a request was sent. Certificates are always verified.
 */
export class Connector implements Disposable {
  readonly #options: ConnectorOptions;
  readonly #target: ConnectTarget;
  readonly #direct: Starter;
  /** Clients of the proxy whose tunnel is not there yet. */
  readonly #pending = new Set<Client>();
  /** Sockets that are not connected yet, or not secure yet. */
  readonly #connecting = new Set<Socket>();

  constructor(options: ConnectorOptions) {
    this.#options = options;
    this.#target = { server: options.serverName, host: options.origin.host };
    this.#direct = buildConnector({
      ...this.#common(options.secureContext),
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
      allowH2: options.http2,
    });
    trackDisposable(this);
  }

  /** For undici: calls back with a socket, or with a NetError. */
  readonly connect: Connect = (options, callback) => {
    const { proxy, admit } = this.#options;
    if (proxy !== undefined) void this.#tunnel(proxy, options, callback);
    else if (admit === undefined) this.#open(options, callback);
    else this.#openJudged(admit, options, callback);
  };

  /** Gives up connections and tunnels that are being made. */
  dispose(): void {
    untrackDisposable(this);
    for (const client of this.#pending) void client.destroy();
    this.#pending.clear();
    for (const socket of this.#connecting) socket.destroy(new Error("given up"));
    this.#connecting.clear();
  }

  /** Connects, or turns the connection of a tunnel into a secure one. */
  #open(options: connectors.Options, callback: ConnectCallback): void {
    const { tlsServerName } = this.#options;
    const named = tlsServerName === undefined ? options : { ...options, servername: tlsServerName };
    this.#begin(named, (...[error, socket]) => {
      if (error !== null) {
        callback(toConnectError(error, this.#target), null);
        return;
      }
      // In TLS 1.3 a server refuses the client's certificate when the client believes that all is done. Undici would
      // report the end of the connection that follows instead of the reason.
      if (socket instanceof TLSSocket) socket.on("error", (reason: Error) => socket.destroy(reason));
      callback(null, socket);
    });
  }

  /**
   * Connects, has the address judged that was reached, and only then begins with TLS. A secure socket could not be asked:
   * editors put sockets of their own below it, and it does not know the address then.
   */
  #openJudged(
    admit: (address: string) => void,
    options: connectors.Options,
    callback: ConnectCallback,
  ): void {
    const { origin } = this.#options;
    this.#begin({ ...options, protocol: "http:", port: portOf(origin) }, (...[error, socket]) => {
      if (error !== null) {
        callback(toConnectError(error, this.#target), null);
        return;
      }
      try {
        admit(socket.remoteAddress ?? "");
      } catch (problem) {
        socket.destroy();
        callback(toConnectError(problem, this.#target), null);
        return;
      }
      if (origin.protocol === "https:") this.#open({ ...options, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  }

  #begin(options: connectors.Options, callback: ConnectCallback): void {
    const begun = this.#direct(options, (...result) => {
      if (begun instanceof Socket) this.#connecting.delete(begun);
      callback(...result);
    });
    if (begun instanceof Socket) this.#connecting.add(begun);
  }

  async #tunnel(proxy: ProxyServer, options: connectors.Options, callback: ConnectCallback): Promise<void> {
    let answer: Dispatcher.ConnectData;
    try {
      answer = await this.#askProxy(proxy);
    } catch (error) {
      callback(toProxyError(error, this.#target, proxy), null);
      return;
    }
    const { socket } = answer;
    // Whoever has it next tells its errors; until then it may fail unheard.
    socket.on("error", () => undefined);
    if (answer.statusCode < 200 || answer.statusCode > 299 || !(socket instanceof Socket)) {
      socket.destroy();
      callback(proxyAnswerError(answer, this.#target, proxy), null);
    } else if (this.#options.origin.protocol === "https:") {
      this.#open({ ...options, httpSocket: socket }, callback);
    } else {
      callback(null, socket);
    }
  }

  async #askProxy(proxy: ProxyServer): Promise<Dispatcher.ConnectData> {
    const { origin, connectMs = CONNECT_MS } = this.#options;
    const client = new Client(proxy.origin, {
      connect: this.#common(this.#options.proxyContext),
      headersTimeout: connectMs,
    });
    this.#pending.add(client);
    const path = `${origin.hostname}:${portOf(origin)}`;
    try {
      return await connect.call(client, {
        path,
        headers: {
          host: path,
          ...(proxy.authorization === undefined ? {} : { "proxy-authorization": proxy.authorization }),
        },
      });
    } finally {
      this.#pending.delete(client);
      // The tunnel is no longer its own; an answer that made none is not read on.
      void client.destroy();
    }
  }

  #common(secureContext: SecureContext | undefined): connectors.BuildOptions {
    return {
      ...(secureContext === undefined ? {} : { secureContext }),
      // Said aloud, because a variable of the environment could turn it off.
      rejectUnauthorized: true,
      timeout: this.#options.connectMs ?? CONNECT_MS,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    };
  }
}

/** The methods by which a proxy wants to know who asks, as in `Negotiate, NTLM`. */
function proxyAnswerError(
  { statusCode, headers }: Dispatcher.ConnectData,
  target: ConnectTarget,
  proxy: ProxyServer,
): NetError {
  const args = { ...target, proxy: proxy.origin, place: proxy.place };
  const status = `HTTP ${String(statusCode)}`;
  if (statusCode !== 407) return new NetError("proxy-refused", { ...args, reason: status });
  const methods = [headers["proxy-authenticate"] ?? []].flat().map((value) => value.split(" ", 1)[0] ?? "");
  return new NetError("proxy-login", { ...args, reason: [status, ...new Set(methods)].join(", ") });
}
