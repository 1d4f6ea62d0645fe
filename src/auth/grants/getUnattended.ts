import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import { discoverIssuer } from "../discovery/discoverIssuer.ts";
import { discoverResource } from "../discovery/discoverResource.ts";
import { pickIssuer } from "../discovery/pickIssuer.ts";
import { createDpopProver } from "../dpop/createDpopProver.ts";
import { newDpopKey } from "../dpop/newDpopKey.ts";
import { wantsDpop } from "../dpop/wantsDpop.ts";
import type { AuthContext } from "../model/authContext.ts";
import type {
  ChallengeFacts,
  ClientFacts,
  EarlierSignIn,
  IssuerFacts,
  ResourceFacts,
  ScopeChoice,
  SignedIn,
  TokenFacts,
} from "../model/facts.ts";
import { checkSecretTarget } from "../registration/checkSecretTarget.ts";
import { chooseClient } from "../registration/chooseClient.ts";
import { chooseScopes } from "../scopes/chooseScopes.ts";
import { isScopeRefusal, mayGoWithout, NO_SCOPES } from "../scopes/scopeRefusal.ts";
import { createTokenClient } from "../token/createTokenClient.ts";
import type { TokenClient } from "../token/tokenClient.ts";
import { checkWorkloadAudience } from "./checkWorkloadAudience.ts";
import { exchangeIdentity } from "./exchangeIdentity.ts";

/** Everything that is settled before a token is asked for. */
interface Settled {
  readonly context: AuthContext;
  readonly resource: ResourceFacts;
  readonly issuer: IssuerFacts;
  readonly wanted: ScopeChoice;
}

/**
 * Gets tokens where no person is needed: client credentials, an enterprise's identity provider, a workload's own
 * identity. Resource and authorization server are found and checked as for a sign-in with a browser. What fails is not
 * tried in another way. Rejects with AuthError or NetError, or with the reason of the context's signal.
 */
export async function getUnattended(
  context: AuthContext,
  challenge: ChallengeFacts | undefined,
  before: EarlierSignIn | undefined,
): Promise<SignedIn> {
  const { settings, clock, zone, proxy } = context;
  const resource = await discoverResource(context, challenge);
  const name = chooseIssuer(context, resource, before);
  const issuer = await discoverIssuer(context, name, { needsAuthorizationEndpoint: false });
  const client = findClient(context, issuer, before);
  checkSecretTarget(settings, issuer, client);
  const wanted = chooseScopes({ settings, challenge, resource, issuer });
  const isBound = wantsDpop({ settings, challenge, resource, issuer });
  const key = isBound ? (before?.dpop ?? (await newDpopKey())) : undefined;
  const prover = key && createDpopProver(key, clock);
  const tokenClient = createTokenClient(context, issuer, client, prover);
  const { tokens, requested } = await requestTokens({ context, resource, issuer, wanted }, tokenClient);
  return {
    resource,
    issuer,
    client,
    requested,
    granted: tokens.scopes ?? requested.scopes,
    tokens,
    ...(key !== undefined && { dpop: key }),
    zone,
    ...(proxy !== undefined && { proxy }),
  };
}

function chooseIssuer(
  context: AuthContext,
  resource: ResourceFacts,
  before: EarlierSignIn | undefined,
): string {
  const pick = pickIssuer(context, resource, before?.issuer.issuer);
  if (pick.kind === "issuer") return pick.issuer;
  const listed = cleanText(pick.issuers.join(", "), 300);
  throw badSettings(
    context,
    `the server names several authorization servers (${listed}), so “oauth.issuer” has to name one of them.`,
  );
}

/** A client that is known already: without a person nothing is registered. */
function findClient(
  { settings, clock }: AuthContext,
  issuer: IssuerFacts,
  before: EarlierSignIn | undefined,
): ClientFacts {
  const { grant, registration, clientId } = settings;
  if (grant.kind === "workload" && registration === "auto" && clientId === undefined) {
    // It is known by its assertion alone.
    return { kind: "preregistered", id: "", authMethod: "none" };
  }
  const choice = chooseClient(settings, issuer, before, "", clock.now());
  if (choice.kind === "use") return choice.client;
  throw new AuthError("no-client", {
    server: settings.serverName,
    issuer: cleanText(issuer.issuer, 300),
    mode: registration,
  });
}

interface Requested {
  readonly tokens: TokenFacts;
  readonly requested: ScopeChoice;
}

async function requestTokens(settled: Settled, client: TokenClient): Promise<Requested> {
  const { context, issuer, wanted } = settled;
  const { resource } = settled.resource;
  const { scopes } = wanted;
  const { grant } = context.settings;
  switch (grant.kind) {
    case "authorization_code":
      throw badSettings(context, "this grant needs a person.");
    case "client_credentials":
      return withCredentials(settled, client);
    case "enterprise": {
      const asked = { audience: issuer.issuer, resource, scopes };
      const assertion = await exchangeIdentity(context, grant, asked);
      return { tokens: await client.jwtBearer({ assertion, resource, scopes }), requested: wanted };
    }
    case "workload": {
      checkWorkloadAudience(context.settings, grant.assertion, issuer);
      const { assertion } = grant;
      return { tokens: await client.jwtBearer({ assertion, resource, scopes }), requested: wanted };
    }
  }
}

/** Scopes that were found and are refused are left out in a second and last request. */
async function withCredentials(settled: Settled, client: TokenClient): Promise<Requested> {
  const { context, issuer, wanted } = settled;
  const { resource } = settled.resource;
  try {
    const tokens = await client.clientCredentials({ resource, scopes: wanted.scopes });
    return { tokens, requested: wanted };
  } catch (error) {
    if (!isScopeRefusal(error) || wanted.scopes.length === 0) throw error;
    const server = context.settings.serverName;
    if (!mayGoWithout(wanted)) {
      const scopes = wanted.scopes.join(" ");
      throw new AuthError("scope-refused", { server, issuer: issuer.issuer, scopes }, { cause: error });
    }
    context.log.write("info", `${server}: the scopes that were found are refused; asking again without any`);
    return { tokens: await client.clientCredentials({ resource, scopes: [] }), requested: NO_SCOPES };
  }
}

function badSettings({ settings }: AuthContext, problem: string): AuthError {
  return new AuthError("bad-settings", { server: settings.serverName, problem });
}
