import {
  createServer,
  request as openRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { localhostHostValidation, localhostOriginValidation } from "@modelcontextprotocol/node";

/** A replica that can be asked. */
export interface Target {
  readonly name: string;
  readonly port: number;
}

/** The one path that is served. */
export const ENDPOINT_PATH = "/mcp";

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const INTERNAL_ERROR = -32_603;

/**
 * Puts the targets in the order in which they are to be tried: in turn, and the holder of a session first and
 * alone. Pure, so that the order can be tested.
 * @param turn Counts the requests.
 * @param sessionId Begins with the name of the replica that holds the session.
 */
export function orderTargets(
  targets: readonly Target[],
  turn: number,
  sessionId: string | undefined,
): readonly Target[] {
  if (sessionId !== undefined) {
    const holder = targets.filter(({ name }) => sessionId.startsWith(`${name}.`));
    // Any replica can say that a session is lost.
    if (holder.length > 0) return holder;
  }
  const start = targets.length === 0 ? 0 : turn % targets.length;
  return [...targets.slice(start), ...targets.slice(0, start)];
}

/**
 * One port in front of the replicas. It passes each request on whole and the answer as it comes. A replica that
 * refuses the connection is skipped, since nothing reached it; one that dies later is never asked a second
 * time, since what it has done by then is unknown.
 */
export function createBalancer(liveTargets: () => readonly Target[]): Server {
  const isHostAllowed = localhostHostValidation();
  const isOriginAllowed = localhostOriginValidation();
  let turn = 0;
  return createServer((request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    if (new URL(request.url ?? "/", "http://localhost").pathname !== ENDPOINT_PATH) {
      fail(response, 404, `Only ${ENDPOINT_PATH} is served here.`);
      return;
    }
    const sessionId = request.headers["mcp-session-id"];
    void readBody(request).then(
      (body) => {
        if (body === undefined) {
          fail(response, 413, "The request is too large.");
          return;
        }
        const targets = orderTargets(
          liveTargets(),
          turn,
          typeof sessionId === "string" ? sessionId : undefined,
        );
        turn += 1;
        forward(request, response, body, targets);
      },
      () => response.destroy(),
    );
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  [target, ...others]: readonly Target[],
): void {
  if (target === undefined) {
    fail(response, 503, "No replica is running.");
    return;
  }
  let connected = false;
  // A connection for each request: on a reused one a refusal could not be told from a death.
  const upstream = openRequest({
    host: "127.0.0.1",
    port: target.port,
    path: request.url,
    method: request.method,
    headers: request.headers,
    agent: false,
  });
  upstream.once("socket", (socket) => {
    socket.once("connect", () => {
      connected = true;
    });
  });
  upstream.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, "x-demo-replica": target.name });
    // Sent at once: an event stream may have nothing to say for long.
    response.flushHeaders();
    answer.pipe(response);
    answer.once("error", () => response.destroy());
    answer.once("aborted", () => response.destroy());
  });
  upstream.once("error", () => {
    if (response.headersSent || response.destroyed) response.destroy();
    else if (connected) fail(response, 502, `Replica ${target.name} broke off.`);
    else forward(request, response, body, others);
  });
  response.once("close", () => upstream.destroy());
  upstream.end(body);
}

function fail(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: INTERNAL_ERROR, message } }));
}
