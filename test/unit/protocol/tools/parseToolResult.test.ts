import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { DEFAULT_LIMITS } from "../../../../src/protocol/limits.ts";
import type { Tool, ToolResult } from "../../../../src/protocol/model/tool.ts";
import { prepareSchema } from "../../../../src/protocol/schema/prepareSchema.ts";
import { parseToolResult } from "../../../../src/protocol/tools/parseToolResult.ts";

const weather: Tool = {
  name: "weather",
  displayName: "weather",
  inputSchema: { type: "object" },
  outputSchema: {
    type: "object",
    properties: { temp: { type: "number" } },
    required: ["temp"],
    additionalProperties: false,
  },
  raw: {},
};

function parse(raw: JsonObject, tool: Tool | null = weather): ToolResult {
  return parseToolResult(raw, tool ?? undefined, { serverName: "s", limits: DEFAULT_LIMITS, prepareSchema });
}

const offline = [{ type: "text", text: "station offline" }];

describe("parseToolResult", () => {
  // Duty: 7.4.3
  it("shows a tool's own failure and does not hold it against the schema", () => {
    const bare = parse({ isError: true, content: offline });
    assert.equal(bare.isError, true);
    assert.deepEqual(bare.structuredCheck, { kind: "none" });
    const shaped = parse({
      isError: true,
      content: offline,
      structuredContent: { error: { code: "OFFLINE" } },
    });
    assert.equal(shaped.structuredCheck.kind, "unchecked");
    assert.equal(shaped.content[0]?.type === "text" && shaped.content[0].text, "station offline");
  });

  // Duty: 7.4.2
  it("reports structured content of the wrong shape and keeps everything", () => {
    const result = parse({ content: offline, structuredContent: { temp: "21" } });
    assert.equal(result.structuredCheck.kind, "invalid");
    assert.match(
      result.structuredCheck.kind === "invalid" ? (result.structuredCheck.problems[0]?.path ?? "") : "",
      /\/temp/,
    );
    assert.deepEqual(result.structuredContent, { temp: "21" });
    assert.equal(result.content.length, 1);
  });

  // Duty: 7.4.3
  it("reports structured content that is missing", () => {
    assert.deepEqual(parse({ content: [] }).structuredCheck, { kind: "missing" });
  });

  // Duty: 7.4.1, 7.4.5
  it("accepts any JSON value as structured content, null too", () => {
    const tool = { ...weather, outputSchema: { type: "null" } };
    const result = parse({ content: [], structuredContent: null }, tool);
    assert.deepEqual(result.structuredCheck, { kind: "valid" });
    assert.equal(result.structuredContent, null);
  });

  it("does not claim a check against a schema on the network", () => {
    const tool = { ...weather, outputSchema: { $ref: "https://example.com/s.json" } };
    assert.equal(parse({ content: [], structuredContent: {} }, tool).structuredCheck.kind, "unchecked");
  });

  // Duty: 7.3.1, 7.3.4, 7.3.5
  it("keeps links and unknown blocks in their place", () => {
    const result = parse(
      {
        content: [
          { type: "text", text: "see report" },
          { type: "resource_link", uri: "reports://q3", name: "q3", title: "Quarter 3", size: 1200 },
          { type: "hologram", data: "…" },
          "odd",
          { type: "text", text: "end", _meta: { "x/y": 1 } },
        ],
      },
      null,
    );
    assert.deepEqual(
      result.content.map((block) => block.type),
      ["text", "resource_link", "unknown", "unknown", "text"],
    );
    const link = result.content[1];
    assert.deepEqual(link?.type === "resource_link" && [link.uri, link.title, link.size], [
      "reports://q3",
      "Quarter 3",
      1200,
    ]);
  });

  // Duty: 1.4.6, 7.3.2, 7.3.3
  it("keeps annotations and metadata wherever they stand, whatever they say", () => {
    const annotations = { audience: ["user", "nobody"], priority: 2, lastModified: "yesterday" };
    const resource = { uri: "x:1", text: "one", annotations };
    const content = [
      { type: "text", text: "a", annotations, _meta: { "io.modelcontextprotocol/unheard-of": { a: 1 } } },
      { type: "resource", resource },
      { type: "resource", resource: { uri: "x:1", text: "one" }, annotations },
    ];
    const result = parse({ content }, null);
    assert.deepEqual(
      result.content.map(({ type, raw }) => [type, raw]),
      content.map((block) => [block.type, block]),
    );
  });

  // Duty: 7.3.5
  it("makes an incomplete image an unknown block, not a failure", () => {
    const result = parse({ content: [{ type: "image", mimeType: "image/png" }] }, null);
    assert.equal(result.content[0]?.type, "unknown");
  });

  // Duty: 7.2.2
  it("takes an empty list as an empty success", () => {
    const result = parse({ content: [] }, null);
    assert.deepEqual([result.content, result.isError, result.structuredCheck], [[], false, { kind: "none" }]);
  });

  it("accepts structured content alone, and nothing else without content", () => {
    assert.deepEqual(parse({ structuredContent: { temp: 1 } }).structuredCheck, { kind: "valid" });
    assert.throws(() => parse({ toolResult: 1 }), { code: "invalid-result" });
  });
});
