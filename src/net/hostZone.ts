import type { AddressRanges } from "./addressRanges.ts";
import { isLoopbackHost, readAddress } from "./hostAddress.ts";
import { type Zone, zoneOfAddress } from "./zones.ts";

/** What a host stands for. */
export interface HostAddresses {
  readonly addresses: readonly string[];
  /** Whether DNS, or whatever the system asks, said so. Otherwise the address of a URL itself says it. */
  readonly isAnswer: boolean;
}

/** Where the addresses of a host are. */
export type HostVerdict =
  | { readonly kind: "zone"; readonly zone: Zone }
  /** It has none. */
  | { readonly kind: "nowhere" }
  /** One that no server has. `isFake` when it looks like the answer of a local proxy that nobody told us about. */
  | { readonly kind: "blocked"; readonly address: string; readonly isFake: boolean }
  | { readonly kind: "mixed" };

/** The range that local proxies use most for the addresses that they make up. */
const USUAL_FAKES = /^198\.1[89]\./;

/** What a host name of a parsed URL says by itself; undefined when it has to be looked up. Nobody is asked. */
export function addressesByName(hostname: string): HostAddresses | undefined {
  if (readAddress(hostname) !== undefined) {
    return { addresses: [hostname.replace(/^\[|\]$/g, "")], isAnswer: false };
  }
  // These names mean this machine whatever a resolver says (RFC 6761).
  if (isLoopbackHost(hostname)) return { addresses: ["127.0.0.1", "::1"], isAnswer: false };
  return undefined;
}

/**
 * The zone of an address. In an answer of DNS, what is in the fake ranges is public: a local proxy stands for the
 * internet there. This machine and the cable stay what they are, whatever the ranges say.
 */
export function zoneOfHostAddress(
  address: string,
  isAnswer: boolean,
  fakeRanges: AddressRanges,
): Zone | "blocked" {
  const zone = zoneOfAddress(address);
  const mayBeFake = isAnswer && zone !== "loopback" && zone !== "link-local";
  return mayBeFake && fakeRanges.includes(address) ? "public" : zone;
}

/** Judges all addresses of a host together: they have to be in one zone. */
export function judgeAddresses(
  { addresses, isAnswer }: HostAddresses,
  fakeRanges: AddressRanges,
): HostVerdict {
  const zones = new Set<Zone>();
  for (const address of addresses) {
    const zone = zoneOfHostAddress(address, isAnswer, fakeRanges);
    if (zone === "blocked") {
      return {
        kind: "blocked",
        address,
        isFake: isAnswer && fakeRanges.isEmpty && USUAL_FAKES.test(address),
      };
    }
    zones.add(zone);
  }
  const [zone, ...others] = zones;
  if (zone === undefined) return { kind: "nowhere" };
  return others.length === 0 ? { kind: "zone", zone } : { kind: "mixed" };
}
