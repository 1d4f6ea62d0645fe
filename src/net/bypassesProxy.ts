import ipaddr from "ipaddr.js";

import { readAddress } from "./hostAddress.ts";

/**
 * Whether a list in the notation of `NO_PROXY` takes an address out of what goes through a proxy.
 *
 * An entry is `*`, a host name, an address, or a range of addresses such as `10.0.0.0/8`; each may name a port. A
 * name stands for everything below it as well, `.name` means the same, `*.name` only what is below. Ranges are
 * compared with addresses as they are written: no name is looked up.
 */
export function bypassesProxy(url: URL, entries: readonly string[]): boolean {
  const target = { host: normalize(url.hostname), port: portOf(url) };
  return entries
    .flatMap((entry) => entry.split(/[\s,]+/))
    .some((entry) => entry !== "" && matches(entry.toLowerCase(), target));
}

/** The port that an address means. */
export function portOf(url: URL): string {
  if (url.port !== "") return url.port;
  return url.protocol === "https:" ? "443" : "80";
}

interface Target {
  readonly host: string;
  readonly port: string;
}

function matches(entry: string, target: Target): boolean {
  if (entry === "*") return true;
  const { host, port } = splitPort(entry.replace(/^[a-z][a-z0-9+.-]*:\/\//, ""));
  if (port !== undefined && port !== target.port) return false;
  const address = readAddress(target.host);
  if (host.includes("/")) return address !== undefined && isInRange(address, host);
  const own = readAddress(host);
  if (own !== undefined) return address?.toNormalizedString() === own.toNormalizedString();
  if (address !== undefined) return false;
  const name = normalize(host.replace(/^\*?\./, ""));
  if (name === "") return false;
  return target.host.endsWith(`.${name}`) || (target.host === name && !host.startsWith("*."));
}

/** Colons of a bare IPv6 address are no port. */
function splitPort(entry: string): { readonly host: string; readonly port: string | undefined } {
  const match = /^(\[[^\]]*\](?:\/\d+)?|[^:]*):(\d+)$/.exec(entry);
  return match === null ? { host: entry, port: undefined } : { host: match[1] ?? "", port: match[2] };
}

function isInRange(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): boolean {
  const bare = range.replaceAll(/[[\]]/g, "");
  if (!ipaddr.isValidCIDR(bare)) return false;
  const [network, bits] = ipaddr.parseCIDR(bare);
  return network.kind() === address.kind() && address.match(network, bits);
}

/** A dot at the end says that a name is complete; it names the same host. */
function normalize(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}
