import type { JsonObject } from "../../base/json.ts";
import { isLoopbackHost } from "../../net/hostAddress.ts";
import type { AuthSettings, ClientAuthMethod } from "../model/authSettings.ts";
import type { IssuerFacts } from "../model/facts.ts";

/**
 * What a registration asks for. It never names a scope: servers hold a client to the scopes of its registration, so that
 * it could not be given more later.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7591#section-2
 */
export function createRegistrationRequest(authMethod: ClientAuthMethod, redirectUri: string): JsonObject {
  return {
    client_name: "Signalbox",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: authMethod,
    application_type: isLoopbackRedirect(redirectUri) ? "native" : "web",
  };
}

/**
 * How a new client asks to prove itself: as the settings say; without a secret where that is allowed or nothing is said,
 * since none can be kept on a person's machine; else with one.
 */
export function wishAuthMethod(settings: AuthSettings, issuer: IssuerFacts): ClientAuthMethod {
  const { clientAuthMethod: configured } = settings;
  if (configured !== undefined && configured !== "private_key_jwt") return configured;
  const wishes = ["none", "client_secret_basic", "client_secret_post"] as const;
  const offered = issuer.tokenAuthMethods;
  return wishes.find((method) => offered === undefined || offered.includes(method)) ?? "none";
}

/** True for a redirect address of this machine (RFC 8252, section 7.3). */
export function isLoopbackRedirect(redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { protocol, hostname } = new URL(redirectUri);
  return protocol === "http:" && isLoopbackHost(hostname);
}
