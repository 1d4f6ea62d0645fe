import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import type { AuthSettings } from "../model/authSettings.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";

/**
 * Throws `secret-cross-origin` when what proves the client must not go to an endpoint: the token endpoint, or that of
 * pushed requests or revocation.
 *
 * A secret or key of a person goes to the issuer's own origin alone, unless the settings name another token endpoint. A
 * secret that this server itself gave out may also go to the token endpoint that its metadata names.
 */
export function checkSecretTarget(
  settings: AuthSettings,
  issuer: IssuerFacts,
  client: ClientFacts,
  endpoint: string = issuer.tokenEndpoint,
): void {
  if (client.authMethod === "none" || mayGoTo(settings, issuer, client, endpoint)) return;
  throw new AuthError("secret-cross-origin", {
    server: settings.serverName,
    issuer: cleanText(issuer.issuer, 300),
    tokenEndpoint: cleanText(endpoint, 300),
  });
}

function mayGoTo(
  { overrides }: AuthSettings,
  issuer: IssuerFacts,
  client: ClientFacts,
  endpoint: string,
): boolean {
  if (originOf(endpoint) === originOf(issuer.issuer)) return true;
  const token = client.kind === "dcr" ? issuer.tokenEndpoint : overrides.tokenEndpoint;
  // Only the very token endpoint that the metadata names now, and what is beside it.
  return token === issuer.tokenEndpoint && originOf(endpoint) === originOf(token);
}

function originOf(address: string): string {
  return new URL(address).origin;
}
