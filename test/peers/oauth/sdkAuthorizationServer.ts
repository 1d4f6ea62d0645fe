import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { InvalidGrantError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type {
  AuthorizationParams,
  OAuthServerProvider,
} from "@modelcontextprotocol/sdk/server/auth/provider.js";
import { mcpAuthRouter } from "@modelcontextprotocol/sdk/server/auth/router.js";
import type { OAuthClientInformationFull, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { closeServer, type TokenAuthority } from "./authorizationServer.ts";
import type { IssuedToken } from "./providerTypes.ts";

// Through a variable: it comes with the SDK, and its types are not among the product's packages.
const EXPRESS = "express";

interface ExpressModule {
  readonly default: () => ExpressApp;
}

interface ExpressApp {
  (request: IncomingMessage, response: ServerResponse): void;
  use(
    handler: (request: { readonly path: string }, response: ServerResponse, next: () => void) => void,
  ): void;
}

interface Redirecting {
  redirect(url: string): void;
}

/** The authorization server of the SDK's first generation, as most small MCP servers have it. */
export interface SdkAuthorizationServer extends TokenAuthority {
  /** Paths of what was asked, in order. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

/** Starts it on a free port of loopback. It asks no person and answers with a redirect at once, without `iss`. */
export async function startSdkAuthorizationServer(): Promise<SdkAuthorizationServer> {
  const { default: express } = (await import(EXPRESS)) as ExpressModule;
  const app = express();
  const http = createServer(app);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
  const provider = new MemoryProvider();
  const seen: string[] = [];
  app.use((request, response, next) => {
    response.shouldKeepAlive = false;
    seen.push(request.path);
    next();
  });
  // The SDK counts requests from one address, and a test is quick.
  const rateLimit = false as const;
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(origin),
      scopesSupported: ["mcp:read", "mcp:write"],
      authorizationOptions: { rateLimit },
      clientRegistrationOptions: { rateLimit },
      revocationOptions: { rateLimit },
      tokenOptions: { rateLimit },
    }) as never,
  );
  return {
    // As its metadata writes it.
    issuer: new URL(origin).href,
    seen,
    look: (token) => Promise.resolve(provider.access.get(token)),
    close: () => closeServer(http),
  };
}

/** What a code or a refresh token stands for. */
interface Given {
  readonly client: string;
  readonly challenge: string;
  readonly scope: string;
  readonly resource: string | undefined;
}

class MemoryProvider implements OAuthServerProvider {
  readonly access = new Map<string, IssuedToken>();
  readonly #clients = new Map<string, OAuthClientInformationFull>();
  readonly #codes = new Map<string, Given>();
  readonly #refresh = new Map<string, Given>();

  readonly clientsStore = {
    getClient: (id: string) => this.#clients.get(id),
    registerClient: (client: OAuthClientInformationFull) => {
      this.#clients.set(client.client_id, client);
      return client;
    },
  };

  authorize(
    client: OAuthClientInformationFull,
    wish: AuthorizationParams,
    response: Redirecting,
  ): Promise<void> {
    const code = randomUUID();
    this.#codes.set(code, {
      client: client.client_id,
      challenge: wish.codeChallenge,
      scope: wish.scopes?.join(" ") ?? "",
      resource: wish.resource?.href,
    });
    const target = new URL(wish.redirectUri);
    target.searchParams.set("code", code);
    if (wish.state !== undefined) target.searchParams.set("state", wish.state);
    response.redirect(target.href);
    return Promise.resolve();
  }

  challengeForAuthorizationCode(_client: OAuthClientInformationFull, code: string): Promise<string> {
    return Promise.resolve(take(this.#codes, code, false).challenge);
  }

  exchangeAuthorizationCode(_client: OAuthClientInformationFull, code: string): Promise<OAuthTokens> {
    return Promise.resolve(this.#give(take(this.#codes, code, true)));
  }

  exchangeRefreshToken(_client: OAuthClientInformationFull, token: string): Promise<OAuthTokens> {
    return Promise.resolve(this.#give(take(this.#refresh, token, true)));
  }

  verifyAccessToken(): Promise<never> {
    return Promise.reject(new Error("The guard looks at tokens itself."));
  }

  revokeToken(_client: OAuthClientInformationFull, { token }: { readonly token: string }): Promise<void> {
    this.access.delete(token);
    const given = this.#refresh.get(token);
    this.#refresh.delete(token);
    for (const [access, { clientId }] of this.access)
      if (given !== undefined && clientId === given.client) this.access.delete(access);
    return Promise.resolve();
  }

  #give(given: Given): OAuthTokens {
    const access = `access-${randomUUID()}`;
    const refresh = `refresh-${randomUUID()}`;
    this.#refresh.set(refresh, given);
    this.access.set(access, {
      clientId: given.client,
      scope: given.scope,
      ...(given.resource === undefined ? {} : { aud: given.resource }),
    });
    return {
      access_token: access,
      refresh_token: refresh,
      token_type: "bearer",
      expires_in: 3600,
      scope: given.scope,
    };
  }
}

function take(tokens: Map<string, Given>, token: string, forGood: boolean): Given {
  const given = tokens.get(token);
  if (given === undefined) throw new InvalidGrantError("unknown");
  if (forGood) tokens.delete(token);
  return given;
}
