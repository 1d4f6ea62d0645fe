import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import type {
  ClientFeatures,
  SamplingAsk,
  SamplingOutcome,
} from "../../../src/protocol/mrtr/clientFeatures.ts";
import { SAMPLING_PER_WINDOW } from "../../../src/protocol/mrtr/featureUse.ts";
import { askingHttp, askingStdio, type Question } from "../../support/askingServer.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;
const hello = { messages: [{ role: "user", content: { type: "text", text: "hello" } }], maxTokens: 50 };
const withTools = { ...hello, tools: [{ name: "look", inputSchema: { type: "object" } }] };

const ask = (revision: Question["revision"], params: JsonObject = hello): Question => ({
  revision,
  method: "sampling/createMessage",
  params,
});

type Sample = (ask: SamplingAsk, signal: AbortSignal) => SamplingOutcome | Promise<SamplingOutcome>;

const answered: SamplingOutcome = {
  kind: "answered",
  message: { content: [{ type: "text", text: "hi there" }], model: "m-1", stopReason: "endTurn" },
};

/** Features with a scripted model, which keeps what it was asked. */
function sampling(
  sample: Sample = () => answered,
  tools = true,
): { features: () => ClientFeatures; asks: SamplingAsk[] } {
  const asks: SamplingAsk[] = [];
  const handler = {
    tools,
    createMessage: async (one: SamplingAsk, signal: AbortSignal) => {
      asks.push(one);
      return sample(one, signal);
    },
  };
  return { features: () => ({ sampling: handler, roots: null }), asks };
}

const accept = () => ({ action: "accept", content: {} }) as const;

async function call(test: TestPool): Promise<{ answer: JsonObject; declared: JsonObject }> {
  await test.connect();
  const { result } = await test.pool.callTool("s", "t", {}, { origin: "panel" });
  return JSON.parse(firstText(result)) as { answer: JsonObject; declared: JsonObject };
}

const wanted = (test: TestPool): readonly string[] => {
  const state = test.state();
  return state.kind === "connected" ? state.wanted : [];
};

describe("sampling", () => {
  for (const revision of REVISIONS) {
    for (const transport of ["stdio", "http"] as const) {
      // Duty: 11.1.1, 11.1.6, 9.5, 11.0.2
      it(`is answered: ${revision} over ${transport}`, async () => {
        const { features, asks } = sampling();
        const http = transport === "http" ? await askingHttp(ask(revision)) : undefined;
        {
          await using test = new TestPool(
            { s: { protocol: revision, ...(http ? { url: http.url } : askingStdio(ask(revision))) } },
            accept,
            {
              features,
            },
          );
          const { answer, declared } = await call(test);
          const content = { type: "text", text: "hi there" };
          assert.deepEqual(answer, { role: "assistant", content, model: "m-1", stopReason: "endTurn" });
          assert.deepEqual(declared["sampling"], revision === "2025-06-18" ? {} : { tools: {} });
          assert.deepEqual(
            asks.map(({ serverId, method, target, round, request }) => [
              serverId,
              method,
              target,
              round,
              request.maxTokens,
            ]),
            [["s", "tools/call", "t", 1, 50]],
          );
          assert.ok(test.log.lines.some((line) => line.includes("deprecated")));
          assert.equal(test.rounds.length, 0, "no form was shown");
        }
        await http?.close();
      });
    }

    // Duty: 9.11, 9.12, 11.1.8, 15.11
    it(`is refused by the person: ${revision}`, async () => {
      const { features } = sampling(() => ({ kind: "refused" }));
      await using test = new TestPool({ s: askingStdio(ask(revision)) }, accept, { features });
      if (revision === "2026-07-28") {
        await assert.rejects(call(test), { code: "sampling-refused", message: /“s”.*tools\/call/ });
      } else {
        assert.equal((await call(test)).answer["code"], -1);
      }
    });

    // Duty: 9.10, 11.0.1, 11.1.1
    it(`is not offered unless it is allowed, and the wish is shown: ${revision}`, async () => {
      await using test = new TestPool({ s: askingStdio(ask(revision)) }, accept);
      if (revision === "2026-07-28") {
        await assert.rejects(call(test), { code: "sampling-off", remedy: /“sampling” to “ask”/ });
      } else {
        const { answer, declared } = await call(test);
        assert.equal(answer["code"], -32601);
        assert.ok(!("sampling" in declared));
      }
      assert.deepEqual(wanted(test), ["sampling"]);
    });

    // Duty: 11.1.7
    it(`is refused when the request breaks the rules, and nobody is asked: ${revision}`, async () => {
      const { features, asks } = sampling();
      const { maxTokens: _, ...without } = hello;
      await using test = new TestPool({ s: askingStdio(ask(revision, without)) }, accept, { features });
      if (revision === "2026-07-28") {
        await assert.rejects(call(test), { code: "invalid-sampling", message: /maxTokens/ });
      } else {
        assert.equal((await call(test)).answer["code"], -32602);
      }
      assert.equal(asks.length, 0);
    });

    // Duty: 11.1.5
    it(`is refused with tools where those were not declared: ${revision}`, async () => {
      const { features, asks } = sampling(undefined, revision === "2025-06-18");
      await using test = new TestPool({ s: askingStdio(ask(revision, withTools)) }, accept, { features });
      if (revision === "2026-07-28") {
        await assert.rejects(call(test), { code: "undeclared-input", message: /sampling with tools/ });
      } else {
        assert.equal((await call(test)).answer["code"], -32602);
      }
      assert.equal(asks.length, 0);
    });

    it(`has no answer when no model can be had: ${revision}`, async () => {
      const { features } = sampling(() => Promise.reject(new Error("no model in this editor")));
      await using test = new TestPool({ s: askingStdio(ask(revision)) }, accept, { features });
      if (revision === "2026-07-28") {
        await assert.rejects(call(test), /no model in this editor/);
      } else {
        const { answer } = await call(test);
        assert.equal(answer["code"], -32603);
        assert.ok(!JSON.stringify(answer).includes("no model"), "the server learns nothing of the editor");
      }
    });
  }

  // Duty: 11.1.5, 11.1.6
  for (const revision of ["2026-07-28", "2025-11-25"] as const) {
    it(`brings tools of the server and takes uses of them back: ${revision}`, async () => {
      const content = [{ type: "tool_use", id: "1", name: "look", input: { q: 1 } }] as const;
      const { features, asks } = sampling(() => ({
        kind: "answered",
        message: { content, model: "m", stopReason: "toolUse" },
      }));
      await using test = new TestPool({ s: askingStdio(ask(revision, withTools)) }, accept, { features });
      const { answer } = await call(test);
      assert.deepEqual(answer, { role: "assistant", content: content[0], model: "m", stopReason: "toolUse" });
      assert.deepEqual(asks[0]?.request.tools, [{ name: "look", inputSchema: { type: "object" } }]);
    });
  }

  // Duty: 1.4.11, 1.4.12
  it("is declared only for modern calls in which a person can be asked", async () => {
    const server = await askingHttp(ask("2026-07-28"));
    {
      const { features, asks } = sampling();
      await using test = new TestPool({ s: { url: server.url } }, accept, { features });
      await test.connect();
      const unasked = test.pool.callTool("s", "t", {}, { origin: "panel", input: null });
      await assert.rejects(unasked, { code: "undeclared-input" });
      assert.equal(asks.length, 0);
      const declared = server.messages.map(({ params }) => {
        const meta = (params as JsonObject)["_meta"] as JsonObject;
        return meta["io.modelcontextprotocol/clientCapabilities"];
      });
      assert.deepEqual(declared, [{}, {}, {}]);
      assert.deepEqual(wanted(test), [], "it is allowed, only not here");
    }
    await server.close();
  });

  it("stops when the call is cancelled", async () => {
    const cancel = new AbortController();
    const { features } = sampling((_ask, signal) => {
      queueMicrotask(() => cancel.abort(new Error("enough")));
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    });
    await using test = new TestPool({ s: askingStdio(ask("2026-07-28")) }, accept, { features });
    await test.connect();
    await assert.rejects(
      test.pool.callTool("s", "t", {}, { origin: "panel", signal: cancel.signal }),
      /enough/,
    );
  });

  // Duty: 14.2.3
  it("stops when a legacy server withdraws it, and gets no answer any more", async () => {
    const { command, args } = scriptedStdio((self) => {
      let call = {};
      self.on("server/discover", (request) => self.fail(request, -32601));
      self.on("initialize", (request) =>
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "x", version: "1" },
        }),
      );
      self.on("tools/call", (request) => {
        call = request;
        const params = { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 1 };
        self.send({ jsonrpc: "2.0", id: "q", method: "sampling/createMessage", params });
        self.after(50, () => {
          self.notify("notifications/cancelled", { requestId: "q" });
          self.send({ jsonrpc: "2.0", id: "after", method: "ping" });
        });
      });
      self.on("*", (message) => {
        if (message.id === undefined) return;
        self.reply(call, { content: [{ type: "text", text: String(message.id) }] });
      });
    });
    let isOpen = false;
    const { features } = sampling((_ask, signal) => {
      isOpen = true;
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          isOpen = false;
          reject(signal.reason as Error);
        });
      });
    });
    await using test = new TestPool({ s: { command, args } }, accept, { features });
    await test.connect();
    const { result } = await test.pool.callTool("s", "t", {}, { origin: "panel" });
    assert.equal(firstText(result), "after", "the first thing that came was the answer to the later ping");
    assert.equal(isOpen, false);
  });

  // Duty: 11.1.2
  it("is bounded in number within a minute", async () => {
    const clock = new FakeClock();
    const { features, asks } = sampling();
    await using test = new TestPool({ s: askingStdio(ask("2026-07-28")) }, accept, { features, clock });
    for (let n = 0; n < SAMPLING_PER_WINDOW; n += 1) await call(test);
    await assert.rejects(call(test), { code: "sampling-too-often" });
    clock.advance(60_000);
    await call(test);
    assert.equal(asks.length, SAMPLING_PER_WINDOW + 1);
  });

  // Duty: 9.9
  it("is bounded in rounds within one call", async () => {
    const { command, args } = scriptedStdio((self) => {
      self.on("server/discover", (request) =>
        self.reply(request, { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {} }),
      );
      self.on("tools/call", (request) => {
        const params = { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 1 };
        const inputRequests = { k: { method: "sampling/createMessage", params } };
        self.reply(request, { resultType: "input_required", inputRequests });
      });
    });
    const { features, asks } = sampling();
    await using test = new TestPool({ s: { command, args, limits: { inputRounds: 3 } } }, accept, {
      features,
    });
    await test.connect();
    await assert.rejects(test.pool.callTool("s", "t", {}, { origin: "panel" }), { code: "too-many-rounds" });
    assert.equal(asks.length, 3);
  });
});
