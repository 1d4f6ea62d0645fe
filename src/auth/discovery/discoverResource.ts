import type { AuthContext } from "../model/authContext.ts";
import type { ChallengeFacts, ResourceFacts } from "../model/facts.ts";

/** Finds the metadata of the protected resource and holds it against the endpoint (RFC 9728). */
export function discoverResource(
  _context: AuthContext,
  _challenge: ChallengeFacts | undefined,
): Promise<ResourceFacts> {
  throw new Error("not built yet");
}
