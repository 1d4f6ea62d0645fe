import http from "node:http";
import type { AddressInfo, Socket } from "node:net";

import type { JsonObject } from "../../src/base/json.ts";

/**
 * Scripted HTTP servers on a loopback port, with control over every byte of the answer.
 *
 *     const server = await startScriptedHttp((exchange) => {
 *       if (exchange.method === "GET") return exchange.answer(405);
 *       const stream = exchange.stream();
 *       stream.event({ jsonrpc: "2.0", id: exchange.message.id, result: {} });
 *       stream.end();
 *     });
 *     … server.url, server.requests …
 *     await server.close();
 *
 * Nothing is answered on its own: a handler that does nothing leaves its request pending. Set `server.handler`
 * to change the script under way. A handler that throws answers 500 and is kept in `server.failures`.
 */
export async function startScriptedHttp(
  handler: ScriptedHandler,
  options: { host?: string } = {},
): Promise<ScriptedHttp> {
  const server = new ScriptedHttp(handler);
  await server.listen(options.host ?? "127.0.0.1");
  return server;
}

export type ScriptedHandler = (exchange: ScriptedExchange) => void | Promise<void>;

/** One request as it was received. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Names and values as they stood on the wire. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export class ScriptedHttp {
  handler: ScriptedHandler;
  /** Every request in the order of arrival. */
  readonly requests: RecordedRequest[] = [];
  readonly failures: unknown[] = [];
  /** Sockets that were ever opened, for counting connections. */
  connections = 0;
  readonly #server: http.Server;
  readonly #sockets = new Set<Socket>();
  #host = "";

  constructor(handler: ScriptedHandler) {
    this.handler = handler;
    this.#server = http.createServer((request, response) => {
      void this.#serve(request, response);
    });
    this.#server.on("connection", (socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  listen(host: string): Promise<void> {
    this.#host = host.includes(":") ? `[${host}]` : host;
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, host, resolve);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://${this.#host}:${this.port}`;
  }

  /** The address of the MCP endpoint. */
  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** Everything that ever arrived, as text, to look for what should not be there. */
  get received(): string {
    return this.requests
      .map(({ path, headers, body }) => `${path} ${JSON.stringify(headers)} ${body}`)
      .join("\n");
  }

  /** The bodies of all POST requests. */
  get messages(): JsonObject[] {
    return this.requests
      .filter(({ method }) => method === "POST")
      .map(({ body }) => JSON.parse(body) as JsonObject);
  }

  /** Closes every connection at once, as a server does that dies. It keeps listening. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const recorded: RecordedRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    this.requests.push(recorded);
    try {
      await this.handler(new ScriptedExchange(recorded, response));
    } catch (error) {
      this.failures.push(error);
      if (!response.headersSent) response.writeHead(500).end();
    }
  }
}

/** A request that waits for its scripted answer. */
export class ScriptedExchange {
  readonly request: RecordedRequest;
  /** Resolves when the client has closed the connection before the answer was complete. */
  readonly abandoned: Promise<void>;
  readonly #response: http.ServerResponse;

  constructor(request: RecordedRequest, response: http.ServerResponse) {
    this.request = request;
    this.#response = response;
    this.abandoned = new Promise((resolve) => {
      response.on("close", () => {
        if (!response.writableFinished) resolve();
      });
    });
  }

  /** The HTTP method. */
  get method(): string {
    return this.request.method;
  }

  /** The JSON-RPC message in the body. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Scripts look into messages freely.
  get message(): any {
    return JSON.parse(this.request.body);
  }

  /** The connection, for writing an answer that is not HTTP, or for cutting it. */
  get socket(): Socket {
    if (this.#response.socket === null) throw new Error("The connection is gone");
    return this.#response.socket;
  }

  /** Answers the JSON-RPC request with a result. */
  result(result: object, headers: http.OutgoingHttpHeaders = {}): void {
    this.json(200, { jsonrpc: "2.0", id: this.message.id, result }, headers);
  }

  /** Answers the JSON-RPC request with an error. */
  error(status: number, code: number, message = "failed", data?: unknown): void {
    this.json(status, { jsonrpc: "2.0", id: this.message.id, error: { code, message, data } });
  }

  /** Answers with a JSON body. */
  json(status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}): void {
    this.answer(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
  }

  /** Answers with any body, or none. */
  answer(status: number, body?: string | Buffer, headers: http.OutgoingHttpHeaders = {}): void {
    this.#response.writeHead(status, headers);
    this.#response.end(body);
  }

  /** Begins an event stream. */
  stream(headers: http.OutgoingHttpHeaders = {}, status = 200): ScriptedStream {
    this.#response.writeHead(status, { "content-type": "text/event-stream", ...headers });
    this.#response.flushHeaders();
    return new ScriptedStream(this.#response);
  }
}

/** An event stream that a script writes. */
export class ScriptedStream {
  readonly #response: http.ServerResponse;

  constructor(response: http.ServerResponse) {
    this.#response = response;
  }

  /** Writes one event with a JSON message. */
  event(message: object): void {
    this.raw(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  raw(content: string | Buffer): void {
    this.#response.write(content);
  }

  /** Writes one byte per chunk. */
  async trickle(text: string): Promise<void> {
    for (const byte of Buffer.from(text, "utf8")) {
      await new Promise<void>((resolve) => {
        this.#response.write(Buffer.of(byte), () => resolve());
      });
    }
  }

  end(): void {
    this.#response.end();
  }

  /** Cuts the connection. */
  cut(): void {
    this.#response.socket?.resetAndDestroy();
  }
}
