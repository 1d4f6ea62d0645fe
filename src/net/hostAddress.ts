import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

/**
 * An address as a resolver or a socket writes it: dotted, or in colons without brackets, perhaps with the name of an
 * interface. Undefined for everything that the system would look up as a name, or read in a way of its own, as
 * `010.0.0.1`. An IPv4 address that is dressed as IPv6 is taken for what it is.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const kind = isIP(text);
  if (kind === 0) return undefined;
  // The library takes `::8.8.8.8` for `::ffff:8.8.8.8`, which is another address; in URLs all is hexadecimal.
  const plain = kind === 4 ? text : new URL(`http://[${text.replace(/%.*$/, "")}]/`).hostname.slice(1, -1);
  return ipaddr.process(plain);
}

/** A host name of a URL as an address, or undefined when it is a name. Brackets of IPv6 are taken off. */
export function readAddress(hostname: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  // `process` takes an IPv4 address that is dressed as IPv6 for what it is.
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** True when the host name of a URL is a number rather than a name. */
export function isAddress(hostname: string): boolean {
  return readAddress(hostname) !== undefined;
}

/**
 * True for hosts that stay on this machine: `localhost` and what is below it, with or without a dot at the end, and
 * loopback addresses in every notation. The host name is that of a parsed `URL`, so that `127.1` and `0x7f000001` have
 * become `127.0.0.1`.
 */
export function isLoopbackHost(hostname: string): boolean {
  if (/^(?:.+\.)?localhost\.?$/.test(hostname)) return true;
  return readAddress(hostname)?.range() === "loopback";
}
