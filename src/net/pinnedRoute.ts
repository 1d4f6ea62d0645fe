import { lookup } from "node:dns/promises";

import { errorText } from "../base/errors.ts";
import type { AddressRanges } from "./addressRanges.ts";
import { chooseProxy, type ProxyServer } from "./chooseProxy.ts";
import { isLoopbackHost } from "./hostAddress.ts";
import { addressesByName, type HostAddresses, type HostVerdict, judgeAddresses } from "./hostZone.ts";
import { NetError, type NetErrorCode } from "./netError.ts";
import type { NetworkSettings, RouteOptions } from "./networkSettings.ts";
import type { ResolveHost } from "./pinnedRequest.ts";
import { toConnectError } from "./toNetError.ts";
import { mayReach, type Zone } from "./zones.ts";

/** How one request gets to its host. */
export interface PinnedRoute {
  readonly zone: Zone;
  /** The proxy in between; it decides what the name stands for, so that there are no addresses then. */
  readonly proxy: ProxyServer | undefined;
  /** All addresses of the host; a connection goes to one of these. */
  readonly addresses: readonly string[];
}

/** What routes are found with. */
export interface PinnedRouteOptions {
  readonly serverName: string;
  readonly route: RouteOptions;
  readonly network: NetworkSettings;
  readonly fakeRanges: AddressRanges;
  readonly resolve: ResolveHost;
}

/** All addresses that the system knows for a host, in its order. */
export const resolveWithSystem: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Finds the way to a host, and where it is. A host is looked up at most once, and not at all when a proxy was set by
 * hand: the proxy does that, and names count as public.
 * @throws NetError `dns`, `zone-mixed`, `zone-blocked`, `fake-address`, `proxy-unusable`
 */
export async function findPinnedRoute(url: URL, options: PinnedRouteOptions): Promise<PinnedRoute> {
  const proxy = findProxy(url, options);
  const own = addressesByName(url.hostname);
  if (proxy !== undefined && own === undefined) return { zone: "public", proxy, addresses: [] };
  const found = own ?? { addresses: await lookUp(url, options), isAnswer: true };
  const zone = zoneOrThrow(judgeAddresses(found, options.fakeRanges), url, found, options.serverName);
  return { zone, proxy, addresses: found.addresses };
}

/**
 * Checks whether a request may be sent on a route that was found for it.
 * @throws NetError `zone-escalation`, `insecure`
 */
export function checkPinnedRoute(url: URL, from: Zone, { zone, proxy }: PinnedRoute, server: string): void {
  if (!mayReach(from, zone)) {
    throw new NetError("zone-escalation", { server, host: url.host, from, to: zone });
  }
  if (url.protocol === "https:") return;
  const leavesMachine = proxy !== undefined && !isLoopbackHost(new URL(proxy.origin).hostname);
  if (zone !== "loopback" || leavesMachine) throw new NetError("insecure", { server, host: url.host });
}

/** Failures that a proxy may be the cure for. */
const NOT_DIRECT: ReadonlySet<NetErrorCode> = new Set([
  "dns",
  "refused",
  "unreachable",
  "connect-timeout",
  "connect-closed",
]);

/**
 * Names a proxy of the environment that was left aside, where a host could not be reached without it. Any other error
 * stays as it is.
 */
export function blameEnvironment(error: unknown, url: URL, options: PinnedRouteOptions): unknown {
  if (!(error instanceof NetError) || !NOT_DIRECT.has(error.code)) return error;
  const { route, network, serverName } = options;
  const usual = chooseProxy(url, route.proxy, network);
  const used = chooseProxy(url, route.proxy, withoutProxies(network));
  if (usual.kind === "direct" || used.kind !== "direct") return error;
  const place = usual.kind === "proxy" ? usual.proxy.place : usual.place;
  const reason = String(error.args["reason"] ?? error.code);
  return new NetError(
    "environment-proxy",
    { server: serverName, host: url.host, place, reason },
    { cause: error },
  );
}

function findProxy(url: URL, { route, network, serverName }: PinnedRouteOptions): ProxyServer | undefined {
  const choice = chooseProxy(url, route.proxy, withoutProxies(network));
  if (choice.kind === "unusable") {
    const { place, reason } = choice;
    throw new NetError("proxy-unusable", { server: serverName, place, reason });
  }
  return choice.kind === "proxy" ? choice.proxy : undefined;
}

/** The environment's exceptions hold for the editor's proxy too; its proxies are nobody's decision here. */
function withoutProxies({ editor, environment }: NetworkSettings): NetworkSettings {
  const { no_proxy, NO_PROXY } = environment;
  return { editor, environment: { no_proxy, NO_PROXY } };
}

async function lookUp(url: URL, { resolve, serverName }: PinnedRouteOptions): Promise<readonly string[]> {
  try {
    return await resolve(url.hostname);
  } catch (error) {
    const problem = toConnectError(error, { server: serverName, host: url.host });
    if (problem.code === "dns") throw problem;
    const args = { server: serverName, host: url.host, reason: errorText(error) };
    throw new NetError("dns", args, { cause: error });
  }
}

function zoneOrThrow(verdict: HostVerdict, url: URL, { addresses }: HostAddresses, server: string): Zone {
  const args = { server, host: url.host };
  switch (verdict.kind) {
    case "zone":
      return verdict.zone;
    case "nowhere":
      throw new NetError("dns", { ...args, reason: "no address" });
    case "blocked":
      throw new NetError(verdict.isFake ? "fake-address" : "zone-blocked", {
        ...args,
        address: verdict.address,
      });
    case "mixed":
      throw new NetError("zone-mixed", { ...args, addresses: addresses.slice(0, 8).join(", ") });
  }
}
