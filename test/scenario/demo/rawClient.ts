import { request } from "node:http";

/** The parts of an answer that the tests look at. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly result: RawResult | undefined;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
}

export interface RawResult {
  readonly resultType?: string;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, { readonly method: string; readonly params: unknown }>>;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly supportedVersions?: readonly string[];
  readonly protocolVersion?: string;
  readonly tools?: readonly { readonly name: string }[];
}

export interface RawOptions {
  readonly clientName?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

const REVISION = "2026-07-28";

/** Params with the metadata of the modern era: written out here, so that nothing of ours stands between. */
export function withEnvelope(params: Readonly<Record<string, unknown>>, options: RawOptions = {}): object {
  return {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": REVISION,
      "io.modelcontextprotocol/clientInfo": { name: options.clientName ?? "raw", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": options.capabilities ?? {
        elicitation: { form: {}, url: {} },
      },
    },
  };
}

let lastId = 0;

/** One modern request over HTTP, answered with JSON. */
export async function send(
  url: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  options: RawOptions = {},
): Promise<RawAnswer> {
  lastId += 1;
  const name = typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {};
  return post(
    url,
    JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params: withEnvelope(params, options) }),
    {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...name,
      ...options.headers,
    },
  );
}

/** `fetch` does not allow a Host header, so this is the plain client. */
export function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.once("error", reject);
      answer.once("end", () => {
        const parsed = parseBody(text);
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          result: parsed.result,
          error: parsed.error,
        });
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

function parseBody(text: string): Pick<RawAnswer, "result" | "error"> {
  const data = text.startsWith("{") ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? "{}");
  const value = JSON.parse(data) as { readonly result?: RawResult; readonly error?: RawAnswer["error"] };
  return { result: value.result, error: value.error };
}

/** Calls a tool. */
export function callTool(
  url: string,
  name: string,
  args: Readonly<Record<string, unknown>>,
  retry: Readonly<Record<string, unknown>> = {},
  options: RawOptions = {},
): Promise<RawAnswer> {
  return send(url, "tools/call", { name, arguments: args, ...retry }, options);
}

/** All texts of a result. */
export function textOf(answer: RawAnswer): string {
  return (answer.result?.content ?? []).map(({ text }) => text ?? "").join("\n");
}
