import { challengeOf } from "./pkce.ts";
import { startScriptedHttp, type ScriptedExchange, type ScriptedHttp } from "./scriptedHttp.ts";

/** What a test changes about the server. */
export interface SessionScript {
  /** Seconds that a token is good for, as the server says; undefined says nothing. */
  expiresIn?: number | undefined;
  /** Answers the token endpoint in place of the server; undefined leaves it to that. */
  token?: (asked: URLSearchParams, exchange: ScriptedExchange) => "answered" | undefined;
  /** Answers a request to the MCP endpoint with a good token; undefined answers 200. */
  resource?: (exchange: ScriptedExchange) => "answered" | undefined;
  revoke?: (exchange: ScriptedExchange) => void;
  /** False gives no refresh tokens. */
  refresh?: boolean;
  /** False gives no new refresh token for one that is used. */
  rotate?: boolean;
  /** The status of an authorization server that is out of order: asked for its metadata, it answers nothing else. */
  outage?: number;
  /** The authorization server that the metadata of the resource names. */
  issuer?: string;
  /** What the authorization server grants of what is asked. */
  grant?: (scope: string) => string;
  /** False announces no place to revoke at. */
  revocation?: boolean;
  /** Where the metadata says that tokens are got. */
  tokenEndpoint?: string;
  /** Refuses every token, however new. */
  takesNothing?: boolean;
  /** Further parameters of the challenge of a 401. */
  challenge?: string;
}

interface Code {
  readonly challenge: string;
  readonly scope: string;
  readonly client: string;
}

/**
 * An MCP endpoint and its authorization server on one loopback port. Refresh tokens rotate; one that is used twice ends
 * everything that came from the same sign-in, as real servers do. Every request is recorded.
 */
export class SessionServer {
  script: SessionScript = {};
  readonly authorizations: URLSearchParams[] = [];
  readonly tokenRequests: URLSearchParams[] = [];
  readonly revocations: URLSearchParams[] = [];
  readonly registrations: unknown[] = [];
  /** The `Authorization` of each request to the MCP endpoint. */
  readonly sent: (string | undefined)[] = [];
  /** Access tokens that the MCP endpoint takes. */
  readonly live = new Set<string>();
  readonly #http: ScriptedHttp;
  readonly #codes = new Map<string, Code>();
  /** The one refresh token of each sign-in that is good, by the sign-in. */
  readonly #families = new Map<string, { refresh: string; scope: string }>();
  #count = 0;

  constructor(http: ScriptedHttp) {
    this.#http = http;
    http.handler = (exchange) => this.#answer(exchange);
  }

  get origin(): string {
    return this.#http.origin;
  }

  get endpoint(): URL {
    return new URL(this.#http.url);
  }

  get refreshes(): readonly URLSearchParams[] {
    return this.tokenRequests.filter((asked) => asked.get("grant_type") === "refresh_token");
  }

  /** Everything that was ever received, as text, to look for what should not be there. */
  get received(): string {
    return this.#http.received;
  }

  /** Ends all refresh tokens. */
  endRefreshTokens(): void {
    this.#families.clear();
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #answer(exchange: ScriptedExchange): void {
    const url = new URL(exchange.request.path, this.origin);
    const body = new URLSearchParams(exchange.request.body);
    switch (url.pathname) {
      case "/mcp":
        return this.#protect(exchange);
      case "/.well-known/oauth-protected-resource/mcp":
        return exchange.json(200, {
          resource: `${this.origin}/mcp`,
          authorization_servers: [this.script.issuer ?? this.origin],
        });
      case "/.well-known/oauth-authorization-server":
        return this.script.outage === undefined
          ? exchange.json(200, this.#metadata())
          : exchange.answer(this.script.outage);
      case "/register":
        this.registrations.push(exchange.message);
        return exchange.json(201, {
          ...exchange.message,
          client_id: `client-${this.registrations.length}`,
          client_secret: undefined,
        });
      case "/authorize":
        return this.#authorize(exchange, url.searchParams);
      case "/token":
        this.tokenRequests.push(body);
        if (this.script.token?.(body, exchange) !== "answered") this.#token(exchange, body);
        return;
      case "/revoke":
        this.revocations.push(body);
        if (this.script.revoke === undefined) exchange.answer(200);
        else this.script.revoke(exchange);
        return;
      default:
        return exchange.answer(404);
    }
  }

  #protect(exchange: ScriptedExchange): void {
    const { authorization } = exchange.request.headers;
    this.sent.push(authorization);
    const token = /^Bearer (.*)$/.exec(authorization ?? "")?.[1];
    if (token !== undefined && this.live.has(token) && this.script.takesNothing !== true) {
      if (this.script.resource?.(exchange) !== "answered") exchange.json(200, {});
      return;
    }
    const error = token === undefined ? "" : ', error="invalid_token"';
    const challenge = `Bearer resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp"${error}`;
    exchange.answer(401, undefined, { "www-authenticate": challenge + (this.script.challenge ?? "") });
  }

  #metadata(): object {
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: this.script.tokenEndpoint ?? `${this.origin}/token`,
      registration_endpoint: `${this.origin}/register`,
      ...(this.script.revocation === false ? {} : { revocation_endpoint: `${this.origin}/revoke` }),
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #authorize(exchange: ScriptedExchange, asked: URLSearchParams): void {
    this.authorizations.push(asked);
    const code = `code-${this.#next()}`;
    this.#codes.set(code, {
      challenge: asked.get("code_challenge") ?? "",
      scope: asked.get("scope") ?? "",
      client: asked.get("client_id") ?? "",
    });
    const answer = new URLSearchParams({ code, state: asked.get("state") ?? "", iss: this.origin });
    exchange.answer(302, undefined, { location: `${asked.get("redirect_uri") ?? ""}?${answer.toString()}` });
  }

  #token(exchange: ScriptedExchange, asked: URLSearchParams): void {
    const grant = asked.get("grant_type");
    if (grant === "client_credentials") return this.#issue(exchange, "", undefined);
    if (grant === "refresh_token") return this.#refresh(exchange, asked.get("refresh_token") ?? "");
    const code = this.#codes.get(asked.get("code") ?? "");
    if (code?.challenge !== challengeOf(asked)) return exchange.json(400, { error: "invalid_grant" });
    this.#issue(exchange, this.script.grant?.(code.scope) ?? code.scope, `family-${this.#next()}`);
  }

  #refresh(exchange: ScriptedExchange, refresh: string): void {
    const family = refresh.split(".")[0] ?? "";
    const current = this.#families.get(family);
    if (current?.refresh !== refresh) {
      // Somebody used it twice: nobody knows who is the thief.
      this.#families.delete(family);
      return exchange.json(400, { error: "invalid_grant" });
    }
    this.#issue(exchange, current.scope, family, this.script.rotate === false ? refresh : undefined);
  }

  #issue(exchange: ScriptedExchange, scope: string, family: string | undefined, kept?: string): void {
    const access = `access-${this.#next()}`;
    this.live.add(access);
    const refresh = kept ?? `${family ?? ""}.${this.#next()}`;
    const hasRefresh = family !== undefined && this.script.refresh !== false;
    if (hasRefresh) this.#families.set(family, { refresh, scope });
    exchange.json(200, {
      access_token: access,
      token_type: "Bearer",
      expires_in: "expiresIn" in this.script ? this.script.expiresIn : 3600,
      ...(hasRefresh && kept === undefined ? { refresh_token: refresh } : {}),
      ...(scope === "" ? {} : { scope }),
    });
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

export async function startSessionServer(script: SessionScript = {}): Promise<SessionServer> {
  const server = new SessionServer(await startScriptedHttp(() => undefined));
  server.script = script;
  return server;
}
