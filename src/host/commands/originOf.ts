import { ClientError } from "../../client/clientError.ts";
import type { ConfigLayer } from "../config/mergeLayers.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";

/** Where the definition of a server stands; it may have gone since the server was chosen. */
export function originOf(config: ConfigWatcher, serverId: string): ConfigLayer {
  const origin = config.current.origins.get(serverId);
  if (origin === undefined) throw new ClientError("no-such-server", { server: serverId });
  return origin;
}
