import type { NetError } from "../../net/netError.ts";
import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { IssuerFacts } from "../model/facts.ts";
import { readIssuerAddress } from "./authAddress.ts";
import { fetchMetadata, type MetadataReply, showAddress } from "./fetchMetadata.ts";
import { guessIssuer } from "./guessEndpoints.ts";
import { issuerOutage } from "./issuerOutage.ts";
import { listIssuerPlaces } from "./issuerPlaces.ts";
import { differBySlash } from "./pickIssuer.ts";
import { readIssuerMetadata } from "./readIssuerMetadata.ts";

/** What metadata is looked for. */
export interface IssuerNeeds {
  /** A browser is to be sent there: an authorization endpoint and PKCE with S256 are needed. */
  readonly needsAuthorizationEndpoint: boolean;
}

/**
 * Finds the metadata of an authorization server and checks it. The first document that can be used counts. One that
 * names another issuer ends the search, because whoever wrote it is not who was asked for. So does a redirect. A
 * document without PKCE is passed over for one of the same issuer that has it.
 *
 * Rejects with AuthError `bad-endpoint`, `bad-metadata`, `issuer-unavailable`, `no-issuer-metadata`, `issuer-mismatch`,
 * `issuer-slash` or `pkce-unsupported`, or NetError.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3
 */
export async function discoverIssuer(
  context: AuthContext,
  issuer: string,
  how: IssuerNeeds,
): Promise<IssuerFacts> {
  const address = readIssuerAddress(issuer);
  if ("problem" in address) throw badEndpoint(context, issuer, "issuer", address.problem);
  const seen: Seen[] = [];
  /** A document of this issuer that lacks PKCE. */
  let isWithoutPkce = false;
  for (const url of listIssuerPlaces(address.url)) {
    const reply = await fetchMetadata(context, url);
    if (reply.kind === "redirect") throw badMetadata(context, url, reply.reason);
    const named = reply.kind === "document" ? reply.document["issuer"] : undefined;
    if (reply.kind !== "document" || typeof named !== "string") {
      seen.push(toSeen(url, reply));
      continue;
    }
    if (named !== issuer) throw mismatch(context, url, named, issuer);
    const facts = readIssuerMetadata({ document: reply.document, issuer, metadataUrl: url.href, ...how });
    if ("problem" in facts) throw badEndpoint(context, issuer, facts.endpoint, facts.problem);
    if (hasPkce(context, facts, how)) return facts;
    isWithoutPkce = true;
  }
  const [first] = seen;
  if (first !== undefined && !isWithoutPkce && seen.every(({ isMissing }) => isMissing)) {
    const guess = guessIssuer(context.settings, issuer, first.url.href);
    if (guess !== undefined) return guess;
  }
  throw isWithoutPkce
    ? new AuthError("pkce-unsupported", names(context, issuer))
    : nothingFound(context, issuer, seen);
}

function hasPkce({ settings }: AuthContext, facts: IssuerFacts, how: IssuerNeeds): boolean {
  return facts.pkce === "announced" || settings.overrides.assumePkceS256 || !how.needsAuthorizationEndpoint;
}

/** An address that had nothing which could be used. */
interface Seen {
  readonly url: URL;
  readonly reason: string;
  readonly isMissing: boolean;
  readonly error?: NetError;
  readonly isOutage?: boolean;
}

function toSeen(url: URL, reply: MetadataReply): Seen {
  if (reply.kind === "document") return { url, reason: "it names no issuer", isMissing: false };
  const isMissing = reply.kind === "missing";
  const { error, isOutage } = reply.kind === "unusable" ? reply : {};
  return {
    url,
    reason: reply.reason,
    isMissing,
    ...(error !== undefined && { error }),
    ...(isOutage !== undefined && { isOutage }),
  };
}

/** What is told of several failures: one of the network first, then an answer that was no metadata. */
function nothingFound(context: AuthContext, issuer: string, seen: readonly Seen[]): Error {
  const failed = seen.find(({ error }) => error !== undefined);
  if (failed?.error !== undefined) return failed.error;
  const out = seen.find(({ isOutage }) => isOutage);
  if (out !== undefined) return issuerOutage(context.settings, issuer, out.reason);
  const odd = seen.find(({ isMissing }) => !isMissing);
  if (odd !== undefined) return badMetadata(context, odd.url, odd.reason);
  const places = seen.map(({ url, reason }) => `${showAddress(url.href)} (${reason})`).join(", ");
  return new AuthError("no-issuer-metadata", { ...names(context, issuer), places });
}

function mismatch({ settings }: AuthContext, url: URL, actual: string, expected: string): AuthError {
  // The settings can mend that alone.
  return new AuthError(differBySlash(expected, actual) ? "issuer-slash" : "issuer-mismatch", {
    server: settings.serverName,
    url: showAddress(url.href),
    actual: cleanText(actual, 300),
    expected: cleanText(expected, 300),
  });
}

function badMetadata({ settings }: AuthContext, url: URL, reason: string): AuthError {
  return new AuthError("bad-metadata", { server: settings.serverName, url: showAddress(url.href), reason });
}

function badEndpoint(context: AuthContext, issuer: string, endpoint: string, reason: string): AuthError {
  return new AuthError("bad-endpoint", { ...names(context, issuer), endpoint, reason });
}

function names(
  { settings }: AuthContext,
  issuer: string,
): { readonly server: string; readonly issuer: string } {
  return { server: settings.serverName, issuer: cleanText(issuer, 300) };
}
