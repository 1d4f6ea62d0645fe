import type { AuthSettings } from "../model/authSettings.ts";
import type { IssuerFacts, ResourceFacts } from "../model/facts.ts";

/**
 * What MCP 2025-03-26 says of a server without metadata of a protected resource: it is its own authorization server,
 * at the root of its host. Undefined where the settings do not allow a revision that old.
 *
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization
 */
export function guessResource({ guessEndpoints, endpoint }: AuthSettings): ResourceFacts | undefined {
  if (guessEndpoints !== true) return undefined;
  const { origin, pathname } = endpoint;
  return {
    resource: pathname === "/" ? origin : origin + pathname,
    authorizationServers: [origin],
    dpopRequired: false,
    how: "guessed",
  };
}

/**
 * The endpoints that the same revision names for an authorization server without metadata. Undefined where the settings
 * do not allow it, and for every issuer but the host of the server itself. PKCE with S256 is sent there like anywhere.
 *
 * @param lookedAt where its metadata would have been
 */
export function guessIssuer(
  { guessEndpoints, endpoint }: AuthSettings,
  issuer: string,
  lookedAt: string,
): IssuerFacts | undefined {
  if (guessEndpoints !== true || issuer !== endpoint.origin) return undefined;
  return {
    issuer,
    metadataUrl: lookedAt,
    authorizationEndpoint: `${issuer}/authorize`,
    tokenEndpoint: `${issuer}/token`,
    registrationEndpoint: `${issuer}/register`,
    requiresPar: false,
    issInAnswers: false,
    takesMetadataClients: false,
    pkce: "assumed",
  };
}
