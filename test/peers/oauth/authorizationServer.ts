import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, exportPKCS8, generateKeyPair } from "jose";
import { dropWhere, MemoryAdapter, type StoredItem } from "./memoryAdapter.ts";
import type {
  IssuedToken,
  Provider,
  ProviderClient,
  ProviderContext,
  ProviderModule,
} from "./providerTypes.ts";

// Through a variable: the package is installed beside the peers alone, and brings no types.
const PROVIDER = "oidc-provider";

/** Where the client's own metadata document is said to be. Nobody connects to it: the server is handed the document. */
export const CIMD_URL = "https://client.example/oauth/signalbox.json";

/** What the authorization server does. All of it may be left out. */
export interface AuthorizationServerOptions {
  /** The address of this machine that it listens on; `127.0.0.1` when left out. */
  readonly address?: string;
  /** Dynamic client registration. On unless false. */
  readonly registration?: boolean;
  /** Takes clients whose id is the address of a metadata document. */
  readonly cimd?: boolean;
  readonly par?: "off" | "offered" | "required";
  /** What the token endpoint wants of a proof's nonce. DPoP itself is always understood. */
  readonly dpopNonce?: boolean;
  /** Whether clients get refresh tokens. They do unless false. Each is good for one use. */
  readonly refresh?: boolean;
  /** Clients may use this grant, and the client `machine` is known. */
  readonly clientCredentials?: boolean;
  /** How long access tokens last, in seconds. An hour when left out. */
  readonly accessTokenSeconds?: number;
  /** Scopes of the resource that it gives. `mcp:read mcp:write` when left out. */
  readonly scopes?: readonly string[];
  /** What `scopes_supported` of its metadata lists: `openid` and `offline_access` when left out. */
  readonly ownScopes?: readonly string[];
  /** Redirect addresses of the clients that are registered by hand. Any port of loopback will do. */
  readonly redirectUris?: readonly string[];
}

/** A request that the authorization server got. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parameters of a form; empty for other bodies. */
  readonly form: URLSearchParams;
  readonly body: string;
  /** The status of the answer; 0 while there is none. */
  status: number;
}

/** The clients that are registered by hand, by how they prove who they are. */
export interface KnownClients {
  readonly basic: { readonly id: string; readonly secret: string };
  readonly post: { readonly id: string; readonly secret: string };
  /** `key` is PEM, PKCS #8; ES256. */
  readonly privateKey: { readonly id: string; readonly key: string };
  readonly open: { readonly id: string };
  /** For client credentials with a secret. */
  readonly machine: { readonly id: string; readonly secret: string };
}

/** Who gives tokens, as far as an MCP server has to know it. */
export interface TokenAuthority {
  readonly issuer: string;
  /** What an access token is good for; undefined for one that is unknown, used up, revoked or expired. */
  look(token: string): Promise<IssuedToken | undefined>;
}

/** `oidc-provider` on a loopback port. */
export interface AuthorizationServer extends TokenAuthority {
  readonly clients: KnownClients;
  readonly seen: readonly SeenRequest[];
  /** The requests to an endpoint, as in `/token`. */
  at(path: string): readonly SeenRequest[];
  /** The resources that tokens may be asked for, and the scopes that each knows; others are an `invalid_target`. */
  readonly resources: Map<string, readonly string[]>;
  /** Every access token stops being good, as if its time were over; refresh tokens stay. */
  expireAccessTokens(): void;
  /** Registered clients are unknown from now on, as after an operator cleared them out. */
  forgetClients(): void;
  /** Runs before each request is served; true means that it was answered. */
  intercept: ((request: SeenRequest, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
}

/** Starts it on a free port of loopback. Whoever starts it closes it. */
export async function startAuthorizationServer(
  options: AuthorizationServerOptions = {},
): Promise<AuthorizationServer> {
  const http = createServer();
  const { address = "127.0.0.1" } = options;
  await new Promise<void>((resolve) => http.listen(0, address, resolve));
  const issuer = `http://${address}:${String((http.address() as AddressInfo).port)}`;
  const { clients, configured } = await makeClients(options);
  const resources = new Map<string, readonly string[]>();
  const store = new Map<string, StoredItem>();
  const provider = await createProvider(issuer, ({ InvalidTarget }) => ({
    ...configurationOf(options, resources, InvalidTarget),
    clients: configured,
    adapter: (kind: string) => new MemoryAdapter(kind, store),
  }));
  const server: AuthorizationServer = {
    issuer,
    clients,
    seen: [],
    at: (path) => server.seen.filter((request) => request.path === path),
    resources,
    async look(token) {
      const found =
        (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
      return found;
    },
    expireAccessTokens() {
      dropWhere(store, (kind) => kind === "AccessToken" || kind === "ClientCredentials");
    },
    forgetClients() {
      dropWhere(store, (kind) => kind === "Client");
    },
    intercept: undefined,
    close: () => closeServer(http),
  };
  serve(http, server, provider.callback());
  return server;
}

function serve(
  http: Server,
  server: AuthorizationServer,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): void {
  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    // Nothing lingers after a test.
    response.shouldKeepAlive = false;
    void (async () => {
      const body = await readText(request);
      const { pathname, searchParams } = new URL(request.url ?? "/", server.issuer);
      const isForm =
        request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ?? false;
      const seen: SeenRequest = {
        method: request.method ?? "",
        path: pathname,
        query: searchParams,
        headers: request.headers,
        form: new URLSearchParams(isForm ? body : ""),
        body,
        status: 0,
      };
      (server.seen as SeenRequest[]).push(seen);
      response.once("finish", () => {
        seen.status = response.statusCode;
      });
      if (server.intercept?.(seen, response) === true) return;
      if (body !== "") replay(request, body);
      await handle(request, response);
    })();
  });
}

/** Lets the provider read a body that was read already: it looks at these two. */
function replay(request: IncomingMessage, body: string): void {
  Object.defineProperty(request, "readable", { value: true });
  Object.assign(request, { iterator: () => [Buffer.from(body)] });
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Closes a server and what is connected to it. */
export function closeServer(http: Server): Promise<void> {
  return new Promise((resolve) => {
    http.close(() => resolve());
    http.closeAllConnections();
  });
}

async function createProvider(
  issuer: string,
  configure: (errors: ProviderModule["errors"]) => object,
): Promise<Provider> {
  const { info, warn } = console;
  // It reminds of what a real deployment needs, on the console of the test run.
  Object.assign(console, { info: () => undefined, warn: () => undefined });
  try {
    const { default: Create, errors } = (await import(PROVIDER)) as ProviderModule;
    return new Create(issuer, configure(errors));
  } finally {
    Object.assign(console, { info, warn });
  }
}

/** What a resource knows when nothing else is said. */
export const DEFAULT_SCOPES = ["mcp:read", "mcp:write"];
const REDIRECT_URIS = ["http://127.0.0.1/callback", "http://localhost/callback"];

function configurationOf(
  options: AuthorizationServerOptions,
  resources: ReadonlyMap<string, readonly string[]>,
  InvalidTarget: ProviderModule["errors"]["InvalidTarget"],
): Readonly<Record<string, unknown>> {
  const lasts = options.accessTokenSeconds ?? 3600;
  const { par = "offered" } = options;
  return {
    scopes: options.ownScopes ?? ["openid", "offline_access"],
    cookies: { keys: ["a key for tests"] },
    pkce: { required: () => true },
    findAccount: (_context: ProviderContext, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    renderError: (context: ProviderContext, { error }: { readonly error: string }) => {
      context.type = "html";
      context.body = `<p>Something went wrong: ${error}</p>`;
    },
    ttl: {
      AccessToken: lasts,
      ClientCredentials: lasts,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 3600,
      Interaction: 600,
      IdToken: 3600,
    },
    issueRefreshToken: (_context: ProviderContext, client: ProviderClient) =>
      options.refresh !== false && client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    clientDefaults: { token_endpoint_auth_method: "none" },
    // It asks for the document of a client itself, with this.
    fetch: (url: string | URL) => Promise.resolve(answerMetadata(String(url))),
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: options.registration !== false },
      // Whoever has proved to be the client may.
      revocation: { enabled: true, allowedPolicy: () => true },
      clientCredentials: { enabled: options.clientCredentials === true },
      clientIdMetadataDocument: { enabled: options.cimd === true, ack: "draft-02" },
      pushedAuthorizationRequests: {
        enabled: par !== "off",
        requirePushedAuthorizationRequests: par === "required",
      },
      dPoP: {
        enabled: true,
        nonceSecret: randomBytes(32),
        requireNonce: () => options.dpopNonce === true,
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: ProviderContext, resource: string) => {
          const scopes = resources.get(resource);
          if (scopes === undefined) throw new InvalidTarget("the resource is unknown here");
          return {
            scope: scopes.join(" "),
            audience: resource,
            accessTokenTTL: lasts,
            accessTokenFormat: "opaque",
          };
        },
      },
    },
  };
}

function answerMetadata(url: string): Response {
  if (url !== CIMD_URL) return new Response("not found", { status: 404 });
  return Response.json({
    client_id: CIMD_URL,
    client_name: "Signalbox",
    application_type: "native",
    redirect_uris: REDIRECT_URIS,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
}

async function makeClients(
  options: AuthorizationServerOptions,
): Promise<{ clients: KnownClients; configured: readonly object[] }> {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const clients: KnownClients = {
    basic: { id: "known-basic", secret: `basic:%+/${randomBytes(16).toString("hex")}` },
    post: { id: "known-post", secret: `post-${randomBytes(16).toString("hex")}` },
    privateKey: { id: "known-key", key: await exportPKCS8(privateKey) },
    open: { id: "known-open" },
    machine: { id: "machine", secret: `machine-${randomBytes(16).toString("hex")}` },
  };
  const browser = {
    application_type: "native",
    redirect_uris: options.redirectUris ?? REDIRECT_URIS,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
  const { basic, post, privateKey: key, open, machine } = clients;
  const configured = [
    {
      ...browser,
      client_id: basic.id,
      client_secret: basic.secret,
      token_endpoint_auth_method: "client_secret_basic",
    },
    {
      ...browser,
      client_id: post.id,
      client_secret: post.secret,
      token_endpoint_auth_method: "client_secret_post",
    },
    {
      ...browser,
      client_id: key.id,
      token_endpoint_auth_method: "private_key_jwt",
      grant_types: [
        ...browser.grant_types,
        ...(options.clientCredentials === true ? ["client_credentials"] : []),
      ],
      jwks: { keys: [{ ...(await exportJWK(publicKey)), alg: "ES256", use: "sig" }] },
    },
    { ...browser, client_id: open.id, token_endpoint_auth_method: "none" },
    ...(options.clientCredentials === true
      ? [
          {
            client_id: machine.id,
            client_secret: machine.secret,
            token_endpoint_auth_method: "client_secret_basic",
            grant_types: ["client_credentials"],
            response_types: [],
            redirect_uris: [],
          },
        ]
      : []),
  ];
  return { clients, configured };
}
