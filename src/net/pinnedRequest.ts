import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { NetworkSettings, RouteOptions } from "./networkSettings.ts";
import type { ResponseHeaders } from "./originPool.ts";
import type { Zone } from "./zones.ts";

/** Finds the addresses of a host: all of them, in the order of the system. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** One request for metadata, or to an authorization server. */
export interface PinnedRequest {
  readonly method: "GET" | "POST";
  /** Absolute; https, or http to an address of this machine. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From which zone the request is led: it may not reach further inside than that. */
  readonly from: Zone;
  /** Gives the request up; it rejects with the signal's reason then. */
  readonly signal: AbortSignal;
}

/** A whole answer. Redirects are answers too: nobody follows them. */
export interface PinnedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ResponseHeaders;
  readonly body: string;
}

/** Requests to authorization servers and for metadata: each resolves its host once and connects to that address only. */
export interface PinnedNetwork {
  /**
   * Sends one request over a connection of its own. Everything together has ten seconds; headers are at most 16 KiB and
   * the body 256 KiB. Rejects with a NetError, whose `mayHaveRun` says whether the request may have arrived.
   */
  send(request: PinnedRequest): Promise<PinnedResponse>;
  /**
   * The zone of a host, and whether a proxy that was configured by hand stands in between, so that it is the proxy
   * which decides where a name leads. Rejects with a NetError when its addresses are in several zones, or in none.
   *
   * With `isBoundary`, the zone is going to be one: a name may claim to be further inside than it is, to lead requests
   * there. So a secure host that is found anywhere but in public is connected to, and has to have a certificate for its
   * name; nothing is sent.
   */
  zoneOf(
    url: URL,
    signal: AbortSignal,
    how?: { readonly isBoundary: boolean },
  ): Promise<{ readonly zone: Zone; readonly proxy: string | undefined }>;
}

export interface PinnedNetworkOptions {
  /** The server's configured name, for errors. */
  readonly serverName: string;
  /** The server's own proxy and certificates. Its authorities are trusted for every address. */
  readonly route: RouteOptions;
  /**
   * The MCP endpoint. Only its origin is shown the server's client certificate, and may have a certificate that is made
   * out to another name; left out, none is.
   */
  readonly endpoint?: URL;
  /** Read for each request. Proxies of the environment are not used, the editor's own is. */
  readonly network: () => NetworkSettings;
  /** Ranges in CIDR notation that a local proxy answers every name with: such answers of DNS count as public. */
  readonly fakeIpRanges: readonly string[];
  readonly log: Log;
  /** The system's resolver when left out. Is not asked about addresses and `localhost`. */
  readonly resolve?: ResolveHost;
  readonly clock?: Clock;
}
