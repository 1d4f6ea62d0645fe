import assert from "node:assert/strict";
import { deferred } from "../../../src/base/deferred.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import type { CallOptions } from "../../../src/client/serverPool.ts";
import { type ScriptedExchange, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

const META = "io.modelcontextprotocol/";
/** Pinned, so that a slow machine does not bring `initialize` in beside the probe. */
const MODERN = "2026-07-28";
const PANEL = { origin: "panel" } as const satisfies CallOptions;
const FORM = { message: "?", requestedSchema: { type: "object", properties: { a: { type: "string" } } } };
const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: {},
  resources: {},
  completions: {},
  "vendor/odd": { anything: 1 },
};
const TOOLS = [
  {
    name: "ask",
    inputSchema: {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    },
  },
  { name: "bad", inputSchema: { properties: { a: { type: "number", "x-mcp-header": "A" } } } },
];

/** A modern server with one of everything, as facts by method. */
const ANSWERS: Readonly<Record<string, JsonObject>> = {
  "server/discover": {
    supportedVersions: ["2026-07-28", "2025-11-25"],
    capabilities: CAPABILITIES,
    instructions: "Be kind",
    _meta: { [`${META}serverInfo`]: { name: "new", version: "2" } },
  },
  "tools/list": { tools: TOOLS },
  "prompts/list": { prompts: [{ name: "p" }] },
  "prompts/get": { messages: [{ role: "user", content: { type: "text", text: "hi" } }] },
  "resources/list": { resources: [] },
  "resources/templates/list": { resourceTemplates: [] },
  "resources/read": { contents: [{ uri: "x:1", text: "one" }] },
  "completion/complete": { completion: { values: ["v"] } },
};

/** Answers every request; a tool asks once before it is done. */
function answerOverHttp(exchange: ScriptedExchange, listening: (value: undefined) => void): void {
  const { id, method, params } = exchange.message;
  if (method === "subscriptions/listen") {
    exchange.stream().event({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: params.notifications, _meta: { [`${META}subscriptionId`]: id } },
    });
    listening(undefined);
  } else if (method !== "tools/call") {
    exchange.result({ resultType: "complete", ...ANSWERS[method as string] });
  } else if (params.inputResponses === undefined) {
    const who = { method: "elicitation/create", params: FORM };
    exchange.result({ resultType: "input_required", inputRequests: { who }, requestState: "s" });
  } else exchange.result({ resultType: "complete", content: [{ type: "text", text: "done" }] });
}

/** Uses everything that a modern server can be asked for. */
async function useEverything(test: TestPool): Promise<void> {
  const { server, instructions, capabilities } = await test.connect();
  assert.deepEqual(
    [server, instructions, capabilities],
    [{ name: "new", version: "2" }, "Be kind", CAPABILITIES],
  );
  await test.pool.refresh("s");
  await test.pool.getPrompt("s", "p", {}, PANEL);
  await test.pool.readResource("s", "x:1", PANEL);
  await test.pool.complete("s", { kind: "prompt", name: "p" }, { name: "a", value: "" }, {});
  const { result } = await test.pool.callTool("s", "ask", { region: "Zürich" }, PANEL);
  assert.equal(firstText(result), "done");
}

type WireRequest = JsonObject & { readonly method: string; readonly params: { readonly _meta: JsonObject } };

/** What every request of a modern client holds, whatever it asks for. */
function checkRequests(messages: readonly JsonObject[]): void {
  const keys = ["clientCapabilities", "clientInfo", "protocolVersion"].map((key) => `${META}${key}`);
  for (const { jsonrpc, id, method, params } of messages as readonly WireRequest[]) {
    assert.deepEqual([jsonrpc, Number.isInteger(id), typeof method], ["2.0", true, "string"]);
    const { progressToken, ...meta } = params._meta;
    assert.ok(progressToken === undefined || progressToken === id);
    assert.deepEqual(Object.keys(meta).sort(), keys, `${method} has these keys and none of its own`);
    assert.equal(meta[`${META}protocolVersion`], "2026-07-28");
    assert.deepEqual(meta[`${META}clientInfo`], { name: "signalbox-test", version: "1" });
    const capabilities = meta[`${META}clientCapabilities`];
    const canAsk = ["tools/call", "prompts/get", "resources/read"].includes(method);
    assert.deepEqual(capabilities, canAsk ? { elicitation: { form: {}, url: {} } } : {});
  }
  const ids = messages.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, "no id is used twice");
  const methods = new Set(messages.map(({ method }) => method));
  const expected = [...Object.keys(ANSWERS), "tools/call", "subscriptions/listen"];
  assert.deepEqual([...methods].sort(), expected.sort());
  const [first] = messages;
  assert.deepEqual([first?.["method"], Object.keys(first?.["params"] ?? {})], ["server/discover", ["_meta"]]);
}

const accept = () => ({ action: "accept", content: { a: "b" } }) as const;

describe("what a modern server gets", () => {
  // Duty: 1.1.1, 1.1.2, 1.1.3, 1.1.11, 1.4.1, 1.4.2, 1.4.7, 1.4.8, 1.4.11, 1.4.12, 2.1.2, 2.2.1, 4.1.1, 4.1.2
  // Duty: 4.1.4, 4.1.5, 4.1.6, 4.1.8, 4.1.10, 4.1.11, 4.1.12, 4.2.1, 4.2.11, 4.4.7, 6.1, 6.2, 6.5, 9.7, 9.15
  it("is whole in every request over HTTP: body, metadata and headers", async () => {
    const listening = deferred();
    const server = await startScriptedHttp((exchange) => answerOverHttp(exchange, listening.resolve));
    {
      const entry = { url: server.url, headers: { Authorization: "Bearer t" } };
      await using test = new TestPool({ s: entry }, accept);
      await useEverything(test);
      await listening.promise;
    }
    checkRequests(server.messages);
    for (const { method, headers, body } of server.requests) {
      const message = JSON.parse(body) as { method: string; params: JsonObject };
      const { name, uri } = message.params;
      const named = message.method.startsWith("completion/") ? undefined : (name ?? uri);
      assert.deepEqual(
        {
          method,
          type: headers["content-type"],
          accept: headers.accept,
          version: headers["mcp-protocol-version"],
          called: headers["mcp-method"],
          named: headers["mcp-name"],
          region: headers["mcp-param-region"],
          authorization: headers.authorization,
        },
        {
          method: "POST",
          type: "application/json",
          accept: "application/json, text/event-stream",
          version: "2026-07-28",
          called: message.method,
          named,
          region: message.method === "tools/call" ? "=?base64?WsO8cmljaA==?=" : undefined,
          authorization: "Bearer t",
        },
      );
      for (const absent of ["mcp-session-id", "last-event-id", "origin", "cookie"])
        assert.equal(headers[absent], undefined, absent);
    }
    await server.close();
  });

  // Duty: 1.1.1, 1.1.3, 1.1.11, 1.4.1, 1.4.2, 2.1.2, 3.1, 3.2, 3.6, 3.15
  it("is whole in every request over stdio, where tools keep annotations that need headers", async () => {
    const { command, args } = scriptedStdio(
      (self) => {
        const { answers, form, meta } = self.data as {
          answers: Record<string, object>;
          form: object;
          meta: string;
        };
        const seen: unknown[] = [];
        self.on("*", (message) => {
          seen.push(message);
          const { id, method = "", params } = message;
          if (method === "subscriptions/listen") {
            self.notify("notifications/subscriptions/acknowledged", {
              notifications: params.notifications,
              _meta: { [`${meta}subscriptionId`]: id },
            });
          } else if (method !== "tools/call") {
            self.reply(message, { resultType: "complete", ...answers[method] });
          } else if (params.name === "seen") {
            const content = [{ type: "text", text: JSON.stringify(seen) }];
            self.reply(message, { resultType: "complete", content });
          } else if (params.inputResponses === undefined) {
            const who = { method: "elicitation/create", params: form };
            self.reply(message, { resultType: "input_required", inputRequests: { who } });
          } else {
            self.reply(message, { resultType: "complete", content: [{ type: "text", text: "done" }] });
          }
        });
      },
      { answers: ANSWERS, form: FORM, meta: META },
    );
    await using test = new TestPool({ s: { command, args, protocol: MODERN } }, accept);
    await useEverything(test);
    assert.deepEqual(test.tools(), ["ask", "bad"]);
    const { result } = await test.pool.callTool("s", "seen", {}, PANEL);
    checkRequests(JSON.parse(firstText(result)) as JsonObject[]);
  });

  // Duty: 1.1.5, 1.1.8, 1.1.9, 3.2, 3.3
  it("is no answer to its requests and notifications, also over stdio", async () => {
    const { command, args } = scriptedStdio((self) => {
      const seen: unknown[] = [];
      self.on("*", (message) => {
        seen.push(message.method);
        if (message.method === "server/discover") {
          const capabilities = { tools: {} };
          self.reply(message, { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities });
          self.send({ jsonrpc: "2.0", id: "p", method: "ping" });
          self.send({ jsonrpc: "2.0", id: 1, method: "elicitation/create", params: {} });
          self.notify("notifications/unheard/of", {});
        } else if (message.method === "tools/list")
          self.reply(message, { resultType: "complete", tools: [] });
        else if (message.method === "tools/call") {
          const content = [{ type: "text", text: JSON.stringify(seen) }];
          self.after(30, () => self.reply(message, { resultType: "complete", content }));
        }
      });
    });
    await using test = new TestPool({ s: { command, args, protocol: MODERN } }, accept);
    await test.connect();
    const { result } = await test.pool.callTool("s", "seen", {}, PANEL);
    assert.deepEqual(JSON.parse(firstText(result)), ["server/discover", "tools/list", "tools/call"]);
    assert.equal(test.rounds.length, 0);
    assert.ok(test.log.visible.some((line) => line.startsWith("warn Dropped the request ping")));
  });

  // Duty: 1.1.5, 1.3.1, 3.6, 3.8, 14.2.1
  it("comes to one process whoever asks, each answer goes to its own call, and a cancellation has no id", async () => {
    const { command, args } = scriptedStdio((self) => {
      let waiting: (() => void)[] = [];
      const text = (value: unknown): object => ({
        resultType: "complete",
        content: [{ type: "text", text: JSON.stringify(value) }],
      });
      let cancelled: unknown;
      self.on("server/discover", (message) => {
        const capabilities = { tools: {} };
        self.reply(message, { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities });
      });
      self.on("tools/list", (message) => self.reply(message, { resultType: "complete", tools: [] }));
      self.on("notifications/cancelled", (message) => {
        cancelled = message;
      });
      self.on("tools/call", (message) => {
        const { name, arguments: given } = message.params;
        if (name === "cancelled") self.reply(message, text(cancelled));
        if (name !== "wait") return;
        waiting.push(() => self.reply(message, text([given.n, process.pid])));
        if (waiting.length < 3) return;
        for (const answer of waiting.reverse()) answer();
        waiting = [];
      });
    });
    await using test = new TestPool({ s: { command, args, protocol: MODERN } });
    await test.connect();
    const origins = ["panel", "chat", "api"] as const;
    const outcomes = await Promise.all(
      origins.map((origin, n) => test.pool.callTool("s", "wait", { n }, { origin })),
    );
    const answers = outcomes.map(({ result }) => JSON.parse(firstText(result)) as [number, number]);
    assert.deepEqual(
      answers.map(([n]) => n),
      [0, 1, 2],
    );
    assert.equal(new Set(answers.map(([, pid]) => pid)).size, 1);

    const abort = new AbortController();
    const silent = test.pool.callTool("s", "silent", {}, { ...PANEL, signal: abort.signal });
    abort.abort(new Error("enough"));
    await assert.rejects(silent, /enough/);
    const told = JSON.parse(
      firstText((await test.pool.callTool("s", "cancelled", {}, PANEL)).result),
    ) as JsonObject;
    assert.ok(!("id" in told));
    assert.ok(Number.isInteger((told["params"] as JsonObject)["requestId"]));
  });
});

describe("what comes back from a modern server", () => {
  /** The result of a call whose result has this type. */
  async function callOf(resultType: string | undefined): Promise<string> {
    const server = await startScriptedHttp((exchange) => {
      const { method } = exchange.message;
      if (method === "tools/call") {
        const content = [{ type: "text", text: "part" }];
        exchange.result({ content, ...(resultType !== undefined && { resultType }) });
      } else exchange.result({ resultType: "complete", ...ANSWERS[method as string] });
    });
    try {
      await using test = new TestPool({ s: { url: server.url } });
      await test.connect();
      return firstText((await test.pool.callTool("s", "ask", {}, PANEL)).result);
    } finally {
      await server.close();
    }
  }

  // Duty: 1.2.1, 1.2.2
  it("is complete when it says so, and when it says nothing", async () => {
    assert.equal(await callOf("complete"), "part");
    assert.equal(await callOf(undefined), "part");
  });

  // Duty: 1.2.3
  it("is not used when its type is unknown, however much it looks like a result", async () => {
    await assert.rejects(callOf("partial"), { code: "unknown-result-type", message: /partial/ });
  });

  // Duty: 7.1.1
  it("is one list of tools, however many pages it has", async () => {
    const asked: unknown[] = [];
    const server = await startScriptedHttp((exchange) => {
      const { method, params } = exchange.message;
      if (method !== "tools/list")
        return exchange.result({ resultType: "complete", ...ANSWERS[method as string] });
      asked.push(params.cursor);
      const tools = [{ name: `t${String(asked.length)}`, inputSchema: { type: "object" } }];
      const next = asked.length < 3 ? { nextCursor: asked.length === 1 ? "" : "two" } : {};
      return exchange.result({ resultType: "complete", ttlMs: 0, cacheScope: "private", tools, ...next });
    });
    {
      await using test = new TestPool({ s: { url: server.url } });
      await test.connect();
      assert.deepEqual(test.tools(), ["t1", "t2", "t3"]);
    }
    assert.deepEqual(asked, [undefined, "", "two"]);
    await server.close();
  });

  // Duty: 4.2.7, 4.2.8
  it("decides which arguments are mirrored, as it was listed last", async () => {
    let lists = 0;
    const server = await startScriptedHttp((exchange) => {
      const { method } = exchange.message;
      if (method === "tools/list") {
        lists += 1;
        const zone = { type: "string", ...(lists > 1 && { "x-mcp-header": "Zone" }) };
        const inputSchema = { type: "object", properties: { zone } };
        exchange.result({ resultType: "complete", tools: [{ name: "t", inputSchema }] });
      } else if (method !== "tools/call") {
        const capabilities = { tools: {} };
        exchange.result({ resultType: "complete", supportedVersions: ["2026-07-28"], capabilities });
      } else if (exchange.request.headers["mcp-param-zone"] === undefined) {
        exchange.error(400, -32020, "Mcp-Param-Zone is missing");
      } else exchange.result({ resultType: "complete", content: [] });
    });
    {
      await using test = new TestPool({ s: { url: server.url } });
      await test.connect();
      await test.pool.callTool("s", "t", { zone: "eu" }, PANEL);
    }
    const calls = server.requests.filter(({ headers }) => headers["mcp-method"] === "tools/call");
    assert.deepEqual(
      calls.map(({ headers }) => headers["mcp-param-zone"]),
      [undefined, "eu"],
    );
    await server.close();
  });
});
