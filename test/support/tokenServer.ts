import type { ScriptedExchange, ScriptedHttp } from "./scriptedHttp.ts";
import { startScriptedHttp } from "./scriptedHttp.ts";

/** What was sent to an endpoint. */
export interface ReceivedForm {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly form: Readonly<Record<string, string>>;
  /** The body as it was sent. */
  readonly body: string;
}

/** What to do with one request. */
export type Reply = (exchange: ScriptedExchange) => void;

/**
 * An authorization server with nothing behind its endpoints: each request takes the next of the replies that were laid
 * out, and one without a reply gets 500. Documents are served at their paths as often as they are wanted.
 */
export class TokenServer {
  readonly replies: Reply[] = [];
  readonly received: ReceivedForm[] = [];
  /** JSON documents by path. */
  readonly documents = new Map<string, object>();
  readonly #http: ScriptedHttp;

  constructor(http: ScriptedHttp) {
    this.#http = http;
    http.handler = (exchange) => {
      this.#answer(exchange);
    };
  }

  get origin(): string {
    return this.#http.origin;
  }

  /** Every path that was asked for, documents included. */
  get paths(): string[] {
    return this.#http.requests.map(({ method, path }) => `${method} ${path}`);
  }

  get last(): ReceivedForm {
    const last = this.received.at(-1);
    if (last === undefined) throw new Error("nothing was received");
    return last;
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #answer(exchange: ScriptedExchange): void {
    const { path, headers, body } = exchange.request;
    const document = exchange.method === "GET" ? this.documents.get(path) : undefined;
    if (document !== undefined) {
      exchange.json(200, document);
      return;
    }
    if (exchange.method !== "POST") {
      exchange.answer(404);
      return;
    }
    this.received.push({ path, headers, body, form: Object.fromEntries(new URLSearchParams(body)) });
    const reply = this.replies.shift();
    if (reply === undefined) exchange.answer(500, "no reply was laid out");
    else reply(exchange);
  }
}

export async function startTokenServer(): Promise<TokenServer> {
  return new TokenServer(await startScriptedHttp(() => undefined));
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (exchange) => exchange.json(status, body, headers);
}

/** Answers with any text. */
export function raw(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return (exchange) => exchange.answer(status, body, headers);
}

/** Answers with bearer tokens. */
export function tokens(access: string, more: object = {}): Reply {
  return json(200, { access_token: access, token_type: "Bearer", expires_in: 3600, ...more });
}
