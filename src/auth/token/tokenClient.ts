import type { TokenFacts } from "../model/facts.ts";

/** What an authorization code is redeemed with. */
export interface CodeToExchange {
  readonly code: string;
  /** The very one of the authorization request. */
  readonly redirectUri: string;
  /** The PKCE verifier. */
  readonly verifier: string;
  /** Sent byte for byte. */
  readonly resource: string;
}

/** What an authorization server said about a token that was to be revoked. */
export type Revocation = "revoked" | { readonly failed: string };

/**
 * The token endpoint of one authorization server, and what goes with it, for one client.
 *
 * Methods that get tokens reject with AuthError `token-refused` (its `error` argument is the code of RFC 6749 §5.2),
 * `client-unknown`, `client-refused`, `bad-token-answer`, `token-not-bound`, `bad-client-key` or `bad-settings`, with
 * NetError when the server could not be reached, and with the signal's reason. Nothing is sent twice, but what a server
 * answers with `use_dpop_nonce`, once. No redirect is followed.
 */
export interface TokenClient {
  /** Redeems a code, once. `exchange-uncertain` when it may have been redeemed and nothing usable came back. */
  exchangeCode(facts: CodeToExchange): Promise<TokenFacts>;
  /**
   * Renews tokens. The result holds a refresh token in any case: the one that was given when the server gives no other.
   * `refresh-unavailable` when it failed for a reason that may pass. See `refreshVerdict`.
   */
  refresh(facts: { readonly refresh: string; readonly resource: string }): Promise<TokenFacts>;
  /** RFC 6749 §4.4. `token-unavailable` when it failed for a reason that may pass. */
  clientCredentials(facts: {
    readonly resource: string;
    readonly scopes: readonly string[];
  }): Promise<TokenFacts>;
  /** RFC 7523 §2.1. Rejects as `clientCredentials`. */
  jwtBearer(facts: {
    readonly assertion: string;
    readonly resource: string;
    readonly scopes: readonly string[];
  }): Promise<TokenFacts>;
  /** Pushes the parameters of an authorization request (RFC 9126). */
  push(parameters: URLSearchParams): Promise<{ readonly requestUri: string }>;
  /** Revokes a token (RFC 7009) within five seconds. Rejects only with the signal's reason. */
  revoke(token: string, hint: "access_token" | "refresh_token"): Promise<Revocation>;
}
