import type { AuthSettings } from "../../src/auth/model/authSettings.ts";
import type { EarlierSignIn, TokenFacts } from "../../src/auth/model/facts.ts";
import type { Credential } from "../../src/auth/store/credential.ts";
import type { RecordBinding } from "../../src/auth/store/recordBinding.ts";
import { makeSettings } from "./authFixtures.ts";

export const SETTINGS: AuthSettings = makeSettings({
  serverName: "Files",
  endpoint: new URL("https://mcp.example/v1/mcp"),
  dpop: "auto",
});

export const BINDING: RecordBinding = {
  installationId: "5ff2d0b8-installation",
  scope: "user",
  settings: SETTINGS,
};

export const TOKENS: TokenFacts = {
  access: "access-secret",
  type: "bearer",
  obtainedAtMs: 1_000,
  expiresAtMs: 3_601_000,
  refresh: "refresh-secret",
};

export const FACTS: EarlierSignIn = {
  resource: {
    resource: "https://mcp.example/v1/mcp",
    authorizationServers: ["https://as.example"],
    dpopRequired: false,
    metadataUrl: "https://mcp.example/.well-known/oauth-protected-resource/v1/mcp",
    how: "path",
  },
  issuer: {
    issuer: "https://as.example",
    metadataUrl: "https://as.example/.well-known/oauth-authorization-server",
    authorizationEndpoint: "https://as.example/authorize",
    tokenEndpoint: "https://as.example/token",
    requiresPar: false,
    issInAnswers: true,
    takesMetadataClients: false,
    tokenAuthMethods: ["none"],
    pkce: "announced",
  },
  client: {
    kind: "dcr",
    id: "client-1",
    authMethod: "client_secret_basic",
    secret: "client-secret",
    redirectUri: "http://127.0.0.1:7777/callback",
  },
  requested: { scopes: ["a", "b"], source: "resource", offline: false },
  granted: ["a"],
  dpop: { algorithm: "ES256", jwk: { kty: "EC", crv: "P-256", x: "x", y: "y", d: "private" } },
  zone: "public",
};

export const CREDENTIAL: Credential = {
  account: "account-1",
  rev: 3,
  writer: "window-1",
  facts: FACTS,
  tokens: TOKENS,
  signedInAtMs: 1_000,
  refreshedAtMs: 2_000,
};
