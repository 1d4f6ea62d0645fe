import type { AuthReport } from "../../../../src/auth/model/authStatus.ts";
import type { AuthOverrides } from "../../../../src/auth/model/authSettings.ts";
import type { SignInPlan } from "../../../../src/auth/model/signInPorts.ts";

export const NO_OVERRIDES: AuthOverrides = { assumePkceS256: false, fakeIpRanges: [] };

/** What a person is asked about an ordinary sign-in, unless a test says more. */
export function fakePlan(more: Partial<SignInPlan> = {}): SignInPlan {
  return {
    serverName: "files",
    resource: {
      resource: "https://mcp.example.com/files",
      authorizationServers: ["https://auth.example.com"],
      dpopRequired: false,
      metadataUrl: "https://mcp.example.com/.well-known/oauth-protected-resource/files",
      how: "path",
    },
    issuer: {
      issuer: "https://auth.example.com",
      metadataUrl: "https://auth.example.com/.well-known/oauth-authorization-server",
      authorizationEndpoint: "https://login.example.com/authorize",
      tokenEndpoint: "https://auth.example.com/token",
      requiresPar: false,
      issInAnswers: true,
      takesMetadataClients: false,
      pkce: "announced",
    },
    client: { kind: "dcr", id: "client-1", authMethod: "none" },
    requested: { scopes: ["files:read", "files:write"], source: "resource", offline: false },
    authorizationHost: "login.example.com",
    redirectUri: "http://127.0.0.1:41737/callback",
    ...more,
  };
}

/** What there is to show of a sign-in. */
export function fakeReport(more: Partial<AuthReport> = {}): AuthReport {
  return {
    serverName: "files",
    endpoint: "https://mcp.example.com/files",
    status: {
      kind: "signed-in",
      issuer: "https://auth.example.com",
      scopes: ["files:read"],
      expiresAtMs: Date.UTC(2026, 10, 30, 19, 5),
      canRefresh: true,
    },
    grant: "authorization_code",
    overrides: NO_OVERRIDES,
    authorization: {
      resource: "https://mcp.example.com/files",
      resourceHow: "path",
      resourceMetadataUrl: "https://mcp.example.com/.well-known/oauth-protected-resource/files",
      issuer: "https://auth.example.com",
      issuerMetadataUrl: "https://auth.example.com/.well-known/oauth-authorization-server",
      issInAnswers: true,
      pkce: "announced",
      client: {
        kind: "dcr",
        id: "client-1",
        authMethod: "none",
        redirectUri: "http://127.0.0.1:41737/callback",
      },
      tokenType: "bearer",
      requestedScopes: ["files:read", "files:write"],
      scopeSource: "challenge",
      grantedScopes: ["files:read"],
      zone: "public",
      signedInAtMs: Date.UTC(2026, 10, 30, 18, 5),
      refreshedAtMs: Date.UTC(2026, 10, 30, 18, 35),
      expiresAtMs: Date.UTC(2026, 10, 30, 19, 5),
      canRefresh: true,
    },
    store: "secret-storage",
    ...more,
  };
}
