import type { JsonObject } from "../../base/json.ts";
import type { NetError } from "../../net/netError.ts";
import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { AuthSettings } from "../model/authSettings.ts";
import type { ChallengeFacts, ResourceFacts } from "../model/facts.ts";
import { isInsecure, readAuthAddress } from "./authAddress.ts";
import { fetchMetadata, showAddress } from "./fetchMetadata.ts";
import { guessResource } from "./guessEndpoints.ts";
import { matchResource } from "./matchResource.ts";
import { readResourceMetadata } from "./readResourceMetadata.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** An address to look at. */
interface Place {
  readonly url: URL;
  readonly how: "challenge" | "path" | "root";
}

/**
 * Finds the metadata of the protected resource and holds it against the endpoint. What the challenge names is the only
 * place then. Without that it is the address that belongs to the endpoint's path, and that of the whole host, which is
 * asked only when there is no metadata at the first. The settings fill in for metadata when they name both the resource
 * and the authorization server.
 *
 * Rejects with AuthError `insecure-endpoint`, `bad-metadata`, `no-resource-metadata` or `resource-mismatch`, or NetError.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3
 */
export async function discoverResource(
  context: AuthContext,
  challenge: ChallengeFacts | undefined,
): Promise<ResourceFacts> {
  const { settings } = context;
  if (isInsecure(settings.endpoint))
    throw new AuthError("insecure-endpoint", { server: settings.serverName });
  const seen: Seen[] = [];
  for (const place of listPlaces(settings, challenge)) {
    const reply = await fetchMetadata(context, place.url);
    // A document that names a resource is an answer, right or wrong, and nothing else is looked at after it.
    const resource = reply.kind === "document" ? reply.document["resource"] : undefined;
    if (reply.kind === "document" && typeof resource === "string")
      return readFound(context, place, reply.document, resource);
    const reason = reply.kind === "document" ? "it names no resource" : reply.reason;
    seen.push({ url: place.url, reason, error: "error" in reply ? reply.error : undefined });
  }
  return goWithout(settings, challenge, seen);
}

/** A place that had nothing which could be used. */
interface Seen {
  readonly url: URL;
  readonly reason: string;
  readonly error: NetError | undefined;
}

/** What stands in for metadata that is nowhere; throws where nothing does. */
function goWithout(
  settings: AuthSettings,
  challenge: ChallengeFacts | undefined,
  seen: readonly Seen[],
): ResourceFacts {
  const { issuer, resource } = settings.overrides;
  if (issuer !== undefined && resource !== undefined)
    return { resource, authorizationServers: [issuer], dpopRequired: false, how: "settings" };
  const failure = seen.find(({ error }) => error !== undefined)?.error;
  if (failure !== undefined) throw failure;
  const [first] = seen;
  if (challenge?.resourceMetadata !== undefined && first !== undefined)
    throw badMetadata(settings, first.url.href, first.reason);
  const guess = guessResource(settings);
  if (guess !== undefined) return guess;
  const places = seen.map(({ url, reason }) => `${showAddress(url.href)} (${reason})`).join(", ");
  throw new AuthError("no-resource-metadata", { server: settings.serverName, places });
}

function listPlaces(settings: AuthSettings, challenge: ChallengeFacts | undefined): readonly Place[] {
  const named = challenge?.resourceMetadata;
  if (named !== undefined) {
    const address = readAuthAddress(named);
    if ("problem" in address) throw badMetadata(settings, named, address.problem);
    return [{ url: address.url, how: "challenge" }];
  }
  // The query of an endpoint may be a credential, and is no part of what it is.
  const { origin, pathname } = settings.endpoint;
  const root: Place = { url: new URL(WELL_KNOWN, origin), how: "root" };
  if (pathname === "/") return [root];
  // A slash at the end makes no other endpoint, and many servers lead from one form to the other.
  const paths = pathname.endsWith("/") ? [pathname, pathname.slice(0, -1)] : [pathname];
  return [
    ...paths.map((path): Place => ({ url: new URL(`${WELL_KNOWN}${path}`, origin), how: "path" })),
    root,
  ];
}

function readFound(
  { settings }: AuthContext,
  place: Place,
  document: JsonObject,
  resource: string,
): ResourceFacts {
  const { serverName, endpoint, overrides } = settings;
  const match = matchResource(endpoint, resource, overrides.resource);
  if (!match.matches && match.isUnusable === true)
    throw badMetadata(
      settings,
      place.url.href,
      `its resource is “${cleanText(resource, 300)}”: ${match.reason}`,
    );
  if (!match.matches)
    throw new AuthError(
      "resource-mismatch",
      {
        server: serverName,
        resource: cleanText(resource, 300),
        endpoint: overrides.resource ?? endpoint.origin + endpoint.pathname,
      },
      { detail: match.reason },
    );
  const read = readResourceMetadata(document, resource);
  if ("problem" in read) throw badMetadata(settings, place.url.href, read.problem);
  if (read.authorizationServers.length === 0 && overrides.issuer === undefined)
    throw badMetadata(
      settings,
      place.url.href,
      "it names no authorization server, and “oauth.issuer” is not set",
    );
  return { ...read, metadataUrl: place.url.href, how: place.how };
}

function badMetadata({ serverName }: AuthSettings, url: string, reason: string): AuthError {
  return new AuthError("bad-metadata", { server: serverName, url: showAddress(url), reason });
}
