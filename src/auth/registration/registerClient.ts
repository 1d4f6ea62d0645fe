import { stringifyJson } from "../../base/json.ts";
import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import { isOutage, issuerOutage, toOutage } from "../discovery/issuerOutage.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";
import { readRegistration } from "./readRegistration.ts";
import { createRegistrationRequest, wishAuthMethod } from "./registrationRequest.ts";

/**
 * Registers this client dynamically, with one request, at the endpoint that the server publishes.
 *
 * Rejects with AuthError `registration-unsupported`, `registration-refused`, `redirect-refused`,
 * `registration-rewritten`, `bad-registration` or `issuer-unavailable`, or NetError. The client may hold a secret.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7591#section-3
 */
export async function registerClient(
  { settings, network, zone, signal, log }: AuthContext,
  issuer: IssuerFacts,
  redirectUri: string,
): Promise<ClientFacts> {
  const names = { server: settings.serverName, issuer: cleanText(issuer.issuer, 300) };
  const { registrationEndpoint: url } = issuer;
  if (url === undefined)
    throw new AuthError("registration-unsupported", { ...names, mode: settings.registration });
  const wish = { authMethod: wishAuthMethod(settings, issuer), redirectUri };
  const answer = await network
    .send({
      method: "POST",
      url,
      headers: { accept: "application/json", "content-type": "application/json" },
      body: stringifyJson(createRegistrationRequest(wish.authMethod, redirectUri)),
      from: zone,
      signal,
    })
    .catch((error: unknown) => {
      throw toOutage(settings, issuer.issuer, error);
    });
  // A client that is registered by hand, which the other refusals suggest, would not help.
  if (isOutage(answer.status)) throw issuerOutage(settings, issuer.issuer, `HTTP ${answer.status}`);
  const read = readRegistration(answer, issuer, wish);
  log.write("debug", `Registration at ${names.issuer}: HTTP ${answer.status}, ${read.kind}`);
  switch (read.kind) {
    case "client":
      return read.client;
    case "refused":
      if (read.error === "invalid_redirect_uri") {
        const description = read.description === "" ? read.error : read.description;
        throw new AuthError("redirect-refused", { ...names, redirectUri, description });
      }
      throw new AuthError("registration-refused", {
        ...names,
        status: answer.status,
        error: read.error,
        description: read.description,
      });
    case "rewritten":
      throw new AuthError("registration-rewritten", { ...names, redirectUri });
    case "unusable":
      throw new AuthError("bad-registration", { ...names, reason: read.reason });
  }
}
