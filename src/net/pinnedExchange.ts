import type { LookupFunction } from "node:net";
import type { SecureContext } from "node:tls";

import type { Dispatcher } from "undici";

import { portOf } from "./bypassesProxy.ts";
import { Connector } from "./connector.ts";
import { parseAddress } from "./hostAddress.ts";
import { NetError } from "./netError.ts";
import type { ResponseHeaders } from "./originPool.ts";
import type { PinnedRequest, PinnedResponse } from "./pinnedRequest.ts";
import type { PinnedRoute } from "./pinnedRoute.ts";
import { toNetError } from "./toNetError.ts";
import { Client } from "./undici.ts";

/** Bounds of an answer, in bytes. */
const MAXIMUM_BODY = 256 * 1024;
const MAXIMUM_HEADERS = 16 * 1024;

/** How one connection is made. */
export interface PinnedConnectOptions {
  /** The server's configured name, for errors. */
  readonly serverName: string;
  readonly url: URL;
  readonly route: PinnedRoute;
  readonly secureContext: SecureContext | undefined;
  readonly proxyContext: SecureContext | undefined;
  readonly tlsServerName: string | undefined;
  /** Ends it: the promise rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** How one request is sent. */
export interface PinnedExchangeOptions extends PinnedConnectOptions {
  readonly request: Pick<PinnedRequest, "method" | "headers" | "body">;
  /** Told when there is a connection: from then on the request may arrive. */
  readonly onConnected: () => void;
}

/**
 * Sends one request over a connection of its own, to an address of the route and no other, and closes it. Nothing is
 * followed, decoded or repeated.
 */
export async function exchangePinned(options: PinnedExchangeOptions): Promise<PinnedResponse> {
  const { url, request, signal, serverName } = options;
  signal.throwIfAborted();
  const connector = pinnedConnector(options);
  const client = new Client(url.origin, {
    connect: connectOnce(connector, options.onConnected),
    pipelining: 1,
    maxHeaderSize: MAXIMUM_HEADERS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    return await new Promise<PinnedResponse>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      const collector = new AnswerCollector({ server: serverName, host: url.host }, resolve, reject);
      client.dispatch(
        {
          path: `${url.pathname}${url.search}`,
          method: request.method,
          headers: headersOf(request, serverName),
          body: request.body ?? null,
          reset: true,
        },
        collector,
      );
    });
  } catch (error) {
    signal.throwIfAborted();
    throw tooManyHeaders(error, options) ?? toNetError(error, url.href, serverName);
  } finally {
    void client.destroy();
    connector.dispose();
  }
}

/** Connects to an address of the route and no other, and hangs up: a secure host has shown its certificate then. */
export async function connectPinned(options: PinnedConnectOptions): Promise<void> {
  const { url, signal, serverName } = options;
  signal.throwIfAborted();
  const connector = pinnedConnector(options);
  const { hostname, host, protocol } = url;
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      const target = { hostname, host, protocol, port: portOf(url), servername: hostname };
      connector.connect(target, (error, socket) => {
        socket?.destroy();
        if (error === null) resolve();
        else reject(error);
      });
    });
  } catch (error) {
    signal.throwIfAborted();
    throw toNetError(error, url.href, serverName);
  } finally {
    connector.dispose();
  }
}

function pinnedConnector({ serverName, url, route, ...options }: PinnedConnectOptions): Connector {
  const known = new Set(route.addresses.map(normalize));
  return new Connector({
    serverName,
    origin: url,
    proxy: route.proxy,
    secureContext: options.secureContext,
    proxyContext: options.proxyContext,
    tlsServerName: options.tlsServerName,
    http2: false,
    lookup: lookupIn(route.addresses),
    admit: (address) => {
      if (known.has(normalize(address))) return;
      throw new NetError("address-changed", { server: serverName, host: url.host, address });
    },
  });
}

/** Undici would connect anew if the connection was lost before the request was written. */
function connectOnce(connector: Connector, onConnected: () => void): Connector["connect"] {
  let isUsed = false;
  return (options, callback) => {
    if (isUsed) {
      callback(Object.assign(new Error("the connection was lost"), { code: "ECONNRESET" }), null);
      return;
    }
    isUsed = true;
    connector.connect(options, (...result) => {
      if (result[0] === null) onConnected();
      callback(...result);
    });
  };
}

/** Answers with what was resolved before, whatever is asked. */
function lookupIn(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (hostname, options, callback) => {
    process.nextTick(() => {
      const [first] = all;
      if (first === undefined) {
        callback(Object.assign(new Error(`no address for ${hostname}`), { code: "ENOTFOUND" }), "", 4);
      } else if (options.all === true) callback(null, all);
      else callback(null, first.address, first.family);
    });
  };
}

function normalize(address: string): string {
  return parseAddress(address)?.toNormalizedString() ?? address;
}

/** @throws NetError `invalid-header`, which shows no value */
function headersOf({ headers }: Pick<PinnedRequest, "headers">, server: string): Record<string, string> {
  const result: Record<string, string> = { "user-agent": "signalbox" };
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new NetError("invalid-header", { server, header: name });
    }
    result[name.toLowerCase()] = value;
  }
  return { ...result, "accept-encoding": "identity" };
}

function tooManyHeaders(error: unknown, { serverName, url }: PinnedExchangeOptions): NetError | undefined {
  if ((error as NodeJS.ErrnoException).code !== "UND_ERR_HEADERS_OVERFLOW") return undefined;
  const args = { server: serverName, host: url.host, limit: MAXIMUM_HEADERS };
  return new NetError("answer-too-large", args, { cause: error });
}

/** Collects one answer within its bounds. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #target: { readonly server: string; readonly host: string };
  readonly #resolve: (answer: PinnedResponse) => void;
  readonly #reject: (error: Error) => void;
  #head: { readonly status: number; readonly headers: ResponseHeaders } | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    target: { readonly server: string; readonly host: string },
    resolve: (answer: PinnedResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#target = target;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** By this one undici tells the kind of a handler. */
  onRequestStart(): void {
    this.#head = undefined;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#head = { status, headers };
    const encoding = [headers["content-encoding"] ?? []].flat().join(", ").trim().toLowerCase();
    if (encoding !== "" && encoding !== "identity") {
      this.#give(
        controller,
        new NetError("encoding-unwanted", { ...this.#target, encoding: shorten(encoding) }),
      );
    } else if (Number(headers["content-length"] ?? 0) > MAXIMUM_BODY) {
      this.#give(controller, this.#tooLarge());
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAXIMUM_BODY) this.#give(controller, this.#tooLarge());
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#head === undefined) this.#reject(new Error("the answer has no head"));
    else this.#resolve({ ...this.#head, body: Buffer.concat(this.#chunks).toString("utf8") });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }

  #give(controller: Dispatcher.DispatchController, error: NetError): void {
    this.#chunks.length = 0;
    this.#reject(error);
    controller.abort(error);
  }

  #tooLarge(): NetError {
    return new NetError("answer-too-large", { ...this.#target, limit: MAXIMUM_BODY });
  }
}

/** The name of an encoding is the server's own word. */
function shorten(text: string): string {
  const clean = text.replace(/[^\x20-\x7e]/g, "�");
  return clean.length <= 60 ? clean : `${clean.slice(0, 60)}…`;
}
