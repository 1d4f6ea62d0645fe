import http2 from "node:http2";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket, TlsOptions } from "node:tls";

/** A request that a secure server got, over either version of HTTP. */
export interface SecureRequest {
  readonly httpVersion: string;
  readonly body: string;
  /** The name in the certificate that the client showed; undefined when it showed none. */
  readonly client: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Resolves when the client gave the request up before it was answered. */
  readonly abandoned: Promise<void>;
}

type Response = http2.Http2ServerResponse;
type Handler = (request: SecureRequest, response: Response) => void;

/** How a secure server speaks. */
export interface SecureServerOptions extends TlsOptions {
  readonly key: string;
  readonly cert: string;
  /** Offers HTTP/2 beside HTTP/1.1. */
  readonly http2?: boolean;
  readonly host?: string;
}

/** Answers the JSON-RPC request in the body with `{ ok: true }`. */
export const answerOk: Handler = (request, response) => {
  const { id } = JSON.parse(request.body) as { id: number };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { ok: true } }));
};

/** A real TLS server on a loopback port. Close it when the test ends. */
export class SecureServer {
  readonly requests: SecureRequest[] = [];
  /** Connections that finished the handshake. */
  readonly sockets = new Set<TLSSocket>();
  readonly sessions = new Set<http2.ServerHttp2Session>();
  handler: Handler;
  readonly #server: https.Server | http2.Http2SecureServer;
  readonly #raw = new Set<Socket>();

  private constructor(options: SecureServerOptions, handler: Handler) {
    this.handler = handler;
    const serve = (request: http2.Http2ServerRequest, response: Response): void => {
      void this.#serve(request, response);
    };
    this.#server =
      options.http2 === true
        ? http2.createSecureServer({ ...options, allowHTTP1: true }, serve)
        : https.createServer(options, serve as unknown as Parameters<typeof https.createServer>[1]);
    this.#server.on("connection", (socket: Socket) => {
      this.#raw.add(socket);
      socket.on("error", () => undefined).on("close", () => this.#raw.delete(socket));
    });
    this.#server.on("secureConnection", (socket: TLSSocket) => {
      this.sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => this.sockets.delete(socket));
    });
    this.#server.on("session", (session: http2.ServerHttp2Session) => {
      this.sessions.add(session);
      session.on("error", () => undefined).on("close", () => this.sessions.delete(session));
    });
    this.#server.on("tlsClientError", () => undefined);
  }

  static async start(options: SecureServerOptions, handler: Handler = answerOk): Promise<SecureServer> {
    const server = new SecureServer(options, handler);
    await new Promise<void>((resolve) => server.#server.listen(0, options.host ?? "127.0.0.1", resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}/mcp`;
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.destroy();
    for (const socket of this.#raw) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #serve(request: http2.Http2ServerRequest, response: Response): Promise<void> {
    const abandoned = new Promise<void>((resolve) => {
      response.on("close", () => {
        if (!response.writableEnded) resolve();
      });
    });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const certificate = (request.socket as TLSSocket).getPeerCertificate();
    const received: SecureRequest = {
      httpVersion: request.httpVersion,
      body: Buffer.concat(chunks).toString("utf8"),
      client: (certificate as { subject?: { CN?: string } }).subject?.CN,
      headers: request.headers,
      abandoned,
    };
    this.requests.push(received);
    this.handler(received, response);
  }
}
