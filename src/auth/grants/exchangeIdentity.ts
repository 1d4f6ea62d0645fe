import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import { discoverIssuer } from "../discovery/discoverIssuer.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { AuthSettings, Grant } from "../model/authSettings.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";
import { chooseAuthMethod } from "../registration/chooseAuthMethod.ts";
import { askServer } from "../token/askServer.ts";
import { toAnswerError, toUnavailable } from "../token/toAnswerError.ts";

type Enterprise = Extract<Grant, { readonly kind: "enterprise" }>;

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

/** What the assertion is to be good for. */
export interface AssertionWish {
  /** The authorization server's `issuer`. */
  readonly audience: string;
  readonly resource: string;
  readonly scopes: readonly string[];
}

/**
 * Exchanges a person's identity token at the identity provider of the enterprise for an assertion that the authorization
 * server of a resource takes (RFC 8693, Identity Assertion Authorization Grant). The identity token goes to the identity
 * provider's own origin alone, or to the endpoint that the settings name. Rejects with AuthError or NetError.
 */
export async function exchangeIdentity(
  context: AuthContext,
  grant: Enterprise,
  wish: AssertionWish,
): Promise<string> {
  const idp = contextOfProvider(context, grant);
  const issuer = await findProvider(idp, grant);
  const client = clientAtProvider(idp.settings, issuer, grant);
  const parameters = new URLSearchParams({
    requested_token_type: ID_JAG,
    audience: wish.audience,
    resource: wish.resource,
    subject_token: grant.idToken,
    subject_token_type: ID_TOKEN,
    ...(wish.scopes.length > 0 && { scope: wish.scopes.join(" ") }),
  });
  const asker = { context: idp, issuer, client, dpop: undefined };
  const answer = await askServer(asker, { kind: "tokens", grantType: TOKEN_EXCHANGE, parameters });
  if (answer.kind !== "fields") throw toUnavailable(asker, answer) ?? toAnswerError(asker, answer);
  const { access_token: assertion, issued_token_type: type } = answer.fields;
  if (type === ID_JAG && typeof assertion === "string" && assertion !== "") return assertion;
  throw new AuthError("bad-token-answer", {
    server: idp.settings.serverName,
    issuer: issuer.issuer,
    reason: "it holds no identity assertion (ID-JAG)",
  });
}

/** The settings are about another authorization server; what they override there means nothing here. */
function contextOfProvider(context: AuthContext, grant: Enterprise): AuthContext {
  const {
    clientSecret: _secret,
    clientKey: _key,
    clientKeyAlgorithm: _algorithm,
    clientAuthMethod: _method,
    ...settings
  } = context.settings;
  const { fakeIpRanges } = settings.overrides;
  const endpoint = grant.idpTokenEndpoint;
  return {
    ...context,
    settings: {
      ...settings,
      overrides: {
        assumePkceS256: false,
        fakeIpRanges,
        ...(endpoint !== undefined && { tokenEndpoint: endpoint }),
      },
    },
  };
}

async function findProvider(context: AuthContext, grant: Enterprise): Promise<IssuerFacts> {
  if (grant.idpTokenEndpoint !== undefined) return namedProvider(grant, grant.idpTokenEndpoint);
  const issuer = await discoverIssuer(context, grant.idpIssuer, { needsAuthorizationEndpoint: false });
  if (new URL(issuer.tokenEndpoint).origin === new URL(issuer.issuer).origin) return issuer;
  const endpoint = cleanText(issuer.tokenEndpoint, 300);
  throw new AuthError("bad-settings", {
    server: context.settings.serverName,
    problem: `the token endpoint ${endpoint} of the identity provider is not on its own origin, so the identity token was not sent there. If you know that it belongs there, set “idpTokenEndpoint” to exactly that address.`,
  });
}

/** A provider whose token endpoint the settings name: nothing else of it is used. */
function namedProvider({ idpIssuer }: Enterprise, tokenEndpoint: string): IssuerFacts {
  return {
    issuer: idpIssuer,
    metadataUrl: "",
    tokenEndpoint,
    requiresPar: false,
    issInAnswers: false,
    takesMetadataClients: false,
    pkce: "assumed",
  };
}

function clientAtProvider(settings: AuthSettings, issuer: IssuerFacts, grant: Enterprise): ClientFacts {
  const { idpClientId: id, idpClientSecret: secret } = grant;
  const authMethod = chooseAuthMethod(settings, issuer, { secret: secret !== undefined, key: false });
  return { kind: "preregistered", id, authMethod, ...(secret !== undefined && { secret }) };
}
