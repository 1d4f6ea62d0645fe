import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { ResourceFacts } from "../model/facts.ts";
import { isMetadataUrl } from "../registration/metadataUrl.ts";

/** Which authorization server to use; `choose` leaves it to the person. */
export type IssuerPick =
  | { readonly kind: "issuer"; readonly issuer: string }
  | { readonly kind: "choose"; readonly issuers: readonly string[] };

/**
 * Picks among the authorization servers of a resource: the one of the settings, which has to be among them; that of an
 * earlier sign-in while it is still named; the only one; else the person chooses. Issuers are compared as they are
 * written. `before` is the issuer of an earlier sign-in, whose registration and tokens are never used elsewhere.
 *
 * Throws AuthError `issuer-not-listed`, or `issuer-changed` when the settings name a client that is registered with the
 * earlier one.
 */
export function pickIssuer(
  { settings }: Pick<AuthContext, "settings">,
  resource: ResourceFacts,
  before: string | undefined,
): IssuerPick {
  const listed = resource.authorizationServers;
  const pinned = settings.overrides.issuer;
  if (pinned !== undefined) {
    if (listed.length === 0 || listed.some((issuer) => isSameBySettings(issuer, pinned)))
      return { kind: "issuer", issuer: pinned };
    const names = { issuer: cleanText(pinned, 300), listed: showIssuers(listed) };
    throw new AuthError("issuer-not-listed", { server: settings.serverName, ...names });
  }
  if (before !== undefined && listed.includes(before)) return { kind: "issuer", issuer: before };
  const { clientId } = settings;
  if (before !== undefined && clientId !== undefined && !isMetadataUrl(clientId))
    throw new AuthError("issuer-changed", {
      server: settings.serverName,
      expected: cleanText(before, 300),
      actual: showIssuers(listed),
    });
  const [only] = listed;
  return only !== undefined && listed.length === 1
    ? { kind: "issuer", issuer: only }
    : { kind: "choose", issuers: listed };
}

/**
 * The one tolerance, and only for an issuer that the person has written down. Many frameworks add that slash in one of
 * the two documents. The text of the settings is what everything is compared with after.
 */
function isSameBySettings(listed: string, pinned: string): boolean {
  return listed === pinned || differBySlash(listed, pinned);
}

/** True for two issuers that differ by a slash behind the host alone. */
export function differBySlash(one: string, other: string): boolean {
  return (one === `${other}/` && isHostAlone(other)) || (`${one}/` === other && isHostAlone(one));
}

function isHostAlone(issuer: string): boolean {
  return /^https?:\/\/[^/?#]+$/i.test(issuer);
}

function showIssuers(issuers: readonly string[]): string {
  return cleanText(issuers.join(", "), 600);
}
