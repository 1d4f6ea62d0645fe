import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../src/base/json.ts";
import type { StructuredCheck } from "../../../src/protocol/model/tool.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

/** A server with these tools. A call answers with its argument `result` as structured content. */
function echoingServer(tools: readonly JsonObject[]): JsonObject {
  const { command, args } = scriptedStdio((self) => {
    self.on("server/discover", (request) => self.fail(request, -32601));
    self.on("initialize", (request) =>
      self.reply(request, {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "x", version: "1" },
      }),
    );
    self.on("tools/list", (request) => self.reply(request, { tools: self.data as object[] }));
    self.on("tools/call", (request) =>
      self.reply(request, {
        content: [{ type: "text", text: "done" }],
        structuredContent: (request.params as { arguments: { result?: unknown } }).arguments.result ?? {},
      }),
    );
  }, tools);
  return { command, args };
}

const ANY: JsonObject = { type: "object" };

function giving(name: string, outputSchema: JsonObject): JsonObject {
  return { name, inputSchema: ANY, outputSchema };
}

async function check(test: TestPool, tool: string, result: JsonValue): Promise<StructuredCheck> {
  const outcome = await test.pool.callTool("s", tool, { result }, { origin: "panel" });
  assert.equal(firstText(outcome.result), "done");
  assert.deepEqual(outcome.result.structuredContent, result);
  return outcome.result.structuredCheck;
}

describe("tools with schemas of many kinds", () => {
  // Duty: 7.1.3
  it("are all usable, whatever the root of their schema", async () => {
    const schemas: readonly JsonObject[] = [
      { type: "object", properties: { q: { type: "string" } } },
      {
        anyOf: [
          { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
          { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        ],
      },
      {
        type: "object",
        properties: { n: { type: "integer" } },
        allOf: [{ if: { properties: { n: { const: 1 } } }, then: { required: ["m"] } }],
      },
      { type: "object", properties: { xs: { type: "array" } } },
      { type: "object", properties: { x: { type: "strin" } } },
      {},
    ];
    const tools = schemas.map((inputSchema, index) => ({ name: `t${String(index)}`, inputSchema }));
    await using test = new TestPool({ s: echoingServer(tools) });
    await test.connect();
    assert.deepEqual(test.tools(), ["t0", "t1", "t2", "t3", "t4", "t5"]);
    for (const { name } of tools) {
      const { result } = await test.pool.callTool("s", name, { id: 1 }, { origin: "panel" });
      assert.equal(firstText(result), "done");
    }
  });

  // Duty: 1.5.2
  it("are called without a check in an unknown dialect, with one warning for each dialect", async () => {
    const dialect = ($schema: JsonValue): JsonObject => ({ $schema, type: "object" });
    await using test = new TestPool({
      s: echoingServer([
        { name: "a", inputSchema: dialect("https://json-schema.org/draft/2019-09/schema") },
        { ...giving("b", dialect("https://json-schema.org/draft/2019-09/schema")) },
        { ...giving("c", dialect("http://json-schema.org/draft-04/schema#")) },
        { ...giving("d", dialect("https://json-schema.org/draft/2020-12/schema#")) },
        { ...giving("e", dialect("http://json-schema.org/draft-07/schema")) },
        { ...giving("f", dialect("https://json-schema.org/draft/2020-21/schema")) },
      ]),
    });
    await test.connect();
    for (const tool of ["b", "c", "f"]) {
      const first = await check(test, tool, { x: 1 });
      assert.match(first.kind === "unchecked" ? first.reason.message : first.kind, /unknown dialect: "http/);
      await check(test, tool, { x: 2 });
    }
    for (const tool of ["d", "e"]) assert.deepEqual(await check(test, tool, { x: 1 }), { kind: "valid" });
    await test.pool.refresh("s");
    const state = test.state();
    const warnings = state.kind === "connected" ? state.catalog.warnings : [];
    assert.deepEqual(
      warnings.map((warning) => /“(.*)”.*: (.*)\.$/.exec(warning)?.slice(1)),
      [
        ["https://json-schema.org/draft/2019-09/schema", "a, b"],
        ["http://json-schema.org/draft-04/schema#", "c"],
        ["https://json-schema.org/draft/2020-21/schema", "f"],
      ],
    );
    for (const warning of warnings) {
      assert.equal(test.log.lines.filter((line) => line.includes(warning)).length, 1, warning);
    }
  });

  it("may refer to themselves, and are checked to any level", async () => {
    const node: JsonObject = {
      type: "object",
      properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
      required: ["label"],
    };
    const tree: JsonObject = {
      type: "object",
      properties: { root: { $ref: "#/$defs/node" } },
      required: ["root"],
      $defs: { node },
    };
    await using test = new TestPool({
      s: echoingServer([{ name: "tree", inputSchema: tree, outputSchema: tree }]),
    });
    await test.connect();
    const levels = (last: JsonObject): JsonObject => ({
      root: { label: "1", children: [{ label: "2", children: [last] }] },
    });
    assert.deepEqual(await check(test, "tree", levels({ label: "3" })), { kind: "valid" });
    const broken = await check(test, "tree", levels({}));
    assert.deepEqual(broken.kind === "invalid" && broken.problems.map(({ path }) => path), [
      "/root/children/0/children/0/label",
    ]);
    const state = test.state();
    const [tool] = state.kind === "connected" ? state.catalog.tools : [];
    assert.deepEqual(tool?.inputSchema, tree);
  });

  it("keep the same $id apart from each other", async () => {
    const $id = "https://same.test/s";
    await using test = new TestPool({
      s: echoingServer([
        giving("n", { $id, properties: { v: { $ref: "#/$defs/v" } }, $defs: { v: { type: "number" } } }),
        giving("t", { $id, properties: { v: { $ref: "#/$defs/v" } }, $defs: { v: { type: "string" } } }),
      ]),
    });
    await test.connect();
    assert.deepEqual(await check(test, "n", { v: 1 }), { kind: "valid" });
    assert.deepEqual(await check(test, "t", { v: "a" }), { kind: "valid" });
    assert.equal((await check(test, "t", { v: 1 })).kind, "invalid");
  });

  // Duty: 1.5.4, 1.5.5
  it("deliver their results when the schema cannot be used, and say why", async () => {
    await using test = new TestPool({
      s: echoingServer([
        giving("remote", { type: "object", properties: { a: { $ref: "https://schemas.invalid/a.json" } } }),
        giving("slow", { type: "object", properties: { a: { pattern: "^(a+)+$" } } }),
        giving("broken", { type: "strin" }),
      ]),
    });
    await test.connect();
    const reason = async (tool: string): Promise<string> => {
      const result = await check(test, tool, { a: `${"a".repeat(40)}!` });
      return result.kind === "unchecked" ? result.reason.message : result.kind;
    };
    assert.match(await reason("remote"), /schemas\.invalid\/a\.json.*Nothing was fetched/);
    assert.match(await reason("slow"), /more than 250 ms/);
    assert.match(await reason("broken"), /broken: "\/type" must be one of/);
  });
});
