import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../../src/base/json.ts";
import { parseSampling } from "../../../../src/protocol/mrtr/parseSampling.ts";
import { toCreateMessageResult } from "../../../../src/protocol/mrtr/samplingResult.ts";
import type { SamplingRequest } from "../../../../src/protocol/model/sampling.ts";

const text = (words: string): JsonObject => ({ type: "text", text: words });
const user = (...content: JsonObject[]): JsonObject => ({ role: "user", content });
const assistant = (...content: JsonObject[]): JsonObject => ({ role: "assistant", content });
const use = (id: string): JsonObject => ({ type: "tool_use", id, name: "look", input: { q: 1 } });
const result = (toolUseId: string): JsonObject => ({
  type: "tool_result",
  toolUseId,
  content: [text("found")],
});

function read(params: JsonObject, offersTools = true): SamplingRequest {
  const parsed = parseSampling({ messages: [user(text("hi"))], maxTokens: 10, ...params }, offersTools);
  assert.ok(parsed.kind === "request", parsed.kind === "invalid" ? parsed.reason : parsed.kind);
  return parsed.request;
}

function reason(params: JsonValue | undefined): string {
  const parsed = parseSampling(params, true);
  return parsed.kind === "invalid" ? parsed.reason : parsed.kind;
}

const conversation = (...messages: JsonObject[]): string => reason({ messages, maxTokens: 1 });

describe("parseSampling", () => {
  it("reads a message with one block as one with a list", () => {
    const request = read({ messages: [{ role: "user", content: text("hi") }] });
    assert.deepEqual(request.messages, [{ role: "user", content: [text("hi")] }]);
    assert.equal(request.includeContext, "none");
    assert.equal(request.toolChoice, undefined);
  });

  it("reads everything that a request may say", () => {
    const request = read({
      systemPrompt: "Be short",
      maxTokens: 400,
      temperature: 0.2,
      stopSequences: ["END"],
      includeContext: "allServers",
      metadata: { anything: true },
      modelPreferences: {
        hints: [{ name: "sonnet" }, {}, { name: "gpt" }],
        costPriority: 0,
        intelligencePriority: 1,
      },
      tools: [{ name: "look", description: "Looks", inputSchema: { type: "object" } }],
    });
    assert.deepEqual(request.modelHints, ["sonnet", "gpt"]);
    assert.deepEqual(request.priorities, { cost: 0, intelligence: 1 });
    assert.equal(request.includeContext, "allServers");
    assert.equal(request.toolChoice, "auto");
    assert.deepEqual(
      [request.systemPrompt, request.temperature, request.stopSequences],
      ["Be short", 0.2, ["END"]],
    );
  });

  // Duty: 11.1.3
  for (const maxTokens of [undefined, null, 0, -1, "10"]) {
    it(`refuses maxTokens ${String(maxTokens)}`, () => {
      const params = { messages: [user(text("hi"))], ...(maxTokens !== undefined && { maxTokens }) };
      assert.match(reason(params), /maxTokens/);
    });
  }

  const wrong: readonly (readonly [string, JsonValue | undefined, RegExp])[] = [
    ["no parameters", undefined, /no parameters/],
    ["no messages", { maxTokens: 1 }, /no messages/],
    ["an empty conversation", { maxTokens: 1, messages: [] }, /no messages/],
    [
      "an unknown role",
      { maxTokens: 1, messages: [{ role: "system", content: text("x") }] },
      /message 1.*role/,
    ],
    ["an empty message", { maxTokens: 1, messages: [user()] }, /message 1 has no content/],
    ["an unknown block", { maxTokens: 1, messages: [user({ type: "video" })] }, /"video"/],
    [
      "a resource link, which only results may hold",
      { maxTokens: 1, messages: [user({ type: "resource_link", uri: "x:y", name: "n" })] },
      /resource_link/,
    ],
    ["an incomplete image", { maxTokens: 1, messages: [user({ type: "image", data: "" })] }, /image/],
    ["a list of tools that is none", { maxTokens: 1, messages: [user(text("x"))], tools: {} }, /tools/],
    [
      "a tool without a schema",
      { maxTokens: 1, messages: [user(text("x"))], tools: [{ name: "a" }] },
      /inputSchema/,
    ],
    [
      "an unknown choice",
      { maxTokens: 1, messages: [user(text("x"))], toolChoice: { mode: "any" } },
      /toolChoice/,
    ],
    [
      "a priority beyond 1",
      { maxTokens: 1, messages: [user(text("x"))], modelPreferences: { costPriority: 2 } },
      /costPriority/,
    ],
  ];
  for (const [name, params, expected] of wrong) {
    it(`refuses ${name}`, () => {
      assert.match(reason(params), expected);
    });
  }

  // Duty: 11.1.5
  it("refuses tools, a choice of tools, and their blocks where tools were not offered", () => {
    const message = user(text("hi"));
    const tools = [{ name: "look", inputSchema: {} }];
    const uses = [message, assistant(use("1")), user(result("1"))];
    for (const params of [
      { messages: [message], tools },
      { messages: [message], toolChoice: {} },
      { messages: uses },
    ]) {
      assert.equal(parseSampling({ maxTokens: 1, ...params }, false).kind, "undeclared-tools");
    }
  });

  // Duty: 11.1.7
  it("holds uses of tools and their results together", () => {
    const good = [
      user(text("hi")),
      assistant(text("let me look"), use("1"), use("2")),
      user(result("2"), result("1")),
    ];
    assert.equal(conversation(...good), "request");
    assert.match(conversation(user(text("hi")), assistant(use("1"))), /no result follows/);
    assert.match(
      conversation(user(text("hi")), assistant(use("1")), user(text("never mind"))),
      /does not answer/,
    );
    assert.match(
      conversation(user(text("hi")), assistant(use("1"), use("2")), user(result("1"))),
      /does not answer/,
    );
    assert.match(conversation(assistant(use("1")), user(result("1"), text("and more"))), /mixes/);
    assert.match(conversation(user(text("hi")), user(result("1"))), /not there/);
    assert.match(conversation(assistant(use("1")), user(result("1"), result("1"))), /twice/);
    assert.match(conversation(assistant(use("1"), use("1")), user(result("1"))), /one id/);
    assert.match(conversation(user(use("1")), user(result("1"))), /the user's/);
    assert.match(conversation(assistant(result("1"))), /the assistant's/);
  });

  // Duty: 1.4.6, 11.1.9
  it("keeps the metadata of tool uses and results", () => {
    const meta = { cache: "k" };
    const { messages } = read({
      messages: [assistant({ ...use("1"), _meta: meta }), user({ ...result("1"), _meta: meta })],
      tools: [],
    });
    const [uses, results] = messages.map(({ content }) => content[0]);
    assert.ok(uses?.type === "tool_use" && results?.type === "tool_result");
    assert.deepEqual([uses.meta, results.meta], [meta, meta]);
  });
});

describe("toCreateMessageResult", () => {
  const two = [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ] as const;

  // Duty: 11.1.6
  it("gives one block where no tools are involved, because older servers read no list", () => {
    assert.deepEqual(toCreateMessageResult(read({}), { content: two, model: "m", stopReason: "endTurn" }), {
      role: "assistant",
      content: { type: "text", text: "ab" },
      model: "m",
      stopReason: "endTurn",
    });
    assert.deepEqual(toCreateMessageResult(read({}), { content: [], model: "m" })["content"], text(""));
  });

  // Duty: 11.1.6, 11.1.9
  it("gives uses of tools with their metadata", () => {
    const call = { type: "tool_use", id: "1", name: "look", input: {}, meta: { k: 1 } } as const;
    const request = read({ tools: [{ name: "look", inputSchema: {} }] });
    const wire = { type: "tool_use", id: "1", name: "look", input: {}, _meta: { k: 1 } };
    assert.deepEqual(toCreateMessageResult(request, { content: [call], model: "m" })["content"], wire);
    assert.deepEqual(toCreateMessageResult(request, { content: [two[0], call], model: "m" })["content"], [
      text("a"),
      wire,
    ]);
  });
});
