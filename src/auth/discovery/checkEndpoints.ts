import type { JsonObject } from "../../base/json.ts";
import { readAuthAddress } from "./authAddress.ts";

/** The endpoints of an authorization server that may be used. */
export interface Endpoints {
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint?: string;
  readonly revocationEndpoint?: string;
  readonly parEndpoint?: string;
}

/** The endpoint that keeps a document from being used, by the name of its field, and why. */
export interface EndpointProblem {
  readonly endpoint: string;
  readonly problem: string;
}

/**
 * Reads the endpoints of an authorization server and decides which may be used. Each is taken from the document as it
 * stands there; none is ever guessed. Those that are needed have to be right. The others count as absent when they are
 * not: nothing is sent there then.
 *
 * The page where the person signs in may be on another origin than the issuer only if the token endpoint is there as
 * well, or if the answer names its issuer, so that an answer of somebody else is noticed.
 */
export function checkEndpoints(
  document: JsonObject,
  issuer: URL,
  needs: { readonly authorizationEndpoint: boolean; readonly parEndpoint: boolean },
): Endpoints | EndpointProblem {
  const token = readAuthAddress(document["token_endpoint"]);
  if ("problem" in token) return { endpoint: "token_endpoint", problem: token.problem };
  const authorization = readAuthAddress(document["authorization_endpoint"]);
  const problem =
    "problem" in authorization
      ? authorization.problem
      : checkOrigin(authorization.url, [issuer, token.url], document);
  if (needs.authorizationEndpoint && problem !== undefined)
    return { endpoint: "authorization_endpoint", problem };
  const par = readAuthAddress(document["pushed_authorization_request_endpoint"]);
  if (needs.parEndpoint && "problem" in par)
    return { endpoint: "pushed_authorization_request_endpoint", problem: par.problem };
  const take = (key: keyof Endpoints, field: string): Partial<Endpoints> =>
    "url" in readAuthAddress(document[field]) ? { [key]: document[field] as string } : {};
  return {
    ...(problem === undefined && take("authorizationEndpoint", "authorization_endpoint")),
    tokenEndpoint: document["token_endpoint"] as string,
    ...take("registrationEndpoint", "registration_endpoint"),
    ...take("revocationEndpoint", "revocation_endpoint"),
    ...take("parEndpoint", "pushed_authorization_request_endpoint"),
  };
}

function checkOrigin(url: URL, allowed: readonly URL[], document: JsonObject): string | undefined {
  if (allowed.some(({ origin }) => origin === url.origin)) return undefined;
  if (document["authorization_response_iss_parameter_supported"] === true) return undefined;
  return "it is on another origin than the issuer and the token endpoint, and answers do not name their issuer";
}
