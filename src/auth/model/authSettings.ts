/** How a client gets to be known to an authorization server. A forced way never swaps with another. */
export type RegistrationMode = "auto" | "preregistered" | "cimd" | "dcr";

/** How a client proves who it is at the token endpoint. */
export type ClientAuthMethod = "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";

/** How tokens are got. Everything but `authorization_code` needs no browser and is off unless configured. */
export type Grant =
  | { readonly kind: "authorization_code" }
  | { readonly kind: "client_credentials" }
  /** An identity provider's token, exchanged for an assertion that the authorization server takes. */
  | {
      readonly kind: "enterprise";
      /** The identity provider: exactly the `issuer` of its metadata. */
      readonly idpIssuer: string;
      readonly idpClientId: string;
      readonly idpClientSecret?: string;
      /** Its token endpoint, where it is not to be discovered. */
      readonly idpTokenEndpoint?: string;
      /** The identity token: a secret. */
      readonly idToken: string;
    }
  /** A token of the machine or cloud that the workload runs on, handed over as an assertion. */
  | { readonly kind: "workload"; readonly assertion: string };

/** What the definition of a server and the settings of the user say about its authorization. All filled in. */
export interface AuthSettings {
  readonly serverName: string;
  /** The MCP endpoint. */
  readonly endpoint: URL;
  readonly grant: Grant;
  readonly registration: RegistrationMode;
  readonly clientId?: string;
  /** A secret. */
  readonly clientSecret?: string;
  /** For `private_key_jwt`: PEM (PKCS #8) or a JWK as JSON. A secret. */
  readonly clientKey?: string;
  /** The algorithm that `clientKey` signs with, as in `ES256`; left out, the key decides. */
  readonly clientKeyAlgorithm?: string;
  readonly clientAuthMethod?: ClientAuthMethod;
  /** The address of the client's own metadata document; undefined means that there is none. */
  readonly clientMetadataUrl?: string;
  /** Scopes that the person wants, sent as they are. An empty list wants none. */
  readonly scopes?: readonly string[];
  /** Whether the authorization server's own list of scopes is asked for when nothing else names any. */
  readonly useServerScopes: boolean;
  readonly redirectHost: "127.0.0.1" | "localhost";
  /** Undefined takes any free port. */
  readonly redirectPort?: number;
  readonly dpop: "off" | "auto" | "required";
  /**
   * Whether a server that publishes no metadata at all is taken at the guesses of MCP 2025-03-26: set where
   * `minimumProtocol` allows a revision that old, and nowhere else.
   */
  readonly guessEndpoints?: boolean;
  /** What only the user's own settings may say: each takes a check away from the server, or pins it. */
  readonly overrides: AuthOverrides;
}

/** Decisions of the user in place of what metadata says. Shown wherever the authorization is shown. */
export interface AuthOverrides {
  /** The only authorization server to use: exactly its `issuer`. */
  readonly issuer?: string;
  /** Exactly the `resource` that the metadata must name. */
  readonly resource?: string;
  /** Where secrets may go although it is not on the issuer's origin. */
  readonly tokenEndpoint?: string;
  /** Takes it for granted that the server checks PKCE with S256 although its metadata does not say so. */
  readonly assumePkceS256: boolean;
  readonly fakeIpRanges: readonly string[];
}
