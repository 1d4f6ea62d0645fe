import { createHash, randomUUID } from "node:crypto";
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, jwtVerify, type JWK } from "jose";
import { createEndpointOne } from "../fixtures/endpointOne.ts";
import { createEndpointTwo } from "../fixtures/endpointTwo.ts";
import { closeServer, type TokenAuthority } from "./authorizationServer.ts";

/** How the protected MCP server is served and what it wants. All of it may be left out. */
export interface ProtectedServerOptions {
  /** The generation of the official SDK behind it. `two` when left out. */
  readonly generation?: "one" | "two";
  /** How the fixture answers, as the forms of the matrix name it. `plain` when left out, `session-sse` for `one`. */
  readonly form?: string;
  /** The scope that every request needs; `mcp:read` when left out, none for an empty text. */
  readonly scope?: string;
  /** The scopes that calls of tools need beside it, by the tool's name. `touch` needs `mcp:write` when left out. */
  readonly toolScopes?: Readonly<Record<string, string>>;
  /** Takes tokens that are bound to a key alone, and says so in its metadata. */
  readonly dpop?: boolean;
  /** Wants a nonce in proofs. */
  readonly dpopNonce?: boolean;
  /** The `resource` of its metadata; the MCP endpoint itself when left out. */
  readonly resource?: (endpoint: string) => string;
  /** What `scopes_supported` of its metadata lists; null leaves it out. `mcp:read` when left out. */
  readonly listedScopes?: readonly string[] | null;
  /** Whether its challenge names a scope. It does unless false. */
  readonly challengeScope?: boolean;
  /** Whether its challenge names the address of the metadata. It does unless false. */
  readonly challengeMetadata?: boolean;
}

/** A request to the MCP endpoint, and what became of it. */
export interface GuardedRequest {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly proof: string | undefined;
  /** The methods of the messages in it, as in `tools/call touch`. */
  readonly messages: readonly string[];
  status: number;
}

/** An MCP server on an official SDK behind a guard that wants tokens of an authorization server. */
export interface ProtectedServer {
  readonly url: string;
  readonly resource: string;
  readonly requests: readonly GuardedRequest[];
  /** The authorization servers that its metadata names, which a test may change. */
  authorizationServers: readonly string[];
  close(): Promise<void>;
}

/** Starts it on a free port of loopback, with its resource made known to the authorization server. */
export async function startProtectedServer(
  authority: TokenAuthority,
  options: ProtectedServerOptions = {},
): Promise<ProtectedServer> {
  const generation = options.generation ?? "two";
  const form = options.form ?? (generation === "one" ? "session-sse" : "plain");
  const endpoint = (generation === "one" ? createEndpointOne : createEndpointTwo)(form);
  const inner = createServer((request, response) => void endpoint(request, response));
  const innerPort = await listen(inner);
  const http = createServer();
  const origin = `http://127.0.0.1:${String(await listen(http))}`;
  const url = `${origin}/${form}/mcp`;
  const resource = options.resource?.(url) ?? url;
  const server: ProtectedServer = {
    url,
    resource,
    requests: [],
    authorizationServers: [authority.issuer],
    async close() {
      await Promise.all([closeServer(http), closeServer(inner)]);
    },
  };
  const guard = new Guard(authority, server, options);
  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    void guard.handle(request, response, innerPort);
  });
  return server;
}

async function listen(http: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return (http.address() as AddressInfo).port;
}

/** Why a request is not let through. */
interface Refusal {
  readonly status: 401 | 403;
  readonly error?: string;
  readonly scope?: string;
}

class Guard {
  readonly #authority: TokenAuthority;
  readonly #server: ProtectedServer;
  readonly #options: ProtectedServerOptions;
  readonly #proofs = new Set<string>();
  #nonce = randomUUID();

  constructor(authority: TokenAuthority, server: ProtectedServer, options: ProtectedServerOptions) {
    this.#authority = authority;
    this.#server = server;
    this.#options = options;
  }

  async handle(request: IncomingMessage, response: ServerResponse, innerPort: number): Promise<void> {
    const path = request.url ?? "/";
    if (path === this.#metadataPath()) {
      sendJson(response, this.#metadata());
      return;
    }
    if (path !== new URL(this.#server.url).pathname) {
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const seen: GuardedRequest = {
      method: request.method ?? "",
      authorization: request.headers.authorization,
      proof: headerOf(request, "dpop"),
      messages: messagesIn(body),
      status: 0,
    };
    (this.#server.requests as GuardedRequest[]).push(seen);
    const refusal = await this.#judge(seen);
    if (refusal === undefined) {
      forward(request, body, response, innerPort, seen);
      return;
    }
    seen.status = refusal.status;
    this.#refuse(response, refusal);
  }

  #metadataPath(): string {
    return `/.well-known/oauth-protected-resource${new URL(this.#server.url).pathname}`;
  }

  #metadata(): object {
    const listed = this.#options.listedScopes === undefined ? ["mcp:read"] : this.#options.listedScopes;
    return {
      resource: this.#server.resource,
      authorization_servers: this.#server.authorizationServers,
      bearer_methods_supported: ["header"],
      ...(listed === null ? {} : { scopes_supported: listed }),
      ...(this.#options.dpop === true ? { dpop_bound_access_tokens_required: true } : {}),
    };
  }

  async #judge({ authorization, proof, method, messages }: GuardedRequest): Promise<Refusal | undefined> {
    const { scheme, value } = readAuthorization(authorization);
    const scope = this.#options.scope ?? "mcp:read";
    if (value === "") return { status: 401, scope };
    const token = await this.#authority.look(value);
    const invalid = { status: 401, error: "invalid_token", scope } as const;
    if (token === undefined || ![token.aud].flat().includes(this.#server.resource)) return invalid;
    if (token.jkt !== undefined || this.#options.dpop === true) {
      if (scheme !== "DPoP" || proof === undefined) return invalid;
      const problem = await this.#checkProof(proof, method, value, token.jkt);
      if (problem !== undefined) return { status: 401, error: problem, scope };
    }
    const granted = (token.scope ?? "").split(" ");
    const missing = this.#neededScopes(messages).filter((one) => !granted.includes(one));
    return missing.length === 0
      ? undefined
      : { status: 403, error: "insufficient_scope", scope: missing.join(" ") };
  }

  #neededScopes(messages: readonly string[]): readonly string[] {
    const { scope = "mcp:read", toolScopes = { touch: "mcp:write" } } = this.#options;
    const ofTools = messages.flatMap((message) => toolScopes[message.replace(/^tools\/call /, "")] ?? []);
    return scope === "" ? ofTools : [scope, ...ofTools];
  }

  async #checkProof(
    proof: string,
    method: string,
    token: string,
    thumbprint: string | undefined,
  ): Promise<string | undefined> {
    try {
      const { payload } = await jwtVerify(proof, EmbeddedJWK, { typ: "dpop+jwt" });
      const { jwk } = decodeProtectedHeader(proof);
      const wanted = {
        htm: method,
        htu: this.#server.url,
        ath: createHash("sha256").update(token).digest("base64url"),
      };
      const isRight = Object.entries(wanted).every(([name, value]) => payload[name] === value);
      if (!isRight || payload.jti === undefined || this.#proofs.has(payload.jti)) return "invalid_dpop_proof";
      if ((await calculateJwkThumbprint(jwk as JWK)) !== thumbprint) return "invalid_token";
      if (this.#options.dpopNonce === true && payload["nonce"] !== this.#nonce) return "use_dpop_nonce";
      this.#proofs.add(payload.jti);
      return undefined;
    } catch {
      return "invalid_dpop_proof";
    }
  }

  #refuse(response: ServerResponse, { status, error, scope }: Refusal): void {
    const { challengeScope, challengeMetadata, dpop, dpopNonce } = this.#options;
    const parameters = [
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(scope === undefined || scope === "" || challengeScope === false ? [] : [`scope="${scope}"`]),
      ...(challengeMetadata === false
        ? []
        : [`resource_metadata="${new URL(this.#metadataPath(), this.#server.url).href}"`]),
      ...(dpop === true ? ['algs="ES256"'] : []),
    ];
    if (error === "use_dpop_nonce") this.#nonce = randomUUID();
    const scheme = dpop === true ? "DPoP" : "Bearer";
    response
      .writeHead(status, {
        "www-authenticate": `${scheme} ${parameters.join(", ")}`,
        ...(dpopNonce === true ? { "dpop-nonce": this.#nonce } : {}),
      })
      .end();
  }
}

function readAuthorization(header = ""): { readonly scheme: string; readonly value: string } {
  const [, scheme = "", value = ""] = /^(\w+) (\S+)$/.exec(header) ?? [];
  return { scheme, value };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

function messagesIn(body: Buffer): readonly string[] {
  if (body.length === 0) return [];
  const messages = [JSON.parse(body.toString()) as Message | readonly Message[]].flat() as readonly Message[];
  return messages.map(({ method = "answer", params }) => [method, params?.name ?? ""].join(" ").trim());
}

interface Message {
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Passes a request on to the server behind the guard, which sees no credential. */
function forward(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  port: number,
  seen: GuardedRequest,
): void {
  const { authorization: _authorization, dpop: _dpop, ...headers } = request.headers;
  const inner = sendRequest(
    { host: "127.0.0.1", port, path: request.url, method: request.method, headers, agent: false },
    (answer) => {
      seen.status = answer.statusCode ?? 0;
      const { connection: _connection, ...kept } = answer.headers;
      response.writeHead(seen.status, kept);
      response.flushHeaders();
      answer.pipe(response);
      answer.once("error", () => response.destroy());
    },
  );
  inner.once("error", () => response.destroy());
  response.once("close", () => inner.destroy());
  inner.end(body);
}
