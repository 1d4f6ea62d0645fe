import type { SecureContext } from "node:tls";

import { abortable } from "../base/abortable.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { type AddressRanges, readAddressRanges } from "./addressRanges.ts";
import { loadAuthorities } from "./authorities.ts";
import { addressesByName } from "./hostZone.ts";
import { NetError } from "./netError.ts";
import type { NetworkSettings, TlsOptions } from "./networkSettings.ts";
import { connectPinned, exchangePinned } from "./pinnedExchange.ts";
import type { PinnedNetwork, PinnedNetworkOptions, PinnedRequest, PinnedResponse } from "./pinnedRequest.ts";
import {
  blameEnvironment,
  checkPinnedRoute,
  findPinnedRoute,
  type PinnedRoute,
  type PinnedRouteOptions,
  resolveWithSystem,
} from "./pinnedRoute.ts";
import { readPinnedUrl } from "./pinnedUrl.ts";
import { secureContextFor } from "./secureContext.ts";
import type { Zone } from "./zones.ts";

/** How long a request may take in all: finding the host, connecting, and the whole answer, however slowly it drips. */
const TOTAL_MS = 10_000;

/** The network for authorization of one server. It keeps no connection, and needs no end. */
export function createPinnedNetwork(options: PinnedNetworkOptions): PinnedNetwork {
  return new OneServerNetwork(options);
}

/** How far a request has come. */
interface Progress {
  stage: "resolving" | "connecting" | "sent";
}

class OneServerNetwork implements PinnedNetwork {
  readonly #options: PinnedNetworkOptions;
  readonly #clock: Clock;
  readonly #fakeRanges: AddressRanges;
  readonly #saidProxies = new Set<string>();
  /** What each kind of connection trusts and shows; reading some hundred certificates takes a while. */
  readonly #contexts = new Map<
    string,
    { readonly authorities: readonly string[]; readonly context: SecureContext }
  >();

  constructor(options: PinnedNetworkOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#fakeRanges = readAddressRanges(options.fakeIpRanges);
    for (const text of this.#fakeRanges.unreadable) {
      options.log.write(
        "warn",
        `“signalbox.oauth.fakeIpRanges” names ${text}, which is not a range of addresses`,
      );
    }
  }

  async send(request: PinnedRequest): Promise<PinnedResponse> {
    const { serverName, log } = this.#options;
    const url = readPinnedUrl(request.url, serverName);
    const response = await this.#limited(url, request.signal, async (signal, progress) => {
      const network = this.#options.network();
      const route = await abortable(this.#findRoute(url, network), signal);
      checkPinnedRoute(url, request.from, route, serverName);
      progress.stage = "connecting";
      const trust = await abortable(this.#trust(url, route, network), signal);
      const onConnected = (): void => {
        progress.stage = "sent";
      };
      return await exchangePinned({ serverName, url, route, request, ...trust, signal, onConnected });
    });
    log.write("debug", `${request.method} ${url.origin}${url.pathname}: HTTP ${response.status}`);
    return response;
  }

  async zoneOf(
    url: URL,
    callerSignal: AbortSignal,
    how: { readonly isBoundary: boolean } = { isBoundary: false },
  ): Promise<{ readonly zone: Zone; readonly proxy: string | undefined }> {
    const { zone, proxy } = await this.#limited(url, callerSignal, async (signal, progress) => {
      const network = this.#options.network();
      const route = await abortable(this.#findRoute(url, network), signal);
      if (how.isBoundary && needsProof(url, route)) {
        progress.stage = "connecting";
        const trust = await abortable(this.#trust(url, route, network), signal);
        await connectPinned({ serverName: this.#options.serverName, url, route, ...trust, signal });
      }
      return route;
    });
    return { zone, proxy: proxy?.origin };
  }

  /** Runs work within the time limit and the caller's own. */
  async #limited<T>(
    url: URL,
    caller: AbortSignal,
    work: (signal: AbortSignal, progress: Progress) => Promise<T>,
  ): Promise<T> {
    caller.throwIfAborted();
    const controller = new AbortController();
    const progress: Progress = { stage: "resolving" };
    const follow = (): void => {
      controller.abort(caller.reason);
    };
    caller.addEventListener("abort", follow, { once: true });
    const limit = this.#clock.after(TOTAL_MS, () => {
      controller.abort(this.#lateError(url, progress));
    });
    try {
      return await work(controller.signal, progress);
    } catch (error) {
      caller.throwIfAborted();
      throw blameEnvironment(error, url, this.#routeOptions(this.#options.network()));
    } finally {
      limit.dispose();
      caller.removeEventListener("abort", follow);
    }
  }

  #lateError({ host }: URL, { stage }: Progress): NetError {
    const args = { server: this.#options.serverName, host };
    const seconds = TOTAL_MS / 1000;
    if (stage === "sent") return new NetError("answer-timeout", { ...args, seconds });
    if (stage === "connecting") return new NetError("connect-timeout", args);
    return new NetError("dns", { ...args, reason: `no answer within ${seconds} s` });
  }

  #routeOptions(network: NetworkSettings): PinnedRouteOptions {
    const { serverName, route, resolve = resolveWithSystem } = this.#options;
    return { serverName, route, network, fakeRanges: this.#fakeRanges, resolve };
  }

  async #findRoute(url: URL, network: NetworkSettings): Promise<PinnedRoute> {
    const route = await findPinnedRoute(url, this.#routeOptions(network));
    if (route.proxy !== undefined && !this.#saidProxies.has(route.proxy.origin)) {
      const { origin, place } = route.proxy;
      this.#saidProxies.add(origin);
      this.#options.log.write(
        "info",
        `Requests for authorization go through the proxy ${origin}, which “${place}” names: it decides where names lead`,
      );
    }
    return route;
  }

  /** What a connection trusts and shows. Only the server itself is shown its client certificate. */
  async #trust(
    url: URL,
    { proxy }: PinnedRoute,
    network: NetworkSettings,
  ): Promise<{
    readonly secureContext: SecureContext | undefined;
    readonly proxyContext: SecureContext | undefined;
    readonly tlsServerName: string | undefined;
  }> {
    const { endpoint, log, route } = this.#options;
    const isSecure = url.protocol === "https:";
    const isProxySecure = proxy?.origin.startsWith("https:") === true;
    const authorities = isSecure || isProxySecure ? await loadAuthorities(network, log) : [];
    const isOwn = endpoint?.origin === url.origin;
    const { ca } = route.tls ?? {};
    const tls = isOwn ? route.tls : ca === undefined ? undefined : { ca };
    return {
      secureContext: isSecure ? this.#context(isOwn ? "own" : "others", tls, authorities) : undefined,
      proxyContext: isProxySecure ? this.#context("proxy", undefined, authorities) : undefined,
      tlsServerName: isOwn ? route.tls?.serverName : undefined,
    };
  }

  #context(
    kind: "own" | "others" | "proxy",
    tls: TlsOptions | undefined,
    authorities: readonly string[],
  ): SecureContext {
    const known = this.#contexts.get(kind);
    if (known?.authorities === authorities) return known.context;
    const context = secureContextFor(authorities, tls, this.#options.serverName);
    this.#contexts.set(kind, { authorities, context });
    return context;
  }
}

/** Whether only a name says that a host is there: not its address, and nobody else. */
function needsProof(url: URL, { zone, proxy }: PinnedRoute): boolean {
  return (
    url.protocol === "https:" &&
    zone !== "public" &&
    proxy === undefined &&
    addressesByName(url.hostname) === undefined
  );
}
