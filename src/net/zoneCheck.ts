import type { AddressRanges } from "./addressRanges.ts";
import { addressesByName, zoneOfHostAddress } from "./hostZone.ts";
import { NetError } from "./netError.ts";
import type { Zone } from "./zones.ts";

/** What a connection has to be checked for. */
export interface ZoneCheckOptions {
  /** The server's configured name, for errors. */
  readonly serverName: string;
  readonly url: URL;
  /** Read for each connection; undefined admits any. */
  readonly zone: () => Zone | undefined;
  readonly fakeRanges: AddressRanges;
}

/**
 * Checks that an origin is still where it was when somebody signed in: a name may come to stand for something else.
 * @returns a function that throws NetError `zone-changed` for an address in another zone
 */
export function zoneCheck({
  serverName,
  url,
  zone,
  fakeRanges,
}: ZoneCheckOptions): (address: string) => void {
  const isAnswer = addressesByName(url.hostname) === undefined;
  return (address) => {
    const expected = zone();
    if (expected === undefined) return;
    const actual = zoneOfHostAddress(address, isAnswer, fakeRanges);
    if (actual === expected) return;
    throw new NetError("zone-changed", { server: serverName, host: url.host, expected, actual });
  };
}
