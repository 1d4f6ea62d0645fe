import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import { readJwtClaims } from "../readJwtClaims.ts";
import type { AuthSettings } from "../model/authSettings.ts";
import type { IssuerFacts } from "../model/facts.ts";

/**
 * Checks that a workload's assertion is made out to the authorization server that it is about to be sent to: the
 * resource names that server, and one that is up to no good could name its own, to collect assertions and use them
 * elsewhere. An issuer that the settings name is taken at their word; some platforms write audiences of their own.
 *
 * Throws AuthError `bad-settings`.
 */
export function checkWorkloadAudience(
  settings: AuthSettings,
  assertion: string,
  issuer: Pick<IssuerFacts, "issuer" | "tokenEndpoint">,
): void {
  if (settings.overrides.issuer !== undefined) return;
  const meant = new Set([issuer.issuer, issuer.tokenEndpoint].map(withoutSlash));
  if (audiencesOf(assertion).some((audience) => meant.has(withoutSlash(audience)))) return;
  throw new AuthError("bad-settings", {
    server: settings.serverName,
    problem: `the assertion of the workload is not made out to ${cleanText(issuer.issuer, 300)}, so it was not sent there. If it is meant for that authorization server all the same, set “oauth.issuer” to it.`,
  });
}

/** The audiences of a JWT; none when it is no JWT or has none. Its signature is the server's business. */
function audiencesOf(assertion: string): readonly string[] {
  return [readJwtClaims(assertion)?.["aud"] ?? []].flat().filter((audience) => typeof audience === "string");
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, "");
}
