import assert from "node:assert/strict";
import { parseJson, type JsonObject } from "../../../src/base/json.ts";
import { digitServerOnStdio, digitServerOverHttp, HUGE, ODD } from "../../support/digitServer.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

interface Running {
  readonly config: JsonObject;
  close(): Promise<void>;
}

const SERVERS: readonly (readonly [string, () => Promise<Running>])[] = [
  ["stdio", () => Promise.resolve({ config: digitServerOnStdio(), close: () => Promise.resolve() })],
  ...(["json", "sse"] as const).map((as): [string, () => Promise<Running>] => [
    `HTTP ${as}`,
    async () => {
      const server = await digitServerOverHttp(as);
      return { config: { url: server.url }, close: () => server.close() };
    },
  ]),
];

describe("integers beyond 2^53", () => {
  for (const [name, start] of SERVERS) {
    it(`keep every digit to the server and back over ${name}`, async () => {
      const server = await start();
      {
        await using test = new TestPool({ s: server.config });
        await test.connect();
        const args = { id: ODD, any: [-HUGE, 1, 0.5, String(ODD)] };
        const { result } = await test.pool.callTool("s", "echo", args, { origin: "panel" });
        assert.deepEqual(result.structuredContent, { echo: args, huge: HUGE });
        assert.deepEqual(parseJson(firstText(result)), result.structuredContent);
        assert.deepEqual(result.structuredCheck, { kind: "valid" });
        assert.deepEqual(
          test.log.lines.filter((line) => line.includes("9007199254740992")),
          [],
        );
      }
      await server.close();
    });

    it(`keep every digit in what a person is asked for and answers over ${name}`, async () => {
      const server = await start();
      {
        await using test = new TestPool({ s: server.config }, () => ({
          action: "accept",
          content: { n: HUGE },
        }));
        await test.connect();
        const { result } = await test.pool.callTool("s", "ask", {}, { origin: "panel" });
        assert.deepEqual(result.structuredContent, { echo: { n: HUGE }, huge: HUGE });
        const request = test.rounds[0]?.requests[0];
        assert.ok(request?.kind === "form");
        const [field] = request.form.fields;
        assert.ok(field?.kind === "number");
        assert.deepEqual([field.minimum, field.default], [ODD, 9007199254740995n]);
      }
      await server.close();
    });
  }

  it("are valid or invalid by their last digit", async () => {
    await using test = new TestPool({ s: digitServerOnStdio() });
    await test.connect();
    const check = async (id: bigint): Promise<string> =>
      (await test.pool.callTool("s", "echo", { id }, { origin: "panel" })).result.structuredCheck.kind;
    assert.equal(await check(9223372036854775807n), "valid");
    assert.equal(await check(9223372036854775808n), "invalid");
  });

  // Duty: 1.1.10
  it("come back in the answer when a server has one for the id of its request", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("server/discover", (request) => self.fail(request, -32601));
      self.on("initialize", (request) =>
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        }),
      );
      self.on("tools/list", (request) =>
        self.reply(request, { tools: [{ name: "t", inputSchema: { type: "object" } }] }),
      );
      self.on("tools/call", (request) => {
        process.stdin.on("data", (chunk: Buffer) => {
          const id = /"id":(17\d+)/.exec(chunk.toString())?.[1];
          if (id !== undefined) self.reply(request, { content: [{ type: "text", text: id }] });
        });
        self.raw('{"jsonrpc":"2.0","id":1764518400123456789,"method":"ping"}\n');
      });
    });
    await using test = new TestPool({ s: { command, args } });
    await test.connect();
    const { result } = await test.pool.callTool("s", "t", {}, { origin: "panel" });
    assert.equal(firstText(result), "1764518400123456789");
  });
});
