// The parts of `oidc-provider` that are used here: it brings no types of its own.
import type { IncomingMessage, ServerResponse } from "node:http";

export interface ProviderModule {
  readonly default: new (issuer: string, configuration: object) => Provider;
  readonly errors: { readonly InvalidTarget: new (description: string) => Error };
}

export interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly AccessToken: Model<IssuedToken>;
  readonly ClientCredentials: Model<IssuedToken>;
  readonly Client: { find(id: string): Promise<object | undefined> };
}

interface Model<T> {
  find(value: string): Promise<T | undefined>;
}

/** An access token as the provider keeps it. */
export interface IssuedToken {
  readonly aud?: string | readonly string[];
  readonly scope?: string;
  readonly clientId?: string;
  /** The thumbprint of the key that it is bound to. */
  readonly jkt?: string;
}

/** What is handed to functions of the configuration, as far as they look at it. */
export interface ProviderContext {
  readonly oidc: { readonly route: string };
  type: string;
  body: string;
}

export interface ProviderClient {
  readonly clientId: string;
  grantTypeAllowed(type: string): boolean;
}
