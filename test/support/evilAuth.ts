import { randomBytes } from "node:crypto";
import { GuardedServer } from "./guardedServer.ts";
import { challengeOf } from "./pkce.ts";
import { type ScriptedExchange, type ScriptedHttp, startScriptedHttp } from "./scriptedHttp.ts";

/** Bends one answer: `normal` gives the ordinary one. A document may be changed and answered with `exchange.json`. */
export type Bend = (exchange: ScriptedExchange, normal: () => void) => void;

/** What a test bends, by what is asked for. */
export interface Bends {
  /** Metadata of the resource, changed. */
  resource?: (document: Record<string, unknown>) => Record<string, unknown>;
  /** Metadata of the authorization server, changed. */
  metadata?: (document: Record<string, unknown>) => Record<string, unknown>;
  register?: Bend;
  authorize?: Bend;
  token?: Bend;
  revoke?: Bend;
  /** A request to the MCP endpoint with a token that is good. */
  mcp?: Bend;
  /** The scope that calls of tools need. */
  toolScope?: string;
}

/** What every secret that an evil server makes begins with: it must not be seen anywhere. */
export const MARK = "m4rk3d";

interface Code {
  readonly challenge: string;
  readonly scope: string;
}

/** One authorization server that a test bends. Every request to it is recorded. */
export class EvilAuthority {
  readonly http: ScriptedHttp;
  readonly bends: Bends;
  /** Everything secret that it gave or got: codes, tokens, secrets, states, verifiers. */
  readonly secrets = new Set<string>();
  readonly live = new Map<string, string>();
  readonly #codes = new Map<string, Code>();
  readonly #refresh = new Map<string, string>();

  private constructor(http: ScriptedHttp, bends: Bends) {
    this.http = http;
    this.bends = bends;
    http.handler = (exchange) => this.#serve(exchange);
  }

  static async start(bends: Bends = {}): Promise<EvilAuthority> {
    return new EvilAuthority(await startScriptedHttp(() => undefined), bends);
  }

  get issuer(): string {
    return this.http.origin;
  }

  /** The requests to one path, such as `/token`. */
  at(path: string): readonly { readonly form: URLSearchParams; readonly query: URLSearchParams }[] {
    return this.http.requests
      .filter((request) => new URL(request.path, this.issuer).pathname === path)
      .map(({ body, path: target }) => ({
        form: new URLSearchParams(body),
        query: new URL(target, this.issuer).searchParams,
      }));
  }

  /** The paths of everything that was asked, without what is public. */
  get asked(): readonly string[] {
    return this.http.requests
      .map(({ path }) => new URL(path, this.issuer).pathname)
      .filter((path) => !path.startsWith("/.well-known/"));
  }

  /** Everything that ever arrived, as text. */
  get received(): string {
    return this.http.received;
  }

  expire(): void {
    this.live.clear();
  }

  /** A secret that can be found again. */
  make(kind: string): string {
    const secret = `${MARK}-${kind}-${randomBytes(12).toString("hex")}`;
    this.secrets.add(secret);
    return secret;
  }

  #serve(exchange: ScriptedExchange): void {
    const { pathname, searchParams } = new URL(exchange.request.path, this.issuer);
    const form = new URLSearchParams(exchange.request.body);
    for (const name of ["state", "code_verifier", "client_secret", "client_assertion", "assertion"]) {
      const value = form.get(name) ?? searchParams.get(name);
      if (value !== null) this.secrets.add(value);
    }
    const serve = (bend: Bend | undefined, normal: () => void): void => {
      if (bend === undefined) normal();
      else bend(exchange, normal);
    };
    switch (pathname) {
      case "/.well-known/oauth-authorization-server":
        return exchange.json(200, this.bends.metadata?.(this.#metadata()) ?? this.#metadata());
      case "/register":
        return serve(this.bends.register, () => this.#register(exchange));
      case "/authorize":
        return serve(this.bends.authorize, () => this.#authorize(exchange, searchParams));
      case "/token":
        return serve(this.bends.token, () => this.#token(exchange, form));
      case "/revoke":
        return serve(this.bends.revoke, () => exchange.answer(200));
      default:
        return exchange.answer(404);
    }
  }

  #metadata(): Record<string, unknown> {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #register(exchange: ScriptedExchange): void {
    exchange.json(201, {
      ...(exchange.message as object),
      client_id: `client-${randomBytes(4).toString("hex")}`,
      client_secret: this.make("client-secret"),
      client_secret_expires_at: 0,
    });
  }

  #authorize(exchange: ScriptedExchange, asked: URLSearchParams): void {
    const code = this.make("code");
    this.#codes.set(code, { challenge: asked.get("code_challenge") ?? "", scope: asked.get("scope") ?? "" });
    const back = new URL(asked.get("redirect_uri") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", asked.get("state") ?? "");
    back.searchParams.set("iss", this.issuer);
    exchange.answer(302, "", { location: back.href, connection: "close" });
  }

  #token(exchange: ScriptedExchange, form: URLSearchParams): void {
    const scope =
      form.get("grant_type") === "refresh_token" ? this.#redeemRefresh(form) : this.#redeemCode(form);
    if (scope === undefined) return exchange.json(400, { error: "invalid_grant" });
    const access = this.make("access");
    const refresh = this.make("refresh");
    this.live.set(access, scope);
    this.#refresh.set(refresh, scope);
    exchange.json(200, {
      access_token: access,
      refresh_token: refresh,
      token_type: "Bearer",
      expires_in: 3600,
      scope,
      id_token: this.make("id-token"),
    });
  }

  #redeemCode(form: URLSearchParams): string | undefined {
    const code = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    return code?.challenge === challengeOf(form) ? code.scope : undefined;
  }

  #redeemRefresh(form: URLSearchParams): string | undefined {
    const token = form.get("refresh_token") ?? "";
    const scope = this.#refresh.get(token);
    this.#refresh.delete(token);
    return scope;
  }
}

/** An MCP server with its authorization server, both of which a test bends, each on a port of its own. */
export class EvilAuth {
  readonly authority: EvilAuthority;
  readonly server: GuardedServer;
  readonly bends: Bends;
  /** The authorization servers that its metadata names. */
  issuers: readonly string[];
  /** Others whose tokens are taken too. */
  readonly trusted = new Set<EvilAuthority>();
  readonly #owned: EvilAuthority[] = [];

  private constructor(authority: EvilAuthority, server: GuardedServer, bends: Bends) {
    this.authority = authority;
    this.server = server;
    this.bends = bends;
    this.issuers = [authority.issuer];
    this.trusted.add(authority);
  }

  static async start(bends: Bends = {}): Promise<EvilAuth> {
    const authority = await EvilAuthority.start(bends);
    const server = await GuardedServer.start("modern", (exchange, about) => evil.#guard(exchange, about));
    const evil = new EvilAuth(authority, server, bends);
    server.challenge = `Bearer resource_metadata="${evil.#metadataUrl}", scope="${MARK_SCOPE}"`;
    return evil;
  }

  get #metadataUrl(): string {
    return `${this.server.http.origin}${METADATA_PATH}`;
  }

  get url(): string {
    return this.server.url;
  }

  /** Another authorization server, closed with this one. */
  async another(bends: Bends = {}): Promise<EvilAuthority> {
    const other = await EvilAuthority.start(bends);
    this.#owned.push(other);
    return other;
  }

  /** The tokens that the MCP endpoint was ever sent. */
  get tokensSent(): readonly string[] {
    return this.server.http.requests.flatMap(({ headers }) => headers.authorization ?? []);
  }

  async close(): Promise<void> {
    await Promise.all([
      this.server.close(),
      this.authority.http.close(),
      ...this.#owned.map((one) => one.http.close()),
    ]);
  }

  #guard(exchange: ScriptedExchange, about: string): boolean | "answered" {
    if (exchange.request.path === METADATA_PATH) {
      const document = { resource: this.url, authorization_servers: this.issuers };
      exchange.json(200, this.bends.resource?.(document) ?? document);
      return "answered";
    }
    const token = /^Bearer (.*)$/.exec(exchange.request.headers.authorization ?? "")?.[1] ?? "";
    const scope = [...this.trusted].map(({ live }) => live.get(token)).find((found) => found !== undefined);
    if (scope === undefined) return false;
    const { toolScope, mcp } = this.bends;
    if (about === "tools/call" && toolScope !== undefined && !scope.split(" ").includes(toolScope)) {
      const parameters = `error="insufficient_scope", scope="${toolScope}", resource_metadata="${this.#metadataUrl}"`;
      exchange.answer(403, "", { "www-authenticate": `Bearer ${parameters}` });
      return "answered";
    }
    if (mcp === undefined || about === "subscriptions/listen") return true;
    let isNormal = false;
    mcp(exchange, () => {
      isNormal = true;
    });
    return isNormal || "answered";
  }
}

const METADATA_PATH = "/.well-known/oauth-protected-resource/mcp";
/** The scope that the challenge of every evil server names. */
export const MARK_SCOPE = "files:read";
