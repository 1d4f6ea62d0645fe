import ipaddr from "ipaddr.js";

import { parseAddress } from "./hostAddress.ts";

/** Ranges of addresses in CIDR notation, as a person writes them. */
export interface AddressRanges {
  /** False for what is no address. */
  includes(address: string): boolean;
  readonly isEmpty: boolean;
  /** Texts that are no range; they hold nothing. */
  readonly unreadable: readonly string[];
}

/** Reads ranges such as `198.18.0.0/15` and `fc00::/18`. Blanks around them, and empty texts, do not matter. */
export function readAddressRanges(texts: readonly string[]): AddressRanges {
  const written = texts.map((text) => text.trim()).filter((text) => text !== "");
  const readable = written.filter((text) => ipaddr.isValidCIDR(text));
  const ranges = readable.map((text) => ipaddr.parseCIDR(text));
  return {
    includes: (address) => {
      const parsed = parseAddress(address);
      if (parsed === undefined) return false;
      return ranges.some(
        ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
      );
    },
    isEmpty: ranges.length === 0,
    unreadable: written.filter((text) => !readable.includes(text)),
  };
}
