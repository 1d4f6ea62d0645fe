import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { PinnedNetwork } from "../../net/pinnedRequest.ts";
import type { AuthSettings } from "../model/authSettings.ts";
import type { CredentialLock, CredentialStore } from "../model/credentialStore.ts";
import type { SignInPorts } from "../model/signInPorts.ts";
import type { AuthSteps } from "./authSteps.ts";

/** What an authorization needs of the world. */
export interface AuthSessionOptions {
  readonly settings: AuthSettings;
  /**
   * Where the server's definition comes from, as one text: user settings, or one certain workspace or folder. Servers of
   * the same name from different places share nothing.
   */
  readonly scope: string;
  /** Random, made once for each place where this extension runs, so that no two machines renew the same token. */
  readonly installationId: string;
  readonly network: PinnedNetwork;
  readonly store: CredentialStore;
  readonly lock: CredentialLock;
  readonly ports: SignInPorts;
  readonly clock: Clock;
  readonly log: Log;
  /** Told every secret that comes into being or is read, so that no log shows it. */
  onSecret(value: string): void;
  /** The real ones when left out. */
  readonly steps?: Partial<AuthSteps>;
}
