import type { Zone } from "../../net/zones.ts";
import type { AuthOverrides, Grant } from "./authSettings.ts";
import type { ClientFacts, ResourceFacts, ScopeSource } from "./facts.ts";

/** How a server is authorized now. Holds no secret. */
export type AuthStatus =
  /** It asked for nothing so far. */
  | { readonly kind: "none" }
  /** A header of the settings carries the credential; `isRejected` when the server did not take it. */
  | { readonly kind: "external"; readonly isRejected: boolean }
  | { readonly kind: "signing-in"; readonly sinceMs: number }
  | {
      readonly kind: "signed-in";
      readonly issuer: string;
      readonly scopes: readonly string[];
      readonly expiresAtMs?: number;
      /** False when it ends with the token. */
      readonly canRefresh: boolean;
      /** Set while refreshing, or keeping what it gave, fails for a reason that may pass. */
      readonly refreshProblem?: string;
    }
  | { readonly kind: "expired"; readonly issuer: string; readonly expiredAtMs: number }
  | { readonly kind: "needs-sign-in"; readonly reason: SignInReason }
  | {
      readonly kind: "needs-scopes";
      readonly issuer: string;
      readonly required: readonly string[];
      readonly granted: readonly string[];
      readonly missing: readonly string[];
    };

/** Why signing in is needed. */
export type SignInReason =
  | "first"
  | "revoked"
  | "client-unknown"
  | "settings-changed"
  | "zone-changed"
  | "record-unusable"
  | "signed-out";

/** Everything there is to show about an authorization, without any secret. */
export interface AuthReport {
  readonly serverName: string;
  readonly endpoint: string;
  readonly status: AuthStatus;
  readonly grant: Grant["kind"];
  readonly overrides: AuthOverrides;
  /** Undefined before the first sign-in. */
  readonly authorization?: {
    readonly resource: string;
    readonly resourceHow: ResourceFacts["how"];
    readonly resourceMetadataUrl?: string;
    readonly issuer: string;
    readonly issuerMetadataUrl: string;
    readonly issInAnswers: boolean;
    readonly pkce: "announced" | "assumed";
    readonly client: Pick<ClientFacts, "kind" | "id" | "authMethod" | "redirectUri">;
    readonly tokenType: "bearer" | "dpop";
    readonly requestedScopes: readonly string[];
    readonly scopeSource: ScopeSource;
    readonly grantedScopes: readonly string[];
    readonly zone: Zone;
    readonly proxy?: string;
    readonly signedInAtMs: number;
    readonly refreshedAtMs: number;
    readonly expiresAtMs?: number;
    readonly canRefresh: boolean;
  };
  /** Where credentials are kept. */
  readonly store: "secret-storage" | "file" | "memory";
}
