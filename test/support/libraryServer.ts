import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import { type ScriptedExchange, type ScriptedHttp, startScriptedHttp } from "./scriptedHttp.ts";
import { scriptedStdio, type ScriptedMessage, type ScriptedServer } from "./scriptedStdio.ts";

export type LibraryEra = "modern" | "legacy";

/** A server of resources and prompts, the same in both eras and over both transports. */
export interface Library {
  /** The entry for the settings. */
  readonly entry: JsonObject;
  /** Undefined over stdio. */
  readonly http: ScriptedHttp | undefined;
  close(): Promise<void>;
}

/** What the library answers: a result, an error, or a question that has to be answered with a name first. */
type Answering = (method: string, params: ScriptedMessage["params"]) => LibraryAnswer;
type LibraryAnswer =
  | { readonly result: JsonObject }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: JsonValue } }
  | { readonly ask: JsonObject; readonly then: (name: string) => JsonObject };

export async function startLibrary(era: LibraryEra, transport: "stdio" | "http"): Promise<Library> {
  if (transport === "stdio") {
    const { command, args } = scriptedStdio(runOverStdio, { era, source: makeLibrary.toString() });
    return { entry: { command, args }, http: undefined, close: () => Promise.resolve() };
  }
  const http = await startScriptedHttp(answerOverHttp(era));
  return { entry: { url: http.url }, http, close: () => http.close() };
}

/**
 * The library itself. It is sent to another process as text, so it uses nothing of this file.
 * `calls:METHOD` is a resource that tells how often a method was called.
 */
function makeLibrary(era: LibraryEra): Answering {
  const calls: Record<string, number> = {};
  const keep = (fields: object, ttlMs: number, cacheScope: string): { result: JsonObject } => ({
    result: { resultType: "complete", ttlMs, cacheScope, ...fields },
  });
  const plain = (fields: object): { result: JsonObject } => ({
    result: { resultType: "complete", ...fields },
  });
  const ask = {
    message: "Who reads?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } } },
  };
  const read = (uri: string): LibraryAnswer => {
    const text = (value: string): object => ({ contents: [{ uri, mimeType: "text/plain", text: value }] });
    const [scheme] = uri.split(":");
    switch (scheme) {
      case "calls":
        return plain(text(String(calls[uri.slice("calls:".length)] ?? 0)));
      case "file":
        return plain(text("what the server has"));
      case "empty":
        return plain({ contents: [] });
      case "folder":
        return plain({
          contents: [
            { uri: "folder:a", text: "A" },
            { uri: "folder:b", mimeType: "image/png", blob: "AAEC" },
            { uri: "folder:c", blob: "no base64!" },
            "odd",
          ],
        });
      case "ask":
        return { ask, then: (name) => ({ resultType: "complete", ttlMs: 60_000, ...text(`for ${name}`) }) };
      case "kept":
        return keep(text("kept"), 60_000, "public");
      case "own":
        return keep(text("own"), 60_000, "private");
      case "broken":
        return { error: { code: -32603, message: "The shelf broke" } };
      default:
        return {
          error: { code: era === "modern" ? -32602 : -32002, message: `No book ${uri}`, data: { uri } },
        };
    }
  };
  const prompt = ({
    name,
    arguments: args,
  }: {
    name: string;
    arguments: Record<string, string>;
  }): LibraryAnswer => {
    const messages = (text: string): JsonObject => ({
      resultType: "complete",
      messages: [{ role: "user", content: { type: "text", text } }],
    });
    if (name === "review") return { result: messages(JSON.stringify(args)) };
    if (name === "ask") return { ask, then: (who) => messages(`for ${who}`) };
    return { error: { code: -32602, message: `Unknown prompt ${name}` } };
  };
  const complete = ({ ref, argument, context }: ScriptedMessage["params"]): LibraryAnswer => {
    if (ref.name === "unknown-method") return { error: { code: -32601, message: "Method not found" } };
    const known = JSON.stringify(context?.arguments ?? null);
    const values = [
      `${String(ref.uri ?? ref.name)} ${String(argument.name)}=${String(argument.value)} ${known}`,
    ];
    return plain({ completion: { values, total: 1 } });
  };
  return (method, params) => {
    calls[method] = (calls[method] ?? 0) + 1;
    switch (method) {
      case "tools/list":
        return keep({ tools: [{ name: "t", inputSchema: { type: "object" } }] }, 60_000, "public");
      case "prompts/list":
        return plain({
          prompts: [
            { name: "review", arguments: [{ name: "code", required: true }, { name: "style" }] },
            { name: "ask" },
          ],
        });
      case "resources/list":
        return params?.cursor === ""
          ? plain({ resources: [{ uri: "own:2", name: "two" }] })
          : plain({ resources: [{ uri: "kept:1", name: "one", size: 4 }], nextCursor: "" });
      case "resources/templates/list":
        return plain({ resourceTemplates: [{ uriTemplate: "book://{shelf}/{title}", name: "book" }] });
      case "resources/read":
        return read(params.uri);
      case "prompts/get":
        return prompt(params);
      case "completion/complete":
        return complete(params);
      default:
        return { error: { code: -32601, message: `No ${method}` } };
    }
  };
}

function runOverStdio(self: ScriptedServer): void {
  const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
  const { era, source } = self.data as { era: string; source: string };
  const module = import(`data:text/javascript,export default ${encodeURIComponent(source)}`) as Promise<{
    readonly default: (era: string) => (method: string, params: unknown) => ScriptedMessage["result"];
  }>;
  const library = module.then((loaded) => loaded.default(era));
  const asked = new Map<unknown, (name: string) => void>();
  self.on("server/discover", (request) => {
    if (era === "legacy") self.fail(request, -32601);
    else self.reply(request, { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities });
  });
  self.on("initialize", (request) => {
    self.reply(request, {
      protocolVersion: "2025-11-25",
      capabilities,
      serverInfo: { name: "library", version: "1" },
    });
  });
  self.on("notifications/initialized", () => undefined);
  const answerTo = (request: ScriptedMessage, answer: ScriptedMessage["result"]): void => {
    const name = request.params?.inputResponses?.who?.content?.name;
    if (answer.error !== undefined)
      self.fail(request, answer.error.code, answer.error.message, answer.error.data);
    else if (answer.ask === undefined) self.reply(request, answer.result);
    else if (name !== undefined) self.reply(request, answer.then(name));
    else if (era === "modern") {
      const who = { method: "elicitation/create", params: answer.ask };
      self.reply(request, { resultType: "input_required", inputRequests: { who } });
    } else {
      const id = `ask-${String(request.id)}`;
      asked.set(id, (given) => self.reply(request, answer.then(given)));
      self.send({ jsonrpc: "2.0", id, method: "elicitation/create", params: answer.ask });
    }
  };
  self.on("*", (request) => {
    const { method, id, params, result } = request;
    if (method === undefined) asked.get(id)?.(result?.content?.name);
    else if (id !== undefined) void library.then((answer) => answerTo(request, answer(method, params)));
  });
}

function answerOverHttp(era: LibraryEra): (exchange: ScriptedExchange) => void {
  const library = makeLibrary(era);
  const asked = new Map<unknown, (name: string) => void>();
  return (exchange) => {
    if (exchange.method !== "POST") return exchange.answer(405);
    const { method, id, params, result } = exchange.message;
    if (method === undefined) asked.get(id)?.(result?.content?.name);
    if (method === undefined || id === undefined) return exchange.answer(202);
    const handshake = greet(era, method);
    if (handshake === "unknown") return exchange.error(400, -32601);
    if (handshake !== undefined) return exchange.result(handshake);
    answerCall(exchange, library(method, params), era, asked);
  };
}

function answerCall(
  exchange: ScriptedExchange,
  answer: LibraryAnswer,
  era: LibraryEra,
  asked: Map<unknown, (name: string) => void>,
): void {
  const { id, params } = exchange.message;
  if ("error" in answer) return exchange.json(200, { jsonrpc: "2.0", id, error: answer.error });
  if ("result" in answer) return exchange.result(answer.result);
  const name = params.inputResponses?.who?.content?.name;
  if (name !== undefined) return exchange.result(answer.then(name));
  const question = { method: "elicitation/create", params: answer.ask };
  if (era === "modern")
    return exchange.result({ resultType: "input_required", inputRequests: { who: question } });
  const stream = exchange.stream();
  const own = `ask-${String(id)}`;
  asked.set(own, (given) => {
    stream.event({ jsonrpc: "2.0", id, result: answer.then(given) });
    stream.end();
  });
  stream.event({ jsonrpc: "2.0", id: own, ...question });
}

function greet(era: LibraryEra, method: string): JsonObject | "unknown" | undefined {
  const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
  if (method === "server/discover") {
    if (era === "legacy") return "unknown";
    return { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities };
  }
  if (method !== "initialize") return undefined;
  return { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "library", version: "1" } };
}
