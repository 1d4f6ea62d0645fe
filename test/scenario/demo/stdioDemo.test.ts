import assert from "node:assert/strict";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { startDemo, type DemoProcess } from "./demoProcess.ts";
import { withEnvelope, type RawAnswer } from "./rawClient.ts";

type Message = Readonly<Record<string, unknown>> & Partial<Pick<RawAnswer, "result" | "error">>;

/** One request at a time over standard input and output; what comes before the answer is kept. */
interface Wire {
  send(message: object): void;
  /** The answer to the id; everything before it goes to `before`. */
  answer(id: number, before?: Message[]): Promise<Message>;
}

function openWire({ child }: DemoProcess): Wire {
  const lines: AsyncIterator<string, undefined> = createInterface({ input: child.stdout })[
    Symbol.asyncIterator
  ]();
  return {
    send: (message) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    },
    async answer(id, before = []) {
      for (;;) {
        const line = await lines.next();
        if (line.done === true) throw new Error("the demo ended");
        const message = JSON.parse(line.value) as Message;
        if (message["id"] === id) return message;
        before.push(message);
      }
    },
  };
}

describe("demo over stdio", function () {
  this.timeout(20_000);
  let demo: DemoProcess;
  let wire: Wire;

  beforeEach(() => {
    demo = startDemo("--stdio");
    wire = openWire(demo);
  });

  afterEach(() => {
    demo.dispose();
  });

  it("opens in the modern era and asks within a call", async () => {
    wire.send({ id: 1, method: "server/discover", params: withEnvelope({}) });
    assert.deepEqual((await wire.answer(1)).result?.supportedVersions, ["2026-07-28"]);
    const params = { name: "create_database", arguments: { name: "orders", engine: "redis" } };
    wire.send({ id: 2, method: "tools/call", params: withEnvelope(params) });
    const asked = await wire.answer(2);
    assert.equal(asked.result?.resultType, "input_required");
    assert.ok(asked.result.requestState !== undefined);
  });

  it("opens with the 2025 handshake and asks with a request of its own", async () => {
    const opening = {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: {} },
      clientInfo: { name: "old", version: "1" },
    };
    wire.send({ id: 1, method: "initialize", params: opening });
    assert.equal((await wire.answer(1)).result?.protocolVersion, "2025-11-25");
    wire.send({ method: "notifications/initialized" });
    const params = { name: "create_database", arguments: { name: "orders", engine: "redis" } };
    wire.send({ id: 2, method: "tools/call", params });
    const asked = await wire.answer(0);
    assert.equal(asked["method"], "elicitation/create");
    wire.send({ id: 0, result: { action: "decline" } });
    const declined = await wire.answer(2);
    assert.match(declined.result?.content?.[0]?.text ?? "", /You declined. Nothing was created/);
  });

  it("reports progress and stops when cancelled", async () => {
    const run = (steps: number, durationMs: number): object => {
      const params = withEnvelope({ name: "run_migration", arguments: { steps, durationMs } }) as {
        _meta: object;
      };
      return { ...params, _meta: { ...params._meta, progressToken: "p" } };
    };
    wire.send({ id: 1, method: "tools/call", params: run(3, 30) });
    const before: Message[] = [];
    const done = await wire.answer(1, before);
    assert.deepEqual(
      before.map(({ method }) => method),
      new Array(3).fill("notifications/progress"),
    );
    assert.match(done.result?.content?.[0]?.text ?? "", /finished after 3 steps/);
    wire.send({ id: 2, method: "tools/call", params: run(1, 600_000) });
    wire.send({ method: "notifications/cancelled", params: { requestId: 2 } });
    wire.send({ id: 3, method: "tools/list", params: withEnvelope({}) });
    const afterwards: Message[] = [];
    assert.equal((await wire.answer(3, afterwards)).result?.tools?.length, 7);
    assert.deepEqual(afterwards, []);
    demo.child.stdin.end();
    assert.equal(await demo.exited(), 0);
  });

  it("ends with its standard input, also in the middle of a call", async () => {
    const params = { name: "run_migration", arguments: { steps: 1, durationMs: 600_000 } };
    wire.send({ id: 1, method: "tools/call", params: withEnvelope(params) });
    demo.child.stdin.end();
    assert.equal(await demo.exited(), 0);
  });

  it("ends with SIGTERM", async () => {
    wire.send({ id: 1, method: "server/discover", params: withEnvelope({}) });
    await wire.answer(1);
    demo.child.kill("SIGTERM");
    assert.equal(await demo.exited(), 0);
  });

  it("says how it is used when it is used wrongly", async () => {
    const wrong = startDemo("--http", "port");
    const closed = once(wrong.child, "close");
    assert.equal(await wrong.exited(), 2);
    await closed;
    assert.match(wrong.stderr(), /needs a port[\s\S]*Usage: demo --stdio/);
  });
});
