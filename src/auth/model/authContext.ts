import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { PinnedNetwork } from "../../net/pinnedRequest.ts";
import type { Zone } from "../../net/zones.ts";
import type { AuthSettings } from "./authSettings.ts";

/** What every step of one authorization shares. */
export interface AuthContext {
  readonly settings: AuthSettings;
  readonly network: PinnedNetwork;
  /** The zone of the MCP endpoint: nothing that is found may lead further inside. */
  readonly zone: Zone;
  /** The proxy, configured by hand, that decides where the name of the MCP endpoint leads. */
  readonly proxy?: string;
  readonly clock: Clock;
  /** Never told a secret, not even a part of one. */
  readonly log: Log;
  readonly signal: AbortSignal;
}
