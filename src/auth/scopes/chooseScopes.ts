import type { AuthSettings } from "../model/authSettings.ts";
import type { ChallengeFacts, IssuerFacts, ResourceFacts, ScopeChoice } from "../model/facts.ts";
import { OFFLINE, withoutOffline } from "./offlineAccess.ts";

/** What may name scopes. */
export interface ScopeFacts {
  /** Of this sign-in alone. */
  readonly command?: readonly string[] | undefined;
  readonly settings: AuthSettings;
  readonly challenge: ChallengeFacts | undefined;
  readonly resource: ResourceFacts;
  readonly issuer: IssuerFacts;
}

/** What an authorization server tells about a person: nothing that a client of tools needs. */
const IDENTITY: ReadonlySet<string> = new Set(["openid", "profile", "email", "address", "phone"]);

/**
 * Chooses the scopes of a request: those of the command, of the settings, of the challenge, of the resource's metadata,
 * of the authorization server's where the settings allow it, or none.
 *
 * What a person wrote is sent as it is. `offline_access` is asked for only with scopes that were found, and only where
 * the authorization server lists it: a challenge or a resource does not decide about that.
 */
export function chooseScopes({ command, settings, challenge, resource, issuer }: ScopeFacts): ScopeChoice {
  if (command !== undefined) return { scopes: command, source: "command", offline: false };
  if (settings.scopes !== undefined) return { scopes: settings.scopes, source: "settings", offline: false };
  const listed = settings.useServerScopes
    ? issuer.scopes?.filter((scope) => !IDENTITY.has(scope))
    : undefined;
  const found = [
    { source: "challenge", scopes: withoutOffline(challenge?.scopes) },
    { source: "resource", scopes: withoutOffline(resource.scopes) },
    { source: "server", scopes: withoutOffline(listed) },
  ] as const;
  const choice = found.find(({ scopes }) => scopes.length > 0);
  // Alone it would be all that is granted, in place of what the server grants to those who ask for nothing.
  if (choice === undefined) return { scopes: [], source: "none", offline: false };
  const offline = settings.grant.kind === "authorization_code" && issuer.scopes?.includes(OFFLINE) === true;
  return { scopes: offline ? [...choice.scopes, OFFLINE] : choice.scopes, source: choice.source, offline };
}
