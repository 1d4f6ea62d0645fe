import type { JsonObject } from "../../base/json.ts";
import type { ClientAuthMethod } from "../model/authSettings.ts";
import type { IssuerFacts } from "../model/facts.ts";
import { readScopeList } from "../scopes/scopeTokens.ts";
import { checkEndpoints, type EndpointProblem } from "./checkEndpoints.ts";

/** Entries of one list of names, and characters of one name. */
const MAX_NAMES = 64;
const MAX_NAME = 200;

const AUTH_METHODS: ReadonlySet<string> = new Set<ClientAuthMethod>([
  "none",
  "client_secret_basic",
  "client_secret_post",
  "private_key_jwt",
]);

/** Where a document is from, and what it is read for. */
export interface IssuerDocument {
  readonly document: JsonObject;
  readonly issuer: string;
  readonly metadataUrl: string;
  readonly needsAuthorizationEndpoint: boolean;
}

/**
 * Reads what metadata of an authorization server says. Fields that are unknown or of another type count as absent.
 * `pkce` is `assumed` where S256 is not announced: whether that will do is for the caller to say.
 */
export function readIssuerMetadata(from: IssuerDocument): IssuerFacts | EndpointProblem {
  const { document, issuer, metadataUrl, needsAuthorizationEndpoint } = from;
  const requiresPar = document["require_pushed_authorization_requests"] === true;
  const endpoints = checkEndpoints(document, new URL(issuer), {
    authorizationEndpoint: needsAuthorizationEndpoint,
    parEndpoint: needsAuthorizationEndpoint && requiresPar,
  });
  if ("problem" in endpoints) return endpoints;
  const authMethods = readNames(document["token_endpoint_auth_methods_supported"]);
  const authAlgorithms = readNames(document["token_endpoint_auth_signing_alg_values_supported"]);
  const scopes = readScopeList(document["scopes_supported"], "offline_access");
  const dpopAlgorithms = readNames(document["dpop_signing_alg_values_supported"]);
  return {
    issuer,
    metadataUrl,
    ...endpoints,
    requiresPar,
    issInAnswers: document["authorization_response_iss_parameter_supported"] === true,
    takesMetadataClients: document["client_id_metadata_document_supported"] === true,
    ...(authMethods !== undefined && { tokenAuthMethods: authMethods.filter(isAuthMethod) }),
    ...(authAlgorithms !== undefined && { tokenAuthAlgorithms: authAlgorithms }),
    ...(scopes !== undefined && { scopes }),
    ...(dpopAlgorithms !== undefined && { dpopAlgorithms }),
    pkce:
      readNames(document["code_challenge_methods_supported"])?.includes("S256") === true
        ? "announced"
        : "assumed",
  };
}

/** True for a way of proving a client that is spoken here. */
export function isAuthMethod(text: string): text is ClientAuthMethod {
  return AUTH_METHODS.has(text);
}

function readNames(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .slice(0, MAX_NAMES)
    .filter((item): item is string => typeof item === "string" && item.length <= MAX_NAME);
}
