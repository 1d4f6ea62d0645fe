import http from "node:http";
import https from "node:https";
import net, { type AddressInfo, Socket } from "node:net";

import type { Certificate } from "./makeCertificates.ts";

/** What a proxy does with a request for a tunnel. */
export type ProxyAnswer =
  /** Connects to this port of this machine, whatever host was asked for. */
  | { readonly kind: "tunnel"; readonly port: number }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "close" }
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "silence" };

/** A request for a tunnel as it was received. */
export interface TunnelRequest {
  /** Host and port, as in `mcp.internal.test:443`. */
  readonly target: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** A real proxy on a loopback port that only makes tunnels. Close it when the test ends. */
export class ConnectProxy {
  readonly tunnels: TunnelRequest[] = [];
  /** Requests that were no request for a tunnel. */
  readonly others: string[] = [];
  readonly #server: http.Server;
  readonly #sockets = new Set<Socket>();
  readonly #scheme: "http" | "https";

  private constructor(answer: (request: TunnelRequest) => ProxyAnswer, certificate: Certificate | undefined) {
    this.#scheme = certificate === undefined ? "http" : "https";
    this.#server = certificate === undefined ? http.createServer() : https.createServer(certificate);
    this.#server.on("connect", (request, socket) => {
      if (!(socket instanceof Socket)) throw new Error("A tunnel needs a socket");
      const tunnel = { target: request.url ?? "", headers: request.headers };
      this.tunnels.push(tunnel);
      this.#perform(answer(tunnel), this.#own(socket));
    });
    this.#server.on("request", (request, response) => {
      this.others.push(request.url ?? "");
      response.writeHead(400).end();
    });
    this.#server.on("connection", (socket: Socket) => this.#own(socket));
  }

  static async start(
    answer: (request: TunnelRequest) => ProxyAnswer,
    certificate?: Certificate,
  ): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(answer, certificate);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
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

  #own(socket: Socket): Socket {
    this.#sockets.add(socket);
    return socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
  }

  #perform(answer: ProxyAnswer, socket: Socket): void {
    switch (answer.kind) {
      case "tunnel": {
        const target = this.#own(net.connect(answer.port, "127.0.0.1"));
        target.once("connect", () => {
          socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
          socket.pipe(target).pipe(socket);
        });
        target.once("close", () => socket.destroy());
        socket.once("close", () => target.destroy());
        return;
      }
      case "status": {
        const lines = Object.entries(answer.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.end(`HTTP/1.1 ${answer.status} No\r\n${lines.join("")}content-length: 0\r\n\r\n`);
        return;
      }
      case "close":
        socket.resetAndDestroy();
        return;
      case "raw":
        socket.end(answer.text);
        return;
      case "silence":
        return;
    }
  }
}
