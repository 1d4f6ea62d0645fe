import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

import { createPinnedNetwork } from "../../src/net/createPinnedNetwork.ts";
import { NetError, type NetErrorCode } from "../../src/net/netError.ts";
import type {
  PinnedNetwork,
  PinnedNetworkOptions,
  PinnedRequest,
  PinnedResponse,
  ResolveHost,
} from "../../src/net/pinnedRequest.ts";
import { CollectingLog } from "./collectingListener.ts";
import { surroundings } from "./networkHelpers.ts";
import { never } from "./transportHelpers.ts";

/** A listener that nobody should reach: it counts connections and bytes, and says nothing. */
export class Canary {
  connections = 0;
  bytes = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on("data", (chunk: Buffer) => (this.bytes += chunk.length));
      socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
    });
  }

  static async start(host = "127.0.0.1", port = 0): Promise<Canary> {
    const canary = new Canary();
    await new Promise<void>((resolve, reject) => {
      canary.#server.once("error", reject);
      canary.#server.listen(port, host, resolve);
    });
    return canary;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

/**
 * A resolver that knows these names and no other. A list of lists are the answers to one question after the other; the
 * last one stays.
 */
export function knowing(
  names: Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>>,
): ResolveHost & { readonly asked: string[] } {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<readonly string[]> => {
    const answers = names[host];
    const count = asked.filter((name) => name === host).length;
    asked.push(host);
    if (answers === undefined) {
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
    }
    const found = answers[Math.min(count, answers.length - 1)];
    return typeof found === "string" ? (answers as readonly string[]) : (found ?? []);
  };
  return Object.assign(resolve, { asked });
}

/** A pinned network for the server “demo”, and what it logs. */
export function pinnedNetwork(
  given: Partial<PinnedNetworkOptions> = {},
): PinnedNetwork & { readonly log: CollectingLog } {
  const log = new CollectingLog();
  const network = createPinnedNetwork({
    serverName: "demo",
    route: {},
    network: () => surroundings(),
    fakeIpRanges: [],
    log,
    resolve: knowing({}),
    ...given,
  });
  return {
    send: (request) => network.send(request),
    zoneOf: (url, signal, how) => network.zoneOf(url, signal, how),
    log,
  };
}

/** One GET, unless told otherwise, of something in the zone of this machine. */
export function send(
  network: PinnedNetwork,
  url: string,
  more: Partial<PinnedRequest> = {},
): Promise<PinnedResponse> {
  return network.send({ method: "GET", url, headers: {}, from: "loopback", signal: never, ...more });
}

/** The error of work that must fail with a NetError of this code; it names the server. */
export async function netErrorOf(work: Promise<unknown>, code: NetErrorCode): Promise<NetError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof NetError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(`${error.message} ${error.remedy ?? ""}`, /“demo”/);
    return error;
  }
  throw new Error("It did not fail");
}
