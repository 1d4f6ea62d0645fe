import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import type { InputResponse } from "../../../src/protocol/mrtr/inputRequired.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { type ScriptedExchange, type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

const form = (message: string, properties: JsonObject = { a: { type: "string" } }): JsonObject => ({
  method: "elicitation/create",
  params: { message, requestedSchema: { type: "object", properties } },
});

const url = (address: string): JsonObject => ({
  method: "elicitation/create",
  params: { mode: "url", message: "Pay", url: address },
});

const complete = (text: string): JsonObject => ({
  resultType: "complete",
  content: [{ type: "text", text }],
});

/** Answers the n-th `tools/call` with the n-th result; functions decide by the request. */
async function serve(
  ...answers: readonly (JsonObject | ((exchange: ScriptedExchange) => void))[]
): Promise<ScriptedHttp> {
  let call = 0;
  return startScriptedHttp((exchange) => {
    switch (exchange.message.method) {
      case "server/discover":
        exchange.result({
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
        });
        break;
      case "tools/list":
        exchange.result({ resultType: "complete", tools: [{ name: "t", inputSchema: { type: "object" } }] });
        break;
      default: {
        const answer = answers[Math.min(call, answers.length - 1)];
        call += 1;
        if (typeof answer === "function") answer(exchange);
        else exchange.result(answer ?? {});
      }
    }
  });
}

function callsOf(server: ScriptedHttp): JsonObject[] {
  return server.messages.filter((message) => message["method"] === "tools/call");
}

function paramsOf(message: JsonObject | undefined): JsonObject {
  return (message?.["params"] ?? {}) as JsonObject;
}

const accept: () => InputResponse = () => ({ action: "accept", content: { a: "yes" } });

describe("rounds of input", () => {
  // Duty: 1.2.1, 1.2.5, 9.3, 9.5, 9.6, 9.7, 9.9
  it("answers several rounds, each with its own answers, state and id", async () => {
    const state = 'opaque \u2028 "state"';
    const server = await serve(
      {
        resultType: "input_required",
        inputRequests: { one: form("First"), two: form("Also") },
        requestState: state,
      },
      { resultType: "input_required", inputRequests: { three: form("Second") } },
      complete("created"),
    );
    {
      await using test = new TestPool({ s: { url: server.url } }, accept);
      await test.connect();
      const outcome = await test.pool.callTool("s", "t", { x: 1 }, { origin: "panel" });
      assert.equal(firstText(outcome.result), "created");
      assert.equal(outcome.rounds, 2);
      assert.deepEqual(
        test.rounds.map(({ round, target, serverId }) => [round, target, serverId]),
        [
          [1, "t", "s"],
          [2, "t", "s"],
        ],
      );
      assert.equal(test.rounds[0]?.callId, test.rounds[1]?.callId);
    }
    const [first, second, third] = callsOf(server);
    const answer = { action: "accept", content: { a: "yes" } };
    assert.equal(paramsOf(first)["inputResponses"], undefined);
    assert.deepEqual(paramsOf(second)["inputResponses"], { one: answer, two: answer });
    assert.equal(paramsOf(second)["requestState"], state);
    assert.deepEqual(paramsOf(third)["inputResponses"], { three: answer });
    assert.ok(!("requestState" in paramsOf(third)));
    for (const message of [first, second, third]) assert.deepEqual(paramsOf(message)["arguments"], { x: 1 });
    assert.equal(new Set([first, second, third].map((message) => message?.["id"])).size, 3);
    await server.close();
  });

  for (const action of ["decline", "cancel"] as const) {
    // Duty: 9.11, 10.1.6
    it(`tells the server when the person chose ${action}, without content`, async () => {
      const server = await serve(
        { resultType: "input_required", inputRequests: { k: form("?") } },
        complete("nothing was created"),
      );
      await using test = new TestPool({ s: { url: server.url } }, () => ({ action }));
      await test.connect();
      const { result } = await test.pool.callTool("s", "t", {}, { origin: "panel" });
      assert.equal(firstText(result), "nothing was created");
      assert.deepEqual(paramsOf(callsOf(server)[1])["inputResponses"], { k: { action } });
      await server.close();
    });
  }

  // Duty: 10.1.2, 10.3.1, 10.3.5
  it("sends no content for an accepted URL", async () => {
    const server = await serve(
      { resultType: "input_required", inputRequests: { k: url("https://pay.example/1") } },
      complete("ok"),
    );
    await using test = new TestPool({ s: { url: server.url } }, () => ({ action: "accept" }));
    await test.connect();
    await test.pool.callTool("s", "t", {}, { origin: "panel" });
    assert.equal(test.rounds[0]?.requests[0]?.kind, "url");
    assert.deepEqual(paramsOf(callsOf(server)[1])["inputResponses"], { k: { action: "accept" } });
    await server.close();
  });

  // Duty: 1.4.11, 1.4.12, 10.1.1
  it("declares input only for calls in which somebody can be asked", async () => {
    const server = await serve(complete("ok"));
    await using test = new TestPool({ s: { url: server.url } }, accept);
    await test.connect();
    await test.pool.callTool("s", "t", {}, { origin: "panel" });
    await test.pool.callTool("s", "t", {}, { origin: "panel", input: null });
    const declared = server.messages.map((message) => {
      const meta = paramsOf(message)["_meta"] as JsonObject;
      return meta["io.modelcontextprotocol/clientCapabilities"];
    });
    assert.deepEqual(declared, [{}, {}, { elicitation: { form: {}, url: {} } }, {}]);
    await server.close();
  });

  // Duty: 9.10
  it("shows nothing and sends nothing when the server asks for what was not declared", async () => {
    const server = await serve({
      resultType: "input_required",
      inputRequests: { k: { method: "roots/list" } },
    });
    await using test = new TestPool({ s: { url: server.url } }, accept);
    await test.connect();
    await assert.rejects(test.pool.callTool("s", "t", {}, { origin: "panel" }), { code: "roots-off" });
    assert.equal(test.rounds.length, 0);
    assert.equal(callsOf(server).length, 1);
    await server.close();
  });

  // Duty: 9.9
  it("ends a server that never stops asking", async () => {
    const server = await serve({ resultType: "input_required", inputRequests: { k: form("Again?") } });
    await using test = new TestPool({ s: { url: server.url, limits: { inputRounds: 3 } } }, accept);
    await test.connect();
    await assert.rejects(test.pool.callTool("s", "t", {}, { origin: "panel" }), { code: "too-many-rounds" });
    assert.equal(test.rounds.length, 3);
    await server.close();
  });

  // Duty: 9.4
  it("calls again with the state alone when nothing is asked", async () => {
    const server = await serve({ resultType: "input_required", requestState: "later" }, complete("ok"));
    await using test = new TestPool({ s: { url: server.url } }, accept);
    await test.connect();
    await test.pool.callTool("s", "t", {}, { origin: "panel" });
    const second = paramsOf(callsOf(server)[1]);
    assert.equal(second["requestState"], "later");
    assert.ok(!("inputResponses" in second));
    assert.equal(test.rounds.length, 0);
    await server.close();
  });

  it("stops asking when the call is cancelled", async () => {
    const server = await serve({ resultType: "input_required", inputRequests: { k: form("?") } });
    const asked = deferred<AbortSignal>();
    await using test = new TestPool({ s: { url: server.url } }, (_round, signal) => {
      asked.resolve(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
    });
    await test.connect();
    const abort = new AbortController();
    const call = test.pool.callTool("s", "t", {}, { origin: "panel", signal: abort.signal });
    const signal = await asked.promise;
    abort.abort(new Error("enough"));
    await assert.rejects(call, { message: "enough" });
    assert.equal(signal.aborted, true);
    assert.equal(callsOf(server).length, 1);
    await server.close();
  });

  // Duty: 14.3.1
  it("does not time out while a person thinks, and does afterwards", async () => {
    const resent = deferred();
    const server = await serve({ resultType: "input_required", inputRequests: { k: form("?") } }, () =>
      resent.resolve(undefined),
    );
    const clock = new FakeClock();
    const asked = deferred();
    const answer = deferred<InputResponse>();
    const person = (): Promise<InputResponse> => {
      asked.resolve(undefined);
      return answer.promise;
    };
    await using test = new TestPool({ s: { url: server.url } }, person, { clock });
    await test.connect();
    const call = test.pool.callTool("s", "t", {}, { origin: "panel", timeoutMs: 1_000 });
    await asked.promise;
    clock.advance(60_000);
    answer.resolve({ action: "accept", content: {} });
    // The call goes on: the time of the person did not count.
    await resent.promise;
    clock.advance(1_000);
    await assert.rejects(call, { code: "timeout" });
    await server.close();
  });

  // Duty: 1.3.2, 9.8
  it("keeps calls apart that ask at the same time", async () => {
    const server = await startScriptedHttp((exchange) => {
      const { method, params } = exchange.message;
      if (method === "server/discover") {
        exchange.result({
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
        });
      } else if (method === "tools/list") exchange.result({ resultType: "complete", tools: [] });
      else if (params.requestState === undefined) {
        const requestState = `state of ${String(params.arguments.n)}`;
        exchange.result({ resultType: "input_required", inputRequests: { k: form("?") }, requestState });
      } else exchange.result(complete(`${String(params.arguments.n)}: ${String(params.requestState)}`));
    });
    await using test = new TestPool({ s: { url: server.url } }, accept);
    await test.connect();
    const outcomes = await Promise.all(
      [1, 2, 3].map((n) => test.pool.callTool("s", "t", { n }, { origin: "panel" })),
    );
    assert.deepEqual(
      outcomes.map(({ result }) => firstText(result)),
      ["1: state of 1", "2: state of 2", "3: state of 3"],
    );
    await server.close();
  });
});
