import type { ScriptedExchange, ScriptedHttp } from "./scriptedHttp.ts";
import { startScriptedHttp } from "./scriptedHttp.ts";

/** Whether a request is let in; a guard may answer one itself. */
export type Guard = (exchange: ScriptedExchange, about: string) => boolean | "answered";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

/**
 * A server of either era that lets in whoever its guard lets in, and answers 401 to others. `seen` holds what it carried
 * out, `refused` what it did not: the method of the message, or of HTTP where there is none.
 */
export class GuardedServer {
  readonly http: ScriptedHttp;
  readonly seen: string[] = [];
  readonly refused: string[] = [];
  guard: Guard;
  status = 401;
  challenge = 'Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource"';

  private constructor(http: ScriptedHttp, guard: Guard) {
    this.http = http;
    this.guard = guard;
  }

  static async start(era: "modern" | "legacy", guard: Guard): Promise<GuardedServer> {
    const server: GuardedServer = new GuardedServer(
      await startScriptedHttp((exchange) => {
        const about = exchange.method === "POST" ? methodOf(exchange.request.body) : exchange.method;
        const verdict = server.guard(exchange, about);
        if (verdict === "answered") return;
        if (!verdict) {
          server.refused.push(about);
          exchange.answer(server.status, "", { "www-authenticate": server.challenge });
          return;
        }
        server.seen.push(about);
        if (era === "modern") answerModern(exchange, about);
        else answerLegacy(exchange, about);
      }),
      guard,
    );
    return server;
  }

  get url(): string {
    return this.http.url;
  }

  /** The tokens of all requests about one method, refused or not. */
  tokens(about: string): readonly (string | undefined)[] {
    return this.http.requests
      .filter(({ method, body }) => (body === "" ? method === about : methodOf(body) === about))
      .map(({ headers }) => headers.authorization?.replace("Bearer ", ""));
  }

  close(): Promise<void> {
    return this.http.close();
  }
}

/** Lets in whoever sends one of these tokens. */
export function withToken(...tokens: readonly string[]): Guard {
  return ({ request }) => tokens.some((token) => request.headers.authorization === `Bearer ${token}`);
}

function methodOf(body: string): string {
  return (JSON.parse(body) as { method?: string }).method ?? "response";
}

const TOOLS = { tools: [{ name: "t", inputSchema: { type: "object" } }] };
const CONTENT = { content: [{ type: "text", text: "done" }] };

function answerModern(exchange: ScriptedExchange, about: string): void {
  const complete = (result: object): void => exchange.result({ resultType: "complete", ...result });
  switch (about) {
    case "server/discover":
      complete({
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: { listChanged: true }, resources: {} },
      });
      return;
    case "tools/list":
      complete(TOOLS);
      return;
    case "resources/list":
      complete({ resources: [] });
      return;
    case "resources/templates/list":
      complete({ resourceTemplates: [] });
      return;
    case "resources/read":
      complete({
        contents: [{ uri: "a:b", text: exchange.request.headers.authorization ?? "nobody" }],
        ttlMs: 60_000,
        cacheScope: "private",
      });
      return;
    case "subscriptions/listen": {
      const { id } = exchange.message;
      exchange.stream().event({
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: { notifications: { toolsListChanged: true }, _meta: { [SUBSCRIPTION]: id } },
      });
      return;
    }
    default:
      complete(CONTENT);
  }
}

function answerLegacy(exchange: ScriptedExchange, about: string): void {
  switch (about) {
    case "server/discover":
      exchange.answer(404);
      return;
    case "initialize":
      exchange.result(
        {
          protocolVersion: "2025-11-25",
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: "guarded", version: "1" },
        },
        { "mcp-session-id": "session-1" },
      );
      return;
    case "GET":
      exchange.stream();
      return;
    case "DELETE":
      exchange.answer(200);
      return;
    case "tools/list":
      exchange.result(TOOLS);
      return;
    default:
      if (about.startsWith("notifications/")) exchange.answer(202);
      else exchange.result(CONTENT);
  }
}
