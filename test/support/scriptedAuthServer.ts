import { challengeOf } from "./pkce.ts";
import { type ScriptedExchange, type ScriptedHttp, startScriptedHttp } from "./scriptedHttp.ts";

/**
 * A small authorization server on a loopback port whose every answer a test may bend, and the metadata of an MCP
 * endpoint that names it. It checks PKCE and redirect addresses as a real one does, and counts what it was asked.
 */
export interface AuthScript {
  /** Changes the metadata of the authorization server. Undefined takes a field away. */
  metadata?: (origin: string) => Record<string, unknown>;
  /** Changes the metadata of the resource. */
  resource?: (origin: string) => Record<string, unknown>;
  /** Changes the parameters of the redirect back; a string is an address to redirect to in its place. */
  authorize?: (asked: URLSearchParams, parameters: Record<string, string>) => Record<string, string> | string;
  /** Answers the token endpoint in place of the check; undefined leaves it to that. */
  token?: (asked: URLSearchParams) => { status: number; body: object } | undefined;
  push?: (asked: URLSearchParams) => { status: number; body: object } | undefined;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scope: string;
}

export class ScriptedAuthServer {
  script: AuthScript = {};
  /** The parameters of every authorization request, pushed or not. */
  readonly authorizations: URLSearchParams[] = [];
  readonly tokenRequests: URLSearchParams[] = [];
  readonly registrations: Record<string, unknown>[] = [];
  readonly pushes: URLSearchParams[] = [];
  readonly #grants = new Map<string, Grant>();
  readonly #pushed = new Map<string, URLSearchParams>();
  readonly #http: ScriptedHttp;

  constructor(server: ScriptedHttp) {
    this.#http = server;
    server.handler = (exchange) => this.#answer(exchange);
  }

  /** Also its issuer. */
  get origin(): string {
    return this.#http.origin;
  }

  get endpoint(): URL {
    return new URL(this.#http.url);
  }

  /** How often anything was asked, metadata included. */
  get requests(): readonly string[] {
    return this.#http.requests.map(({ method, path }) => `${method} ${path.split("?")[0] ?? ""}`);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #answer(exchange: ScriptedExchange): void {
    const url = new URL(exchange.request.path, this.origin);
    const body = new URLSearchParams(exchange.request.body);
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return exchange.json(200, this.#resourceMetadata());
      case "/.well-known/oauth-authorization-server":
        return exchange.json(200, this.#metadata());
      case "/register":
        return this.#register(exchange);
      case "/par":
        return this.#push(exchange, body);
      case "/authorize":
        return this.#authorize(exchange, url.searchParams);
      case "/token":
        return this.#token(exchange, body);
      default:
        return exchange.answer(404);
    }
  }

  #resourceMetadata(): object {
    return {
      resource: `${this.origin}/mcp`,
      authorization_servers: [this.origin],
      ...this.script.resource?.(this.origin),
    };
  }

  #metadata(): object {
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      registration_endpoint: `${this.origin}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
      ...this.script.metadata?.(this.origin),
    };
  }

  #register(exchange: ScriptedExchange): void {
    const wish = JSON.parse(exchange.request.body) as Record<string, unknown>;
    this.registrations.push(wish);
    exchange.json(201, { ...wish, client_id: `client-${this.registrations.length}` });
  }

  #push(exchange: ScriptedExchange, body: URLSearchParams): void {
    this.pushes.push(body);
    const scripted = this.script.push?.(body);
    if (scripted !== undefined) return exchange.json(scripted.status, scripted.body);
    const handle = `urn:ietf:params:oauth:request_uri:${this.pushes.length}`;
    this.#pushed.set(handle, body);
    exchange.json(201, { request_uri: handle, expires_in: 60 });
  }

  #authorize(exchange: ScriptedExchange, query: URLSearchParams): void {
    const asked = this.#pushed.get(query.get("request_uri") ?? "") ?? query;
    this.authorizations.push(asked);
    const redirectUri = asked.get("redirect_uri") ?? "";
    const code = `code-${this.authorizations.length}`;
    this.#grants.set(code, {
      challenge: asked.get("code_challenge") ?? "",
      redirectUri,
      scope: asked.get("scope") ?? "",
    });
    const parameters = { code, state: asked.get("state") ?? "", iss: this.origin };
    const changed = this.script.authorize?.(asked, parameters) ?? parameters;
    exchange.answer(302, undefined, {
      location:
        typeof changed === "string" ? changed : `${redirectUri}?${new URLSearchParams(changed).toString()}`,
    });
  }

  #token(exchange: ScriptedExchange, body: URLSearchParams): void {
    this.tokenRequests.push(body);
    const scripted = this.script.token?.(body);
    if (scripted !== undefined) return exchange.json(scripted.status, scripted.body);
    const code = body.get("code") ?? "";
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    if (grant?.challenge !== challengeOf(body) || grant.redirectUri !== body.get("redirect_uri"))
      return exchange.json(400, { error: "invalid_grant" });
    const tokens = {
      access_token: "token-1",
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: "refresh-1",
    };
    exchange.json(200, grant.scope === "" ? tokens : { ...tokens, scope: grant.scope });
  }
}

/** Starts one. `host` may be another address of this machine. */
export async function startScriptedAuthServer(
  script: AuthScript = {},
  host = "127.0.0.1",
): Promise<ScriptedAuthServer> {
  const server = new ScriptedAuthServer(await startScriptedHttp(() => undefined, { host }));
  server.script = { ...script };
  return server;
}
