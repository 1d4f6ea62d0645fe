import assert from "node:assert/strict";
import { isJsonObject, type JsonObject } from "../../../src/base/json.ts";
import type { InputHandler } from "../../../src/protocol/mrtr/inputRequired.ts";
import { call, setUp, until, untilServed } from "../../support/guardedPool.ts";
import { withToken } from "../../support/guardedServer.ts";

/** Without the progress token, which is the id. */
function paramsOf(message: JsonObject | undefined): JsonObject {
  const params = message?.["params"];
  assert.ok(isJsonObject(params));
  return { ...params, _meta: undefined };
}

describe("a refusal of authorization", () => {
  // Duty: 16.1.2
  it("is no verdict about the era, and no reason to fall back", async () => {
    await using setup = await setUp("modern", () => false, {}, { isAttended: false });
    await assert.rejects(setup.test.connect(), { code: "sign-in-needed" });
    assert.deepEqual(setup.server.refused, ["server/discover"]);
    assert.equal(setup.test.verdicts.size, 0);
  });

  it("does not disprove what is remembered of a server", async () => {
    await using setup = await setUp("legacy", withToken("t-1"), {}, { isAttended: false });
    const { test, session, server } = setup;
    session.adopt("me");
    await test.connect();
    await test.pool.disconnect("s");
    const verdicts = new Map(test.verdicts);
    server.guard = () => false;
    server.refused.length = 0;
    await assert.rejects(test.connect(), { code: "sign-in-needed" });
    assert.deepEqual(server.refused, ["initialize"]);
    assert.deepEqual(test.verdicts, verdicts);
  });

  for (const protocol of ["legacy", "2026-07-28", "2025-11-25"]) {
    it(`is shown as it is where ${protocol} is set`, async () => {
      await using setup = await setUp("legacy", () => false, { protocol }, { isAttended: false });
      await assert.rejects(setup.test.connect(), { code: "sign-in-needed" });
    });
  }

  it("of the first notification is answered with a renewed token", async () => {
    await using setup = await setUp("legacy", ({ request }, about) => {
      const token = request.headers.authorization;
      return about === "notifications/initialized" ? token === "Bearer t-2" : token !== undefined;
    });
    const { session, server, test } = setup;
    session.adopt("me");
    session.renews = 1;
    await test.connect();
    assert.deepEqual(server.tokens("notifications/initialized"), ["t-1", "t-2"]);
  });

  it("of the end of a session is answered with a renewed token", async () => {
    await using setup = await setUp("legacy", withToken("t-1"));
    const { session, server, test } = setup;
    session.adopt("me");
    await test.connect();
    server.guard = withToken("t-2");
    session.renews = 1;
    await test.pool.disconnect("s");
    assert.deepEqual(server.tokens("DELETE"), ["t-1", "t-2"]);
  });

  for (const [era, stream] of [
    ["legacy", "GET"],
    ["modern", "subscriptions/listen"],
  ] as const) {
    it(`of the stream of a ${era} server ends no connection, and is tried again with other credentials`, async () => {
      await using setup = await setUp(era, ({ request }, about) => {
        const token = request.headers.authorization;
        return about === stream ? token === "Bearer t-2" : token !== undefined;
      });
      const { session, server, test } = setup;
      session.adopt("me");
      await test.connect();
      await until(test, () => test.pool.get("s")?.authorization?.kind === "needs-sign-in");
      assert.equal(await call(setup), "done");
      const listed = server.tokens("tools/list").length;
      session.adopt("me");
      await untilServed(() => server.tokens(stream).length > 1);
      assert.deepEqual(server.tokens(stream), ["t-1", "t-2"]);
      // What was told meanwhile was missed.
      await untilServed(() => server.tokens("tools/list").length > listed);
      session.set({ ...session.status });
      assert.equal(server.tokens(stream).length, 2);
    });
  }

  // Duty: 9.17
  it("of a round of input is answered with the same answers, once, with a renewed token", async () => {
    const asked: string[] = [];
    const input: InputHandler = {
      modes: { form: true, url: true },
      handle: ({ requests }) => {
        asked.push(...requests.map(({ key }) => key));
        return Promise.resolve(new Map([["k", { action: "accept", content: { a: "yes" } }]]));
      },
    };
    await using setup = await setUp("modern", withToken("t-1"), {}, { input });
    const { session, server, test } = setup;
    session.adopt("me");
    await test.connect();
    session.renews = 1;
    server.guard = (exchange, about) => {
      const { params } = exchange.message;
      if (about !== "tools/call") return true;
      if (params.inputResponses !== undefined) return withToken("t-2")(exchange, about);
      const requestedSchema = { type: "object", properties: { a: { type: "string" } } };
      exchange.result({
        resultType: "input_required",
        inputRequests: { k: { method: "elicitation/create", params: { message: "?", requestedSchema } } },
        requestState: "state",
      });
      return "answered";
    };
    assert.equal(await call(setup), "done");
    assert.deepEqual(asked, ["k"]);
    const [first, refused, again] = server.http.messages.filter(({ method }) => method === "tools/call");
    assert.deepEqual(paramsOf(again), paramsOf(refused));
    assert.deepEqual(paramsOf(again)["inputResponses"], { k: { action: "accept", content: { a: "yes" } } });
    assert.equal(new Set([first, refused, again].map((message) => message?.["id"])).size, 3);
  });

  it("of a session that is begun anew is not the loss of a session", async () => {
    await using setup = await setUp("legacy", withToken("t-1"));
    const { session, server, test } = setup;
    session.adopt("me");
    await test.connect();
    server.guard = (exchange, about) => {
      if (about !== "tools/call") return about !== "initialize";
      exchange.answer(404);
      return "answered";
    };
    await assert.rejects(call(setup), { code: "sign-in-needed" });
    assert.equal(test.state().kind, "connected");
  });
});
