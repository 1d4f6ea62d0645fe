import type { JsonObject } from "../../src/base/json.ts";
import { type ScriptedHttp, startScriptedHttp } from "./scriptedHttp.ts";
import { scriptedStdio } from "./scriptedStdio.ts";

/** What a server asks for in every call, in the way of its revision. */
export interface Question {
  readonly revision: "2026-07-28" | "2025-11-25" | "2025-06-18";
  readonly method: string;
  readonly params?: JsonObject;
}

/**
 * A server on standard input and output that asks one thing in every call of a tool. The text of the tool's result is
 * JSON: the `answer` to the question, and the capabilities that the client `declared`.
 */
export function askingStdio(question: Question): JsonObject {
  const { command, args } = scriptedStdio(
    (self) => {
      const { revision, method, params } = self.data;
      const isModern = revision === "2026-07-28";
      let declared = {};
      let call: { id?: string | number } = {};
      const finish = (answer: unknown): void => {
        const text = JSON.stringify({ answer, declared });
        self.reply(call, { resultType: "complete", content: [{ type: "text", text }] });
      };
      self.on("server/discover", (request) => {
        if (!isModern) return self.fail(request, -32601);
        self.reply(request, {
          resultType: "complete",
          supportedVersions: [revision],
          capabilities: { tools: {} },
        });
      });
      self.on("initialize", (request) => {
        declared = request.params.capabilities;
        const serverInfo = { name: "x", version: "1" };
        self.reply(request, { protocolVersion: revision, capabilities: { tools: {} }, serverInfo });
      });
      self.on("tools/list", (request) => {
        const tools = [{ name: "t", inputSchema: { type: "object" } }];
        self.reply(request, { resultType: "complete", tools });
      });
      self.on("notifications/roots/list_changed", () => self.stderr("told of changed folders\n"));
      self.on("tools/call", (request) => {
        call = request;
        if (!isModern) return self.send({ jsonrpc: "2.0", id: "q", method, params });
        declared = request.params._meta["io.modelcontextprotocol/clientCapabilities"];
        const { inputResponses } = request.params;
        if (inputResponses !== undefined) return finish(inputResponses.k);
        self.reply(request, { resultType: "input_required", inputRequests: { k: { method, params } } });
      });
      self.on("*", (message) => {
        if (message.id === "q") finish(message.result ?? (message as { error?: object }).error);
      });
    },
    question as unknown as JsonObject,
  );
  return { command, args };
}

/** The same over HTTP. */
export function askingHttp(question: Question): Promise<ScriptedHttp> {
  const { revision, method, params } = question;
  const isModern = revision === "2026-07-28";
  let declared: unknown;
  let finish: ((answer: unknown) => void) | undefined;
  const resultOf = (answer: unknown): JsonObject => ({
    resultType: "complete",
    content: [{ type: "text", text: JSON.stringify({ answer, declared }) }],
  });
  return startScriptedHttp((exchange) => {
    if (exchange.method !== "POST") return exchange.answer(405);
    const { message } = exchange;
    switch (message.method) {
      case "server/discover":
        if (!isModern) return exchange.answer(404);
        return exchange.result({
          resultType: "complete",
          supportedVersions: [revision],
          capabilities: { tools: {} },
        });
      case "initialize":
        declared = message.params.capabilities;
        return exchange.result({
          protocolVersion: revision,
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        });
      case "tools/list":
        return exchange.result({
          resultType: "complete",
          tools: [{ name: "t", inputSchema: { type: "object" } }],
        });
      case "tools/call": {
        if (isModern) {
          declared = message.params._meta["io.modelcontextprotocol/clientCapabilities"];
          const { inputResponses } = message.params;
          return exchange.result(
            inputResponses === undefined
              ? { resultType: "input_required", inputRequests: { k: { method, params } } }
              : resultOf(inputResponses.k),
          );
        }
        const stream = exchange.stream();
        finish = (answer) => {
          stream.event({ jsonrpc: "2.0", id: message.id, result: resultOf(answer) });
          stream.end();
        };
        return stream.event({ jsonrpc: "2.0", id: "q", method, params: params ?? {} });
      }
      default:
        exchange.answer(202);
        if (message.id === "q") finish?.(message.result ?? message.error);
    }
  });
}
