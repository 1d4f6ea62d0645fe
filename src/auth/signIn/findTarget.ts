import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import { discoverIssuer } from "../discovery/discoverIssuer.ts";
import { toOutage } from "../discovery/issuerOutage.ts";
import { discoverResource } from "../discovery/discoverResource.ts";
import { pickIssuer } from "../discovery/pickIssuer.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { EarlierSignIn, IssuerFacts, ResourceFacts } from "../model/facts.ts";
import type { SignInPorts } from "../model/signInPorts.ts";
import { askPerson } from "./askPerson.ts";
import type { SignInFacts } from "./signIn.ts";

/** What is signed in to, and where. */
export interface Target {
  readonly resource: ResourceFacts;
  readonly issuer: IssuerFacts;
  /** The authorization server of before, when it is another one now. */
  readonly changedFrom: string | undefined;
}

/**
 * Finds the resource and its authorization server. Whether they may be others than before is settled before anything
 * is sent to an authorization server.
 */
export async function findTarget(
  context: AuthContext,
  ports: SignInPorts,
  facts: SignInFacts,
): Promise<Target> {
  const resource = await discoverResource(context, facts.challenge);
  const name =
    facts.stepUp === undefined
      ? await chooseIssuer(context, ports, facts, resource)
      : pinnedIssuer(context, facts.before, resource);
  const issuer = await discoverIssuer(context, name, { needsAuthorizationEndpoint: true }).catch(
    (error: unknown) => {
      throw toOutage(context.settings, name, error);
    },
  );
  const earlier = facts.before?.issuer.issuer;
  return { resource, issuer, changedFrom: earlier === issuer.issuer ? undefined : earlier };
}

/** More permission is only asked for where the permission of before came from, and for the same thing. */
function pinnedIssuer(
  context: AuthContext,
  before: EarlierSignIn | undefined,
  resource: ResourceFacts,
): string {
  const server = context.settings.serverName;
  if (before === undefined) throw new AuthError("sign-in-needed", { server });
  const expected = before.issuer.issuer;
  if (resource.resource !== before.resource.resource) {
    const actual = cleanText(resource.resource);
    throw new AuthError("resource-changed", {
      server,
      actual,
      expected: cleanText(before.resource.resource),
    });
  }
  const pick = pickIssuer(context, resource, expected);
  if (pick.kind === "issuer" && pick.issuer === expected) return expected;
  const actual = pick.kind === "issuer" ? pick.issuer : pick.issuers.join(" ");
  throw new AuthError("issuer-changed", { server, actual: cleanText(actual), expected: cleanText(expected) });
}

async function chooseIssuer(
  context: AuthContext,
  ports: SignInPorts,
  { wish, before }: SignInFacts,
  resource: ResourceFacts,
): Promise<string> {
  const server = context.settings.serverName;
  // A new registration forgets what was before, and with it who knew the client of the settings.
  const earlier = wish.newRegistration === true ? undefined : before?.issuer.issuer;
  const pick = pickIssuer(context, resource, earlier);
  if (pick.kind === "issuer") return pick.issuer;
  const chosen = await askPerson(context, (signal) => ports.chooseIssuer(pick.issuers, signal));
  if (chosen === undefined || !pick.issuers.includes(chosen))
    throw new AuthError("sign-in-declined", { server });
  return chosen;
}
