import type { Log } from "../base/log.ts";
import { readAddressRanges } from "./addressRanges.ts";
import { loadAuthorities } from "./authorities.ts";
import { chooseProxy, type ProxyServer } from "./chooseProxy.ts";
import { NetError } from "./netError.ts";
import type { NetworkSettings, RouteOptions } from "./networkSettings.ts";
import { OriginPool } from "./originPool.ts";
import { secureContextFor } from "./secureContext.ts";
import { zoneCheck } from "./zoneCheck.ts";
import type { Zone } from "./zones.ts";

/** Which origin to open, for whom, and in which surroundings. */
export interface OpenOriginOptions {
  /** The server's configured name, for errors. */
  readonly serverName: string;
  /** Any address of the origin. */
  readonly url: URL;
  readonly connections: number;
  readonly route: RouteOptions;
  readonly network: NetworkSettings;
  readonly log: Log;
  readonly connectMs?: number | undefined;
  /**
   * Where the origin has to be; undefined admits any place. Read for each new connection, and for each request: one that
   * is sent under another zone than before never goes over a connection that was made then. Connections through a proxy
   * are not checked: there it decides where a name leads.
   */
  readonly zone?: (() => Zone | undefined) | undefined;
  /** Ranges in CIDR notation that count as public in answers of DNS; see `PinnedNetworkOptions`. */
  readonly fakeIpRanges?: readonly string[] | undefined;
}

/**
 * Makes ready for requests to one origin: finds the proxy, and what is trusted. Nothing is connected yet.
 * @throws NetError `proxy-unusable`, `tls-settings`
 */
export async function openOrigin(options: OpenOriginOptions): Promise<OriginPool> {
  const { serverName, url, route, network, log, zone } = options;
  const proxy = findProxy(options);
  if (proxy !== undefined)
    log.write("info", `Connections go through the proxy ${proxy.origin}, which “${proxy.place}” names`);
  const isSecure = url.protocol === "https:";
  const needsTrust = isSecure || proxy?.origin.startsWith("https:") === true;
  const authorities = needsTrust ? await loadAuthorities(network, log) : [];
  return new OriginPool({
    serverName,
    origin: new URL(url.origin),
    proxy,
    connections: options.connections,
    http2: isSecure && route.http2 === true,
    secureContext: isSecure ? secureContextFor(authorities, route.tls, serverName) : undefined,
    proxyContext: needsTrust ? secureContextFor(authorities, undefined, serverName) : undefined,
    tlsServerName: route.tls?.serverName,
    connectMs: options.connectMs,
    zone,
    admit:
      zone === undefined
        ? undefined
        : zoneCheck({ serverName, url, zone, fakeRanges: readAddressRanges(options.fakeIpRanges ?? []) }),
  });
}

function findProxy({ url, route, network, serverName }: OpenOriginOptions): ProxyServer | undefined {
  const choice = chooseProxy(url, route.proxy, network);
  if (choice.kind === "unusable") {
    const { place, reason } = choice;
    throw new NetError("proxy-unusable", { server: serverName, place, reason });
  }
  return choice.kind === "proxy" ? choice.proxy : undefined;
}
