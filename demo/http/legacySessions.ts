import { randomUUID } from "node:crypto";
import {
  WebStandardStreamableHTTPServerTransport,
  isInitializeRequest,
  type McpServer,
} from "@modelcontextprotocol/server";

/** Serves clients of the 2025 revisions, which keep a session: a server may ask them in the middle of a call. */
export interface LegacySessions {
  fetch(request: Request): Promise<Response>;
  announceChange(): void;
  close(): Promise<void>;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
  usedAt: number;
}

const MAX_SESSIONS = 100;
const IDLE_MS = 30 * 60_000;
const SESSION_HEADER = "mcp-session-id";

/**
 * @param replica Starts every session id, so that the balancer can find the process that holds the session.
 * @param createServer Makes the server of a new session.
 */
export function createLegacySessions(replica: string, createServer: () => McpServer): LegacySessions {
  const sessions = new Map<string, Session>();

  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close();
  };
  const makeRoom = async (): Promise<void> => {
    const idleSince = Date.now() - IDLE_MS;
    const byAge = [...sessions].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const surplus = sessions.size - MAX_SESSIONS + 1;
    const leaving = byAge.filter(([, { usedAt }], index) => usedAt < idleSince || index < surplus);
    await Promise.all(leaving.map(([id]) => end(id)));
  };
  const open = async (request: Request, body: unknown): Promise<Response> => {
    await makeRoom();
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => `${replica}.${randomUUID()}`,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, server, usedAt: Date.now() });
      },
      onsessionclosed: end,
    });
    await server.connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  };

  return {
    async fetch(request) {
      const id = request.headers.get(SESSION_HEADER);
      if (id !== null) {
        const session = sessions.get(id);
        if (session === undefined) return refuse(404, "There is no such session.");
        session.usedAt = Date.now();
        return session.transport.handleRequest(request);
      }
      if (request.method !== "POST") return refuse(405, "A session is needed first.");
      const body: unknown = await request.json().catch(() => undefined);
      if (!isInitializeRequest(body)) return refuse(400, "Send initialize first, then its Mcp-Session-Id.");
      return open(request, body);
    },
    announceChange() {
      for (const { server } of sessions.values()) server.sendResourceListChanged();
    },
    async close() {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

const REFUSED = -32_600;

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: REFUSED, message } }, { status });
}
