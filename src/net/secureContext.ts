import { createSecureContext, type SecureContext } from "node:tls";

import { errorText } from "../base/errors.ts";
import { NetError } from "./netError.ts";
import type { TlsOptions } from "./networkSettings.ts";

const shared = new WeakMap<readonly string[], SecureContext>();

/**
 * What a secure connection trusts, and what it shows of itself. Servers without settings of their own share one,
 * because reading some hundred certificates takes a while.
 * @param authorities as `loadAuthorities` gave them
 * @throws NetError `tls-settings`
 */
export function secureContextFor(
  authorities: readonly string[],
  tls: TlsOptions | undefined,
  server: string,
): SecureContext {
  const { ca, cert, key, passphrase } = tls ?? {};
  if (ca === undefined && cert === undefined) {
    let context = shared.get(authorities);
    if (context === undefined) {
      context = createSecureContext({ ca: [...authorities] });
      shared.set(authorities, context);
    }
    return context;
  }
  try {
    return createSecureContext({
      ca: ca === undefined ? [...authorities] : [...authorities, ca],
      cert,
      key,
      passphrase,
    });
  } catch (error) {
    throw new NetError("tls-settings", { server, reason: errorText(error) }, { cause: error });
  }
}
