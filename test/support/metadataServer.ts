import type { AuthContext } from "../../src/auth/model/authContext.ts";
import type { CollectingLog } from "./collectingListener.ts";
import { makeContext, makeSettings } from "./authFixtures.ts";
import { pinnedNetwork } from "./pinnedHelpers.ts";
import { type RecordedRequest, type ScriptedHttp, startScriptedHttp } from "./scriptedHttp.ts";

/** What is at a path: a JSON document, or an answer with any status and body. */
export type PlacedReply =
  | { readonly json: unknown }
  | {
      readonly status: number;
      readonly body?: string | Buffer;
      readonly headers?: Readonly<Record<string, string>>;
    };

/**
 * A server on a loopback port that has what a test puts at its paths, and 404 everywhere else. It plays the resource as
 * well as the authorization server: its `/mcp` is the endpoint, its origin the issuer.
 */
export class MetadataServer {
  /** By path. May be changed at any time. */
  readonly places: Record<string, PlacedReply> = {};
  readonly #http: ScriptedHttp;

  constructor(http: ScriptedHttp) {
    this.#http = http;
    http.handler = (exchange) => {
      const reply = this.places[exchange.request.path] ?? { status: 404, body: "not found" };
      if ("json" in reply) exchange.json(200, reply.json);
      else exchange.answer(reply.status, reply.body, reply.headers);
    };
  }

  get origin(): string {
    return this.#http.origin;
  }

  get requests(): readonly RecordedRequest[] {
    return this.#http.requests;
  }

  /** Method and path of all requests, in their order. */
  get asked(): readonly string[] {
    return this.#http.requests.map(({ method, path }) => `${method} ${path}`);
  }

  get connections(): number {
    return this.#http.connections;
  }

  close(): Promise<void> {
    return this.#http.close();
  }
}

export async function startMetadataServer(
  places: Readonly<Record<string, PlacedReply>> = {},
): Promise<MetadataServer> {
  const server = new MetadataServer(await startScriptedHttp(() => undefined));
  Object.assign(server.places, places);
  return server;
}

/** The steps of an authorization over real connections, for an endpoint on this machine. */
export function makeLoopbackContext(
  endpoint: string,
  changes: Parameters<typeof makeSettings>[0] = {},
): AuthContext & { readonly log: CollectingLog } {
  const settings = makeSettings({ endpoint: new URL(endpoint), ...changes });
  return makeContext(pinnedNetwork({ serverName: settings.serverName }), settings, "loopback");
}
