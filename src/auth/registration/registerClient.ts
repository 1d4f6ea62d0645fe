import type { AuthContext } from "../model/authContext.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";

/** Registers this client dynamically (RFC 7591). Rejects with AuthError or NetError. */
export function registerClient(
  _context: AuthContext,
  _issuer: IssuerFacts,
  _redirectUri: string,
): Promise<ClientFacts> {
  throw new Error("not built yet");
}
