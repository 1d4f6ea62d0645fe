import ipaddr from "ipaddr.js";

import { parseAddress } from "./hostAddress.ts";

/**
 * How far a network address reaches. `public` is the internet, `private` a network of an organization or home,
 * `loopback` this machine, `link-local` the cable.
 */
export type Zone = "public" | "private" | "loopback" | "link-local";

type Range = readonly [range: string, zone: Zone | "blocked"];

/** What is not public, in the order in which it is looked up. The names are those of the registries of IANA. */
const IPV4: readonly Range[] = [
  ["0.0.0.0/8", "blocked"], // this network
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "private"], // shared by a provider's customers, and by VPNs
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local"], // with the metadata services of clouds
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "blocked"], // protocol assignments
  ["192.0.2.0/24", "blocked"], // documentation
  ["192.31.196.0/24", "blocked"], // AS112
  ["192.52.193.0/24", "blocked"], // AMT
  ["192.88.99.0/24", "blocked"], // relays of 6to4
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "blocked"], // AS112
  ["198.18.0.0/15", "blocked"], // benchmarks, and the fake addresses of local proxies
  ["198.51.100.0/24", "blocked"], // documentation
  ["203.0.113.0/24", "blocked"], // documentation
  ["224.0.0.0/4", "blocked"], // multicast
  ["240.0.0.0/4", "blocked"], // reserved, broadcast
];

/**
 * Public addresses are all in 2000::/3; what the registries have never handed out is no server's either, and neither is
 * an address that stands for another one: of the IPv4-compatible `::/96`, of 6to4, of Teredo, of a local NAT64.
 */
const IPV6: readonly Range[] = [
  ["::1/128", "loopback"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link-local"],
  ["2001::/23", "blocked"], // protocol assignments: Teredo, benchmarks, ORCHID
  ["2001:db8::/32", "blocked"], // documentation
  ["2002::/16", "blocked"], // 6to4
  ["2620:4f:8000::/48", "blocked"], // AS112
  ["3fff::/20", "blocked"], // documentation
  ["2000::/3", "public"],
  ["::/0", "blocked"],
];

const RANGES4 = IPV4.map(([range, zone]) => ({ range: ipaddr.IPv4.parseCIDR(range), zone }));
const RANGES6 = IPV6.map(([range, zone]) => ({ range: ipaddr.IPv6.parseCIDR(range), zone }));

/** The prefix under which a translator at the edge of a network shows IPv4 addresses (RFC 6052). */
const TRANSLATED = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * The zone of an address as a resolver or a socket writes it: dotted, or in colons without brackets. `blocked` is
 * what no server has: addresses for documentation, for many receivers, for tunnels, and what is no address at all. An
 * IPv4 address in the dress of IPv6 is taken for what it is.
 */
export function zoneOfAddress(address: string): Zone | "blocked" {
  const parsed = parseAddress(address);
  if (parsed === undefined) return "blocked";
  if (parsed instanceof ipaddr.IPv4) return zoneOf4(parsed);
  if (!parsed.match(TRANSLATED)) return RANGES6.find(({ range }) => parsed.match(range))?.zone ?? "blocked";
  // No translator shows anything but public addresses under this prefix, says the standard.
  const embedded = new ipaddr.IPv4(parsed.toByteArray().slice(-4));
  return zoneOf4(embedded) === "public" ? "public" : "blocked";
}

function zoneOf4(address: ipaddr.IPv4): Zone | "blocked" {
  return RANGES4.find(({ range }) => address.match(range))?.zone ?? "public";
}

/** What each zone may lead to: never further inside than it is itself. */
const REACH: Readonly<Record<Zone, readonly Zone[]>> = {
  public: ["public"],
  private: ["public", "private"],
  loopback: ["public", "private", "loopback"],
  "link-local": ["public", "link-local"],
};

/** Whether something in one zone may have this client contact another. */
export function mayReach(from: Zone, to: Zone): boolean {
  return REACH[from].includes(to);
}
