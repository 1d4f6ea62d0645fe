import type { JsonObject } from "../../src/base/json.ts";
import { type ScriptedHttp, startScriptedHttp } from "./scriptedHttp.ts";
import { scriptedStdio, type ScriptedMessage, type ScriptedServer } from "./scriptedStdio.ts";

/** A server whose tools become tasks, the same over both transports. */
export interface TaskServer {
  /** The entry for the settings. */
  readonly entry: JsonObject;
  /** Undefined over stdio. It keeps its tasks from one connection to the next, unlike a process. */
  readonly http: ScriptedHttp | undefined;
  /** Everything that was said over HTTP, both ways, in order. */
  readonly said: JsonObject[];
  close(): Promise<void>;
}

type Send = (message: object) => void;
type Receive = (message: ScriptedMessage, send: Send) => void;

export async function startTaskServer(
  era: "modern" | "legacy",
  transport: "stdio" | "http",
): Promise<TaskServer> {
  const said: JsonObject[] = [];
  if (transport === "stdio") {
    const { command, args } = scriptedStdio(runOverStdio, { era, source: makeTaskServer.toString() });
    return { entry: { command, args }, http: undefined, said, close: () => Promise.resolve() };
  }
  const receive = makeTaskServer(era);
  const http = await startScriptedHttp((exchange) => {
    if (exchange.method !== "POST") return exchange.answer(405);
    const message = exchange.message as ScriptedMessage;
    said.push(message as JsonObject);
    if (message.method === undefined || message.id === undefined) {
      exchange.answer(202);
      receive(message, () => undefined);
      return;
    }
    const stream = exchange.stream();
    receive(message, (answer) => {
      said.push(answer as JsonObject);
      stream.event(answer);
      if (!("method" in answer)) stream.end();
    });
  });
  return { entry: { url: http.url }, http, said, close: () => http.close() };
}

function runOverStdio(self: ScriptedServer): void {
  const { era, source } = self.data as { era: string; source: string };
  const module = import(`data:text/javascript,export default ${encodeURIComponent(source)}`) as Promise<{
    readonly default: (era: string) => (message: ScriptedMessage, send: (message: object) => void) => void;
  }>;
  const receive = module.then((loaded) => loaded.default(era));
  self.on("*", (message) => {
    void receive.then((take) => {
      take(message, (answer) => {
        self.send(answer);
      });
    });
  });
}

/**
 * The server itself. It is sent to another process as text, so it uses nothing of this file. Time does not pass in
 * it: a task moves on each time it is asked about. `dig` works twice and is done, `ask` wants a name in between,
 * `fail` breaks, `stay` works until it is cancelled.
 */
function makeTaskServer(era: string): Receive {
  interface Stored {
    readonly id: string;
    readonly tool: string;
    looks: number;
    name: string | undefined;
    isCancelled: boolean;
    waiting: ((name: string) => void)[];
  }
  const tasks = new Map<string, Stored>();
  const asked = new Map<unknown, (name: string) => void>();
  const isModern = era === "modern";
  const extension = "io.modelcontextprotocol/tasks";
  const related = "io.modelcontextprotocol/related-task";
  const form = {
    mode: "form",
    message: "Who digs?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  };
  const text = (words: string): object => ({ content: [{ type: "text", text: words }] });

  const statusOf = (task: Stored): string => {
    if (task.isCancelled) return "cancelled";
    if (task.looks < 2 || task.tool === "stay") return "working";
    if (task.tool === "fail") return "failed";
    return task.tool === "ask" && task.name === undefined ? "input_required" : "completed";
  };
  const common = (task: Stored): object => ({
    taskId: task.id,
    status: statusOf(task),
    statusMessage: `looked at ${String(task.looks)} times`,
    createdAt: "2026-01-01T00:00:00Z",
    lastUpdatedAt: `2026-01-01T00:00:0${String(Math.min(task.looks, 9))}Z`,
  });
  const shown = (task: Stored): object =>
    isModern
      ? { ...common(task), ttlMs: 3_600_000, pollIntervalMs: 1 }
      : { ...common(task), ttl: 3_600_000, pollInterval: 1 };
  const resultOf = (task: Stored): object => text(`${task.tool} for ${task.name ?? "nobody"}`);
  const inside = (task: Stored): object => {
    const status = statusOf(task);
    if (status === "completed") return { result: resultOf(task) };
    if (status === "failed") return { error: { code: -32_603, message: "The shovel broke" } };
    return status === "input_required"
      ? { inputRequests: { who: { method: "elicitation/create", params: form } } }
      : {};
  };

  const tool = (name: string): object => ({
    name,
    inputSchema: { type: "object" },
    ...(!isModern && { execution: { taskSupport: name === "ask" ? "required" : "optional" } }),
  });
  const capabilities = isModern
    ? { tools: {}, extensions: { [extension]: {} } }
    : { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } };
  type Answer = { result: object } | { error: object } | "later";
  const complete = (fields: object): Answer => ({ result: { resultType: "complete", ...fields } });
  const broken = (code: number, message: string, data?: object): Answer => ({
    error: { code, message, data },
  });

  const call = (params: ScriptedMessage["params"], isDeclared: boolean): Answer => {
    const isTask = isModern ? isDeclared : params.task !== undefined;
    if (!isTask && params.name === "ask") {
      return isModern
        ? broken(-32_021, "No tasks", { requiredCapabilities: { extensions: { [extension]: {} } } })
        : broken(-32_601, "It needs a task");
    }
    const task: Stored = {
      id: `task ${String(tasks.size + 1)}`,
      tool: params.name,
      looks: 0,
      name: undefined,
      isCancelled: false,
      waiting: [],
    };
    if (!isTask) return complete(resultOf(task));
    tasks.set(task.id, task);
    return isModern ? { result: { resultType: "task", ...shown(task) } } : { result: { task: shown(task) } };
  };

  /** In the legacy era the result is waited for, and a question comes before it. */
  const result = (task: Stored, id: unknown, send: Send): Answer => {
    const status = statusOf(task);
    if (status === "failed") return broken(-32_603, "The shovel broke");
    const finish = (): object => ({ ...resultOf(task), _meta: { [related]: { taskId: task.id } } });
    if (status !== "input_required") return { result: finish() };
    const own = `ask ${String(id)}`;
    asked.set(own, (name) => {
      task.name = name;
      send({ jsonrpc: "2.0", id, result: finish() });
    });
    const params = { ...form, _meta: { [related]: { taskId: task.id } } };
    send({ jsonrpc: "2.0", id: own, method: "elicitation/create", params });
    return "later";
  };

  const about = ({ method, id, params }: ScriptedMessage, send: Send): Answer => {
    const task = tasks.get(params.taskId);
    if (task === undefined) return broken(-32_602, "Unknown task");
    switch (method) {
      case "tasks/get":
        task.looks += 1;
        return isModern ? complete({ ...shown(task), ...inside(task) }) : { result: shown(task) };
      case "tasks/update":
        task.name ??= params.inputResponses.who?.content?.name ?? "somebody";
        return complete({});
      case "tasks/result":
        return result(task, id, send);
      default:
        task.isCancelled = true;
        return isModern ? complete({}) : { result: shown(task) };
    }
  };

  const answer = (message: ScriptedMessage, send: Send): Answer => {
    const { method, params } = message;
    const declared = params?._meta?.["io.modelcontextprotocol/clientCapabilities"]?.extensions;
    const isDeclared = declared?.[extension] !== undefined;
    switch (method) {
      case "server/discover":
        return isModern
          ? complete({ supportedVersions: ["2026-07-28"], capabilities })
          : broken(-32_601, "Unknown method");
      case "initialize":
        return {
          result: {
            protocolVersion: "2025-11-25",
            capabilities,
            serverInfo: { name: "tasks", version: "1" },
          },
        };
      case "tools/list":
        return complete({ tools: ["dig", "ask", "fail", "stay"].map(tool) });
      case "tools/call":
        return call(params, isDeclared);
      case "tasks/get":
      case "tasks/cancel":
      case "tasks/update":
      case "tasks/result":
        if (isModern && !isDeclared)
          return broken(-32_021, "No tasks", { requiredCapabilities: { extensions: { [extension]: {} } } });
        return about(message, send);
      default:
        return broken(-32_601, "Unknown method");
    }
  };

  return (message, send) => {
    if (message.method === undefined) {
      asked.get(message.id)?.(message.result?.content?.name ?? "somebody");
      return;
    }
    if (message.id === undefined) return;
    const given = answer(message, send);
    if (given !== "later") send({ jsonrpc: "2.0", id: message.id, ...given });
  };
}
