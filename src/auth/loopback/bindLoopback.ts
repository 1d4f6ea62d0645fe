import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

import { AuthError } from "../authError.ts";

/** The two names of this machine that authorization servers know. */
export type LoopbackHost = "127.0.0.1" | "localhost";

/** What listens, on one port. */
export interface BoundServers {
  readonly port: number;
  close(): void;
}

/** Who is told of what arrives. */
export interface LoopbackHandlers {
  connected(socket: Socket): void;
  requested(request: IncomingMessage, response: ServerResponse): void;
  /** Something that is not HTTP, or too much of it. The connection is closed. */
  garbled(): void;
}

/** A browser sends its request at once. */
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;
/** How often another free port is looked for, where the first is free in one address family only. */
const MAX_ATTEMPTS = 8;

/** Codes of a system without IPv6, or without its loopback address. */
const NO_IPV6 = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL", "EPROTONOSUPPORT"]);

/**
 * Listens on 127.0.0.1, and for `localhost` on ::1 as well where there is one, because a browser may try either.
 * Never on an address that another machine reaches. Does not keep the process alive.
 *
 * @throws AuthError `port-taken` when a port is named and cannot be had.
 */
export async function bindLoopback(
  facts: { readonly host: LoopbackHost; readonly port: number | undefined; readonly serverName: string },
  handlers: LoopbackHandlers,
): Promise<BoundServers> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await bindOnce(facts, handlers);
    } catch (error) {
      if (facts.port === undefined && attempt < MAX_ATTEMPTS) continue;
      throw new AuthError(
        "port-taken",
        { server: facts.serverName, port: facts.port ?? 0, reason: codeOf(error) },
        { cause: error },
      );
    }
  }
}

async function bindOnce(
  { host, port }: { readonly host: LoopbackHost; readonly port: number | undefined },
  handlers: LoopbackHandlers,
): Promise<BoundServers> {
  const first = await listen("127.0.0.1", port ?? 0, handlers);
  const servers = [first];
  const close = (): void => servers.forEach((server) => server.close());
  const bound = (first.address() as AddressInfo).port;
  if (host === "localhost") {
    try {
      servers.push(await listen("::1", bound, handlers));
    } catch (error) {
      if (!NO_IPV6.has(codeOf(error))) {
        close();
        throw error;
      }
    }
  }
  return { port: bound, close };
}

function listen(address: string, port: number, handlers: LoopbackHandlers): Promise<Server> {
  const server = http.createServer({
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
  });
  server.on("connection", (socket) => handlers.connected(socket));
  server.on("request", (request, response) => handlers.requested(request, response));
  server.on("clientError", (_error, socket) => {
    socket.destroy();
    handlers.garbled();
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: address, port, ipv6Only: true }, () => {
      server.off("error", reject);
      // What goes wrong later, such as too many open files, is a request that does not arrive.
      server.on("error", () => undefined);
      resolve(server);
    });
  });
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown";
}
