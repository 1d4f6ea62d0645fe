import type { AuthContext } from "../../src/auth/model/authContext.ts";
import type { AuthOverrides, AuthSettings } from "../../src/auth/model/authSettings.ts";
import type { IssuerFacts, ResourceFacts } from "../../src/auth/model/facts.ts";
import type { PinnedNetwork, PinnedRequest, PinnedResponse } from "../../src/net/pinnedRequest.ts";
import { CollectingLog } from "./collectingListener.ts";
import { FakeClock } from "./fakeClock.ts";

/** Settings of a server `demo` at `https://mcp.test/mcp`, with nothing set. */
export function makeSettings(
  changes: Partial<Omit<AuthSettings, "overrides">> & { readonly overrides?: Partial<AuthOverrides> } = {},
): AuthSettings {
  const { overrides, ...rest } = changes;
  return {
    serverName: "demo",
    endpoint: new URL("https://mcp.test/mcp"),
    grant: { kind: "authorization_code" },
    registration: "auto",
    useServerScopes: false,
    redirectHost: "127.0.0.1",
    dpop: "off",
    overrides: { assumePkceS256: false, fakeIpRanges: [], ...overrides },
    ...rest,
  };
}

/** An authorization server that is all that is needed, and offers nothing more. */
export function makeIssuer(changes: Partial<IssuerFacts> = {}): IssuerFacts {
  return {
    issuer: "https://as.test",
    metadataUrl: "https://as.test/.well-known/oauth-authorization-server",
    authorizationEndpoint: "https://as.test/authorize",
    tokenEndpoint: "https://as.test/token",
    requiresPar: false,
    issInAnswers: false,
    takesMetadataClients: false,
    pkce: "announced",
    ...changes,
  };
}

/** A resource that names one authorization server, `https://as.test`. */
export function makeResource(changes: Partial<ResourceFacts> = {}): ResourceFacts {
  return {
    resource: "https://mcp.test/mcp",
    authorizationServers: ["https://as.test"],
    dpopRequired: false,
    metadataUrl: "https://mcp.test/.well-known/oauth-protected-resource/mcp",
    how: "path",
    ...changes,
  };
}

/** Metadata of an authorization server as it publishes it. */
export function issuerDocument(issuer: string, changes: object = {}): Record<string, unknown> {
  const base = issuer.replace(/\/$/, "");
  return {
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    code_challenge_methods_supported: ["S256"],
    ...changes,
  };
}

/** What is at an address: a document, an answer, or a failure to throw. */
export type FakeReply = Readonly<Record<string, unknown>> | PinnedResponse | Error;

/** A network that holds addresses and what is there; everything else is 404. */
export class FakeNetwork implements PinnedNetwork {
  readonly requests: PinnedRequest[] = [];
  readonly #replies: Readonly<Record<string, FakeReply>>;

  constructor(replies: Readonly<Record<string, FakeReply>>) {
    this.#replies = replies;
  }

  get urls(): string[] {
    return this.requests.map(({ url }) => url);
  }

  async send(request: PinnedRequest): Promise<PinnedResponse> {
    this.requests.push(request);
    const reply = this.#replies[request.url] ?? answer(404, "not found");
    if (reply instanceof Error) throw reply;
    return isAnswer(reply) ? reply : answer(200, JSON.stringify(reply));
  }

  zoneOf(): Promise<{ zone: "public"; proxy: undefined }> {
    return Promise.resolve({ zone: "public", proxy: undefined });
  }
}

function isAnswer(reply: object): reply is PinnedResponse {
  return typeof (reply as Partial<PinnedResponse>).body === "string" && "status" in reply;
}

/** Any HTTP answer. */
export function answer(status: number, body = "", headers: Record<string, string> = {}): PinnedResponse {
  return { status, headers, body };
}

/** What the steps of an authorization share, with a log that keeps its lines. */
export function makeContext(
  network: PinnedNetwork,
  settings: AuthSettings = makeSettings(),
  zone: AuthContext["zone"] = "public",
): AuthContext & { readonly log: CollectingLog } {
  return {
    settings,
    network,
    zone,
    clock: new FakeClock(),
    log: new CollectingLog(),
    signal: new AbortController().signal,
  };
}
