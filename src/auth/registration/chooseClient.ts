import { AuthError, type AuthErrorCode } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import type { AuthSettings } from "../model/authSettings.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";
import { chooseAuthMethod } from "./chooseAuthMethod.ts";
import { isMetadataUrl } from "./metadataUrl.ts";
import { isLoopbackRedirect } from "./registrationRequest.ts";

/** How to come to a client: there is one, it is to be registered, or only the person can name one. */
export type ClientChoice =
  | { readonly kind: "use"; readonly client: ClientFacts }
  | { readonly kind: "register" }
  | { readonly kind: "ask" };

/** The client of an earlier sign-in, with the issuer that knows it. A `SignedIn` is one. */
export interface EarlierClient {
  readonly issuer: Pick<IssuerFacts, "issuer">;
  readonly client: ClientFacts;
}

/**
 * Chooses how this client is known to an authorization server. `auto` takes, in this order, the client of the settings,
 * a client metadata document, dynamic registration, and asking the person. The other ways never swap. A client of before
 * is used again only with the issuer that knows it, in the same way and, where it was registered for one, with the same
 * redirect address.
 *
 * `redirectUri` is empty for grants without a browser: they take clients of the settings and metadata documents alone.
 *
 * Throws AuthError `registration-unsupported`, `no-client-metadata-url`, `no-client` or `auth-method-unsupported`.
 */
export function chooseClient(
  settings: AuthSettings,
  issuer: IssuerFacts,
  before: EarlierClient | undefined,
  redirectUri: string,
  nowMs: number,
): ClientChoice {
  const facts = { settings, issuer, redirectUri, nowMs, earlier: earlierOf(before, issuer) };
  switch (settings.registration) {
    case "preregistered":
      return settings.clientId === undefined
        ? fail("no-client", settings, issuer)
        : { kind: "use", client: configured(settings, issuer, settings.clientId) };
    case "cimd":
      return { kind: "use", client: forcedMetadataClient(settings, issuer) };
    case "dcr":
      if (issuer.registrationEndpoint === undefined || settings.grant.kind !== "authorization_code")
        return fail("registration-unsupported", settings, issuer);
      return registered(facts);
    case "auto":
      return automatic(facts);
  }
}

interface Facts {
  readonly settings: AuthSettings;
  readonly issuer: IssuerFacts;
  readonly earlier: ClientFacts | undefined;
  readonly redirectUri: string;
  readonly nowMs: number;
}

function earlierOf(before: EarlierClient | undefined, issuer: IssuerFacts): ClientFacts | undefined {
  return before?.issuer.issuer === issuer.issuer ? before.client : undefined;
}

function automatic(facts: Facts): ClientChoice {
  const { settings, issuer, earlier, redirectUri } = facts;
  const { clientId } = settings;
  if (clientId !== undefined) {
    const isDocument =
      isMetadataUrl(clientId) && issuer.takesMetadataClients && settings.clientSecret === undefined;
    const create = isDocument ? metadataClient : configured;
    return { kind: "use", client: create(settings, issuer, clientId) };
  }
  const document = metadataUrlOf(settings);
  // A document lists the addresses of this machine; those that a remote window makes up cannot be in it.
  const fits = redirectUri === "" || isLoopbackRedirect(redirectUri);
  if (issuer.takesMetadataClients && document !== undefined && fits)
    return { kind: "use", client: metadataClient(settings, issuer, document) };
  if (settings.grant.kind !== "authorization_code") return fail("no-client", settings, issuer);
  if (issuer.registrationEndpoint !== undefined) return registered(facts);
  return earlier?.kind === "asked" ? { kind: "use", client: earlier } : { kind: "ask" };
}

function configured(settings: AuthSettings, issuer: IssuerFacts, id: string): ClientFacts {
  const { clientSecret: secret, clientKey } = settings;
  const has = { secret: secret !== undefined, key: clientKey !== undefined };
  const authMethod = chooseAuthMethod(settings, issuer, has);
  return { kind: "preregistered", id, authMethod, ...(secret !== undefined && { secret }) };
}

function metadataClient(settings: AuthSettings, issuer: IssuerFacts, id: string): ClientFacts {
  const has = { secret: false, key: settings.clientKey !== undefined };
  return { kind: "cimd", id, authMethod: chooseAuthMethod(settings, issuer, has) };
}

function forcedMetadataClient(settings: AuthSettings, issuer: IssuerFacts): ClientFacts {
  const document = metadataUrlOf(settings);
  if (document === undefined) return fail("no-client-metadata-url", settings, issuer);
  if (!issuer.takesMetadataClients) return fail("registration-unsupported", settings, issuer);
  return metadataClient(settings, issuer, document);
}

function metadataUrlOf({ clientId, clientMetadataUrl }: AuthSettings): string | undefined {
  return [clientId, clientMetadataUrl].find((url) => url !== undefined && isMetadataUrl(url));
}

/** The client that was registered before, while it is good for this sign-in. */
function registered({ settings, earlier, redirectUri, nowMs }: Facts): ClientChoice {
  const isUsable =
    earlier?.kind === "dcr" &&
    earlier.redirectUri === redirectUri &&
    (earlier.secretExpiresAtMs === undefined || earlier.secretExpiresAtMs > nowMs) &&
    (settings.clientAuthMethod === undefined || settings.clientAuthMethod === earlier.authMethod);
  return isUsable ? { kind: "use", client: earlier } : { kind: "register" };
}

function fail(code: AuthErrorCode, { serverName, registration }: AuthSettings, issuer: IssuerFacts): never {
  throw new AuthError(code, {
    server: serverName,
    issuer: cleanText(issuer.issuer, 300),
    mode: registration,
  });
}
