import { redactUrl } from "../../base/redact.ts";
import type { AuthSettings } from "../model/authSettings.ts";
import type { AuthReport, AuthStatus } from "../model/authStatus.ts";
import type { CredentialStore } from "../model/credentialStore.ts";
import type { Credential } from "../store/credential.ts";

/** Everything there is to show of an authorization, picked field by field so that no secret comes along. Pure. */
export function showReport(
  settings: AuthSettings,
  status: AuthStatus,
  store: CredentialStore["kind"],
  credential: Credential | undefined,
): AuthReport {
  const isUnattended = settings.grant.kind !== "authorization_code";
  return {
    serverName: settings.serverName,
    endpoint: withoutSecrets(settings.endpoint),
    status,
    grant: settings.grant.kind,
    overrides: settings.overrides,
    store,
    ...(credential === undefined ? {} : { authorization: showCredential(credential, isUnattended) }),
  };
}

function showCredential(
  { facts, tokens, signedInAtMs, refreshedAtMs }: Credential,
  isUnattended: boolean,
): NonNullable<AuthReport["authorization"]> {
  const { resource, issuer, client, requested, granted, zone, proxy, dpop } = facts;
  const { kind, id, authMethod, redirectUri } = client;
  return {
    resource: resource.resource,
    resourceHow: resource.how,
    ...(resource.metadataUrl === undefined ? {} : { resourceMetadataUrl: resource.metadataUrl }),
    issuer: issuer.issuer,
    issuerMetadataUrl: issuer.metadataUrl,
    issInAnswers: issuer.issInAnswers,
    pkce: issuer.pkce,
    client: { kind, id, authMethod, ...(redirectUri === undefined ? {} : { redirectUri }) },
    tokenType: tokens?.type ?? (dpop === undefined ? "bearer" : "dpop"),
    requestedScopes: requested.scopes,
    scopeSource: requested.source,
    grantedScopes: granted,
    zone,
    ...(proxy === undefined ? {} : { proxy: redactUrl(proxy) }),
    signedInAtMs,
    refreshedAtMs,
    ...(tokens?.expiresAtMs === undefined ? {} : { expiresAtMs: tokens.expiresAtMs }),
    canRefresh: tokens !== undefined && (isUnattended || tokens.refresh !== undefined),
  };
}

/** An address may carry a key in its query or before its host. */
function withoutSecrets(endpoint: URL): string {
  return endpoint.origin + endpoint.pathname;
}
