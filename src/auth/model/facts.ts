import type { Zone } from "../../net/zones.ts";
import type { ClientAuthMethod } from "./authSettings.ts";

/** What a refusal of the server said, as far as it is used. */
export interface ChallengeFacts {
  readonly scheme: "bearer" | "dpop";
  /** Where the server says that its metadata is. */
  readonly resourceMetadata?: string;
  /** Undefined when the challenge names none. */
  readonly scopes?: readonly string[];
  /** As in `invalid_token` or `insufficient_scope`. */
  readonly error?: string;
}

/** What the metadata of a protected resource says (RFC 9728), checked against the endpoint. */
export interface ResourceFacts {
  /** Exactly as the metadata writes it: it is sent byte for byte. */
  readonly resource: string;
  /** In the metadata's order. */
  readonly authorizationServers: readonly string[];
  /** Undefined when the metadata lists none. */
  readonly scopes?: readonly string[];
  readonly dpopRequired: boolean;
  /** Where it was found; undefined when the settings name both resource and issuer and nothing was found. */
  readonly metadataUrl?: string;
  /** `guessed` is the rule of MCP 2025-03-26 for servers that publish nothing. */
  readonly how: "challenge" | "path" | "root" | "settings" | "guessed";
}

/** What the metadata of an authorization server says (RFC 8414), checked. */
export interface IssuerFacts {
  /** Exactly as the resource's metadata, or the settings, and its own metadata write it. */
  readonly issuer: string;
  readonly metadataUrl: string;
  /** Undefined where there is none: grants without a browser need none. */
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint?: string;
  readonly revocationEndpoint?: string;
  readonly parEndpoint?: string;
  readonly requiresPar: boolean;
  /** Whether answers name their issuer (RFC 9207). */
  readonly issInAnswers: boolean;
  readonly takesMetadataClients: boolean;
  readonly tokenAuthMethods?: readonly ClientAuthMethod[];
  readonly tokenAuthAlgorithms?: readonly string[];
  readonly scopes?: readonly string[];
  readonly dpopAlgorithms?: readonly string[];
  /** S256 is announced, or taken for granted by the settings. */
  readonly pkce: "announced" | "assumed";
}

/** Who this client is at one authorization server. */
export interface ClientFacts {
  /** `asked`: a person typed the id in when nothing else was possible. */
  readonly kind: "preregistered" | "cimd" | "dcr" | "asked";
  readonly id: string;
  readonly authMethod: ClientAuthMethod;
  /** A secret. For a pre-registered client it stays in the settings' secret and is not stored again. */
  readonly secret?: string;
  readonly secretExpiresAtMs?: number;
  /** The redirect address that it was registered with; undefined where that does not matter. */
  readonly redirectUri?: string;
}

/** Where the scopes of a request came from, in the order of precedence. */
export type ScopeSource = "command" | "settings" | "challenge" | "resource" | "server" | "none" | "step-up";

/** Scopes to ask for. */
export interface ScopeChoice {
  /** Empty sends no `scope`. */
  readonly scopes: readonly string[];
  readonly source: ScopeSource;
  /** Whether `offline_access` was added, so that `prompt=consent` goes with it. */
  readonly offline: boolean;
}

/** Tokens as they are used. All of it is secret but type, times and scopes. */
export interface TokenFacts {
  readonly access: string;
  readonly type: "bearer" | "dpop";
  readonly obtainedAtMs: number;
  /** Undefined when the server does not say; then a refusal tells. */
  readonly expiresAtMs?: number;
  readonly refresh?: string;
  /** What the server says it granted; undefined when it does not say, which means what was asked for. */
  readonly scopes?: readonly string[];
}

/** A key pair that tokens are bound to (RFC 9449), as a JWK. A secret. */
export interface DpopKey {
  readonly algorithm: "ES256";
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** What a sign-in, or a grant without one, has given. */
export interface SignedIn {
  readonly resource: ResourceFacts;
  readonly issuer: IssuerFacts;
  readonly client: ClientFacts;
  readonly requested: ScopeChoice;
  readonly granted: readonly string[];
  readonly tokens: TokenFacts;
  readonly dpop?: DpopKey;
  /** The zone of the MCP endpoint: the boundary until a person signs in anew. */
  readonly zone: Zone;
  /** The proxy that decided where names lead; undefined when there was none. */
  readonly proxy?: string;
}

/** What is known of an earlier sign-in, whether or not its tokens are still there. */
export type EarlierSignIn = Omit<SignedIn, "tokens">;
