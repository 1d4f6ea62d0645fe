import type { PinnedNetwork, PinnedNetworkOptions } from "./pinnedRequest.ts";

/** The network for authorization of one server. It keeps no connection, and needs no end. */
export function createPinnedNetwork(options: PinnedNetworkOptions): PinnedNetwork {
  throw new Error(`not built yet for ${options.serverName}`);
}
