import type { AuthSettings } from "../model/authSettings.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";

/**
 * Throws `secret-cross-origin` when what proves the client must not go to an endpoint: by default the token endpoint,
 * else that of pushed requests or revocation.
 */
export function checkSecretTarget(
  _settings: AuthSettings,
  _issuer: IssuerFacts,
  _client: ClientFacts,
  _endpoint: string = _issuer.tokenEndpoint,
): void {
  throw new Error("not built yet");
}
