import { mayReach } from "../../net/zones.ts";
import { AuthError } from "../authError.ts";
import { createDpopProver } from "../dpop/createDpopProver.ts";
import { newDpopKey } from "../dpop/newDpopKey.ts";
import { wantsDpop } from "../dpop/wantsDpop.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { SignInWish } from "../model/authSession.ts";
import type { ChallengeFacts, ClientFacts, EarlierSignIn, ScopeChoice, SignedIn } from "../model/facts.ts";
import type { SignInPlan, SignInPorts } from "../model/signInPorts.ts";
import type { EarlierClient } from "../registration/chooseClient.ts";
import { checkSecretTarget } from "../registration/checkSecretTarget.ts";
import { chooseScopes } from "../scopes/chooseScopes.ts";
import { AnswerDesk } from "./answerDesk.ts";
import { askPerson } from "./askPerson.ts";
import { findTarget, type Target } from "./findTarget.ts";
import type { Door } from "./openDoor.ts";
import { prepareClient } from "./prepareClient.ts";
import { requestTokens } from "./requestTokens.ts";
import type { UnusedClient } from "./unusedClient.ts";

/** What one sign-in starts from. */
export interface SignInFacts {
  readonly challenge: ChallengeFacts | undefined;
  readonly wish: SignInWish;
  /** What is known of an earlier sign-in. */
  readonly before: EarlierSignIn | undefined;
  /** A sign-in for more scopes: `scopes` is all that is asked for, `added` what is new of it. */
  readonly stepUp?: { readonly scopes: readonly string[]; readonly added: readonly string[] };
  /** Kept by the caller from one sign-in to the next. */
  readonly unused?: UnusedClient;
}

/**
 * Signs a person in with a browser (authorization code with PKCE). Resource, authorization server, client, redirect
 * address and how the client proves itself are settled first and shown to the person; nothing that comes later changes
 * them.
 *
 * A step-up goes to the resource and the authorization server of before, with the client of before; whether that is
 * still right is settled before any authorization server is contacted. Nothing is refreshed.
 *
 * Rejects with AuthError or NetError, or with the reason of the context's signal.
 */
export async function signIn(
  context: AuthContext,
  ports: SignInPorts,
  facts: SignInFacts,
): Promise<SignedIn> {
  const target = await findTarget(context, ports, facts);
  const desk = new AnswerDesk();
  const wish = {
    issuer: target.issuer,
    before: clientOfBefore(facts),
    mustBeSame: facts.stepUp !== undefined,
  };
  const { client, door } = await prepareClient(context, ports, wish, desk);
  try {
    return await signInThrough(context, ports, facts, { target, client, door, desk });
  } finally {
    // A browser that has brought its answer may be loading the page yet; otherwise nobody is to come any more.
    if (desk.hasTaken) door.listener.closeSoon();
    else door.listener.dispose();
  }
}

function clientOfBefore({ wish, before, stepUp, unused }: SignInFacts): EarlierClient | undefined {
  if (wish.newRegistration === true) return undefined;
  return stepUp === undefined ? (unused?.client ?? before) : before;
}

interface Prepared {
  readonly target: Target;
  readonly client: ClientFacts;
  readonly door: Door;
  readonly desk: AnswerDesk;
}

async function signInThrough(
  context: AuthContext,
  ports: SignInPorts,
  facts: SignInFacts,
  { target, client, door, desk }: Prepared,
): Promise<SignedIn> {
  const { settings, clock, zone, proxy } = context;
  const { resource, issuer } = target;
  const { authorizationEndpoint } = issuer;
  if (authorizationEndpoint === undefined) throw noEndpoint(context, target);
  checkSecretTarget(settings, issuer, client);
  const wanted = scopesOf(context, facts, target);
  const { redirectUri, listener } = door;
  const showOnly = await whyOnlyShown(context, authorizationEndpoint);
  facts.unused?.keep({ issuer, client });
  await confirmPlan(context, ports, {
    serverName: settings.serverName,
    resource,
    issuer,
    client: withoutSecret(client),
    requested: wanted,
    authorizationHost: new URL(authorizationEndpoint).host,
    redirectUri,
    ...(showOnly !== undefined && { showOnly }),
    ...(facts.stepUp !== undefined && { added: facts.stepUp.added }),
    ...(target.changedFrom !== undefined && { changedFrom: target.changedFrom }),
    ...(facts.before !== undefined &&
      facts.before.zone !== zone && { moved: { from: facts.before.zone, to: zone } }),
  });
  facts.unused?.forget();
  const key = isBound(context, facts, target) ? await newDpopKey() : undefined;
  const { tokens, scopes } = await requestTokens(
    {
      context,
      ports,
      desk,
      resource: resource.resource,
      issuer,
      authorizationEndpoint,
      client,
      redirectUri,
      listenerUri: listener.uri,
      how: showOnly === undefined ? "open" : "show",
      asksAccount: facts.wish.otherAccount === true,
      dpop: key === undefined ? undefined : createDpopProver(key, clock),
    },
    wanted,
  );
  return {
    resource,
    issuer,
    client,
    requested: scopes,
    granted: tokens.scopes ?? scopes.scopes,
    tokens,
    ...(key !== undefined && { dpop: key }),
    zone,
    ...(proxy !== undefined && { proxy }),
  };
}

/** Whether tokens are bound to a key. More permission is no reason for ones that everybody can use who finds them. */
function isBound({ settings }: AuthContext, facts: SignInFacts, { resource, issuer }: Target): boolean {
  const wasBound = facts.stepUp !== undefined && facts.before?.dpop !== undefined;
  return wasBound || wantsDpop({ settings, challenge: facts.challenge, resource, issuer });
}

function scopesOf(context: AuthContext, facts: SignInFacts, { resource, issuer }: Target): ScopeChoice {
  const { challenge, wish, before, stepUp } = facts;
  if (stepUp === undefined)
    return chooseScopes({ command: wish.scopes, settings: context.settings, challenge, resource, issuer });
  // What gave a refresh token before is to give one again.
  const offline = before?.requested.offline === true && stepUp.scopes.includes("offline_access");
  return { scopes: stepUp.scopes, source: "step-up", offline };
}

/**
 * Why the browser is not sent to an address: a server of the internet has no business with what only this network or
 * this machine reaches, and a click must not carry a person's sessions there.
 */
async function whyOnlyShown(
  { network, zone, signal }: AuthContext,
  endpoint: string,
): Promise<SignInPlan["showOnly"]> {
  try {
    const there = await network.zoneOf(new URL(endpoint), signal);
    return mayReach(zone, there.zone) ? undefined : "more-private-zone";
  } catch {
    signal.throwIfAborted();
    return "unresolvable";
  }
}

async function confirmPlan(context: AuthContext, ports: SignInPorts, plan: SignInPlan): Promise<void> {
  if (await askPerson(context, (signal) => ports.confirm(plan, signal))) return;
  throw new AuthError("sign-in-declined", { server: plan.serverName });
}

function withoutSecret(client: ClientFacts): ClientFacts {
  const { secret: _secret, ...shown } = client;
  return shown;
}

function noEndpoint({ settings }: AuthContext, { issuer }: Target): AuthError {
  return new AuthError("bad-endpoint", {
    server: settings.serverName,
    issuer: issuer.issuer,
    endpoint: "authorization endpoint",
    reason: "it has none",
  });
}
