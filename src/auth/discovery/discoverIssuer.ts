import type { AuthContext } from "../model/authContext.ts";
import type { IssuerFacts } from "../model/facts.ts";

/** Finds the metadata of an authorization server and checks it (RFC 8414, OpenID Connect Discovery). */
export function discoverIssuer(
  _context: AuthContext,
  _issuer: string,
  _how: { readonly needsAuthorizationEndpoint: boolean },
): Promise<IssuerFacts> {
  throw new Error("not built yet");
}
