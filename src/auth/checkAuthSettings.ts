import { AuthError } from "./authError.ts";
import { readAuthAddress, readIssuerAddress } from "./discovery/authAddress.ts";
import type { AuthSettings } from "./model/authSettings.ts";
import { isCredentialText } from "./registration/credentialText.ts";
import { isMetadataUrl } from "./registration/metadataUrl.ts";
import { isScopeToken } from "./scopes/scopeTokens.ts";

/**
 * Checks what can be checked before anything is sent: settings that contradict each other, that would send a secret
 * without saying where, or that nothing can be done with. Throws AuthError `bad-settings` for the first problem.
 */
export function checkAuthSettings(settings: AuthSettings): void {
  for (const check of [findAddressProblem, findOverrideProblem, findClientProblem, findGrantProblem]) {
    const problem = check(settings);
    if (problem !== undefined) throw new AuthError("bad-settings", { server: settings.serverName, problem });
  }
}

type Rule = readonly [isBroken: boolean, problem: string];

function findFirst(rules: readonly Rule[]): string | undefined {
  return rules.find(([isBroken]) => isBroken)?.[1];
}

function findAddressProblem({ overrides, scopes, redirectPort }: AuthSettings): string | undefined {
  const { issuer, resource, tokenEndpoint } = overrides;
  const addresses = [
    ["issuer", issuer === undefined ? undefined : readIssuerAddress(issuer)],
    ["resource", resource === undefined ? undefined : readAuthAddress(resource)],
    ["tokenEndpoint", tokenEndpoint === undefined ? undefined : readAuthAddress(tokenEndpoint)],
  ] as const;
  for (const [name, address] of addresses)
    if (address !== undefined && "problem" in address) return `“${name}”: ${address.problem}.`;
  const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536;
  return findFirst([
    [scopes?.every(isScopeToken) === false, "“scopes” holds something that cannot be a scope."],
    [redirectPort !== undefined && !isPort(redirectPort), "“redirectPort” is not a port."],
  ]);
}

/** What takes a check away, or sends a secret, is good for one authorization server that the person has named. */
function findOverrideProblem({ overrides, clientSecret, clientKey }: AuthSettings): string | undefined {
  const needing: readonly Rule[] = [
    [clientSecret !== undefined, "clientSecret"],
    [clientKey !== undefined, "clientKey"],
    [overrides.tokenEndpoint !== undefined, "tokenEndpoint"],
    [overrides.assumePkceS256, "assumePkceS256"],
  ];
  const name = overrides.issuer === undefined ? findFirst(needing) : undefined;
  return name && `“${name}” needs “issuer”, which says for which authorization server it is meant.`;
}

function findClientProblem(settings: AuthSettings): string | undefined {
  const { registration: mode, clientId, clientSecret, clientKey } = settings;
  const hasId = clientId !== undefined;
  return (
    findFirst([
      [mode === "preregistered" && !hasId, "“registration” is “preregistered”, which needs “clientId”."],
      [
        mode === "dcr" && hasId,
        "“registration” is “dcr”, which gets its own client, so leave “clientId” out.",
      ],
      [
        mode === "cimd" && hasId && !isMetadataUrl(clientId),
        "“registration” is “cimd”, so “clientId” has to be the https address of a client metadata document.",
      ],
      [
        mode === "cimd" && clientSecret !== undefined,
        "“registration” is “cimd”, which has no “clientSecret”.",
      ],
      [clientSecret !== undefined && !hasId, "“clientSecret” needs “clientId”."],
      [clientKey !== undefined && !hasId && mode !== "cimd", "“clientKey” needs “clientId”."],
      [!isCredential(clientId), "“clientId” may hold visible ASCII characters only."],
      [!isCredential(clientSecret), "“clientSecret” may hold visible ASCII characters only."],
    ]) ?? findMethodProblem(settings)
  );
}

function isCredential(text: string | undefined): boolean {
  return text === undefined || isCredentialText(text);
}

function findMethodProblem(settings: AuthSettings): string | undefined {
  const { registration: mode, clientId, clientSecret, clientKey, clientAuthMethod: method } = settings;
  const needs = (name: string): string => `the authentication method “${method ?? ""}” needs “${name}”.`;
  switch (method) {
    case "none":
      return clientSecret === undefined && clientKey === undefined
        ? undefined
        : "the authentication method is “none”, and there is a secret or a key.";
    case "private_key_jwt":
      return clientKey === undefined ? needs("clientKey") : undefined;
    case "client_secret_basic":
    case "client_secret_post":
      if (clientKey !== undefined) return `the authentication method “${method}” does not use “clientKey”.`;
      // A client that is registered on its own is given its secret.
      return clientSecret === undefined && (clientId !== undefined || mode === "cimd")
        ? needs("clientSecret")
        : undefined;
    default:
      return undefined;
  }
}

function findGrantProblem({ grant, registration, clientId, ...settings }: AuthSettings): string | undefined {
  if (grant.kind === "authorization_code") return undefined;
  const hasProof = settings.clientSecret !== undefined || settings.clientKey !== undefined;
  // A workload is known by its assertion and needs no client.
  const needsId =
    registration === "auto" && grant.kind !== "workload"
      ? clientId === undefined && settings.clientMetadataUrl === undefined
      : false;
  const common = findFirst([
    [registration === "dcr", "the grant works without a person, so “registration” cannot be “dcr”."],
    [needsId, "the grant works without a person, so it needs “clientId”."],
    [grant.kind === "client_credentials" && clientId === undefined, "client credentials need “clientId”."],
    [
      grant.kind === "client_credentials" && !hasProof,
      "client credentials need “clientSecret” or “clientKey”.",
    ],
    [grant.kind === "workload" && grant.assertion === "", "the assertion of the workload is empty."],
  ]);
  if (common !== undefined || grant.kind !== "enterprise") return common;
  const idp = readIssuerAddress(grant.idpIssuer);
  const token = grant.idpTokenEndpoint === undefined ? undefined : readAuthAddress(grant.idpTokenEndpoint);
  if ("problem" in idp) return `“idpIssuer”: ${idp.problem}.`;
  if (token !== undefined && "problem" in token) return `“idpTokenEndpoint”: ${token.problem}.`;
  return findFirst([
    [grant.idpClientId === "", "“idpClientId” is empty."],
    [grant.idToken === "", "the identity token is empty."],
  ]);
}
