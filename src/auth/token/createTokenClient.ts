import type { DpopProver } from "../dpop/dpopProver.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";
import type { TokenClient } from "./tokenClient.ts";

/** A client of the token endpoint that the issuer's metadata names. */
export function createTokenClient(
  _context: AuthContext,
  _issuer: IssuerFacts,
  _client: ClientFacts,
  _dpop: DpopProver | undefined,
): TokenClient {
  throw new Error("not built yet");
}
