import type { JsonObject } from "../../base/json.ts";
import type { ResourceFacts } from "../model/facts.ts";
import { readScopeList } from "../scopes/scopeTokens.ts";
import { readIssuerAddress } from "./authAddress.ts";

/** Authorization servers of one resource that are looked at. */
export const MAX_ISSUERS = 16;

/** The part of the facts that the document itself holds. */
export type ResourceDocument = Omit<ResourceFacts, "metadataUrl" | "how">;

/**
 * Reads what metadata of a protected resource says. Fields that are unknown or of another type count as absent.
 * Authorization servers whose address cannot be used are passed over; there is a problem when none is left of some.
 */
export function readResourceMetadata(
  document: JsonObject,
  resource: string,
): ResourceDocument | { readonly problem: string } {
  const listed = document["authorization_servers"] ?? [];
  if (!Array.isArray(listed)) return { problem: "its “authorization_servers” are not a list" };
  const usable = listed
    .slice(0, MAX_ISSUERS)
    .filter((issuer): issuer is string => "url" in readIssuerAddress(issuer));
  if (usable.length === 0 && listed.length > 0)
    return { problem: "none of its “authorization_servers” can be used" };
  const scopes = readScopeList(document["scopes_supported"]) ?? [];
  return {
    resource,
    authorizationServers: [...new Set(usable)],
    ...(scopes.length > 0 && { scopes }),
    dpopRequired: document["dpop_bound_access_tokens_required"] === true,
  };
}
