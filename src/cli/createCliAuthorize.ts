import type { SignInPorts } from "../auth/model/signInPorts.ts";
import { systemClock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { routeOf } from "../client/createTransport.ts";
import type { PoolPorts } from "../client/serverPool.ts";
import { toAuthSettings } from "../client/toAuthSettings.ts";
import { NO_EDITOR } from "../net/networkSettings.ts";

/**
 * Makes the authorization of a server for one run: tokens that can be had without a person are fetched and kept in
 * memory. Nobody is asked to sign in.
 */
export function createCliAuthorize(
  log: Log,
  onSecret: (value: string) => void,
): NonNullable<PoolPorts["authorize"]> {
  return async (config) => {
    const settings = toAuthSettings(config, { fakeIpRanges: [] });
    if (settings === undefined || config.type !== "http") return undefined;
    const { createAuthSession } = await import("../auth/session/createAuthSession.ts");
    const { createMemoryCredentialStore } = await import("../auth/store/memoryCredentialStore.ts");
    const { createMemoryLock } = await import("../auth/store/memoryLock.ts");
    const { createPinnedNetwork } = await import("../net/createPinnedNetwork.ts");
    return createAuthSession({
      settings,
      scope: "file",
      installationId: "cli",
      network: createPinnedNetwork({
        serverName: config.id,
        endpoint: settings.endpoint,
        route: routeOf(config),
        network: () => ({ editor: NO_EDITOR, environment: process.env }),
        fakeIpRanges: settings.overrides.fakeIpRanges,
        log,
      }),
      store: createMemoryCredentialStore(),
      lock: createMemoryLock(systemClock),
      ports: NOBODY,
      clock: systemClock,
      log,
      onSecret,
    });
  };
}

/** There is nobody to ask, and no browser is opened. */
const NOBODY: SignInPorts = {
  confirm: () => Promise.resolve(false),
  chooseIssuer: () => Promise.resolve(undefined),
  askClient: () => Promise.resolve(undefined),
  open: () => Promise.reject(new Error("no browser is opened on the command line")),
  externalUri: (loopback) => Promise.resolve(loopback),
  pasteAddress: () => new Promise(() => undefined),
};
