import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { EngineError } from "../../../src/protocol/engineError.ts";
import type { ServerNotice } from "../../../src/protocol/model/notice.ts";
import type { InputHandler, InputRound } from "../../../src/protocol/mrtr/inputRequired.ts";
import { RpcError } from "../../../src/protocol/rpcError.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";
import { firstText, TestPool } from "../../support/testPool.ts";

/** What the server's error holds, and what it says afterwards. */
interface Demand {
  readonly data: JsonObject;
  /** Ids that it reports as done, in this order, right after its error. */
  readonly done?: readonly string[];
  /** Whether it does so only after a while. */
  readonly isSlow?: boolean;
  /** How often it refuses the call before it carries it out. */
  readonly refusals?: number;
}

const ONE: Demand["data"] = {
  elicitations: [{ mode: "url", elicitationId: "e-1", url: "https://pay.example/1", message: "Pay first" }],
};

/** A legacy server whose tool wants something done in the browser first, and then says how often it was called. */
function demanding(demand: Demand): JsonObject {
  const { command, args } = scriptedStdio(
    (self) => {
      const { data, done = [], refusals = 1, isSlow = false } = self.data;
      let calls = 0;
      self.on("server/discover", (request) => self.fail(request, -32601));
      self.on("initialize", (request) =>
        self.reply(request, {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "d", version: "1" },
        }),
      );
      self.on("tools/list", (request) => self.reply(request, { tools: [] }));
      self.on("tools/call", (request) => {
        calls += 1;
        if (calls > refusals) {
          self.reply(request, { content: [{ type: "text", text: `${calls} calls` }] });
          return;
        }
        self.fail(request, -32042, "Do this first", data);
        const tell = (): void => {
          for (const elicitationId of done)
            self.notify("notifications/elicitation/complete", { elicitationId });
        };
        if (isSlow) self.after(50, tell);
        else tell();
      });
    },
    demand as unknown as JsonObject,
  );
  return { command, args };
}

/** Somebody who accepts and is asked whether to go on. */
class Person implements InputHandler {
  readonly modes = { form: true, url: true };
  readonly rounds: InputRound[] = [];
  readonly waits: InputRound[] = [];
  readonly #goesOn: boolean | undefined;
  takenBack = 0;

  /** @param goesOn undefined never chooses */
  constructor(goesOn: boolean | undefined) {
    this.#goesOn = goesOn;
  }

  handle(round: InputRound): ReturnType<InputHandler["handle"]> {
    this.rounds.push(round);
    return Promise.resolve(new Map(round.requests.map(({ key }) => [key, { action: "accept" }])));
  }

  waitElsewhere(round: InputRound, signal: AbortSignal): Promise<boolean> {
    this.waits.push(round);
    if (this.#goesOn !== undefined) return Promise.resolve(this.#goesOn);
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        this.takenBack += 1;
        resolve(false);
      });
    });
  }
}

async function call(test: TestPool): Promise<string> {
  await test.connect();
  return firstText((await test.pool.callTool("s", "t", {}, { origin: "panel" })).result);
}

const isDeclined = (error: unknown): boolean =>
  error instanceof EngineError && error.code === "url-declined" && error.message.includes("“s”");

describe("a legacy server that wants something done in the browser first", () => {
  // Duty: 10.3.6, 10.3.7, 15.10
  it("is called once more when it says that all is done, whatever else it says is done", async () => {
    const data = {
      elicitations: [
        { mode: "url", elicitationId: "e-1", url: "https://pay.example/1", message: "Pay first" },
        { mode: "url", elicitationId: "e-2", url: "https://pay.example/2", message: "Then sign" },
      ],
    };
    const done = ["unknown", "e-2", "e-2", "e-1", "e-1"];
    const notices: ServerNotice[] = [];
    await using test = new TestPool({ s: demanding({ data, done, isSlow: true }) }, () => ({
      action: "accept",
    }));
    const subscription = test.pool.onDidNotice(({ notice }) => notices.push(notice));
    assert.equal(await call(test), "2 calls");
    subscription.dispose();
    assert.equal(test.rounds.length, 1);
    assert.deepEqual(test.rounds[0]?.requests, [
      { kind: "url", key: "0", message: "Pay first", url: "https://pay.example/1", elicitationId: "e-1" },
      { kind: "url", key: "1", message: "Then sign", url: "https://pay.example/2", elicitationId: "e-2" },
    ]);
    assert.deepEqual(
      notices.map((notice) => notice.kind === "elicitation-complete" && notice.elicitationId),
      ["e-2", "e-1"],
      "once each, and nothing that nobody was asked for",
    );
  });

  // Duty: 10.3.5, 10.3.6
  it("is called once more when the person goes on by hand, and not when the person gives up", async () => {
    for (const goesOn of [true, false]) {
      const person = new Person(goesOn);
      await using test = new TestPool({ s: demanding({ data: ONE }) }, undefined, { input: person });
      if (goesOn) assert.equal(await call(test), "2 calls");
      else await assert.rejects(call(test), isDeclined);
      assert.deepEqual(person.waits, person.rounds, "the same round is asked about");
    }
  });

  it("takes the offer to go on by hand back when it says that it is done", async () => {
    const person = new Person(undefined);
    await using test = new TestPool({ s: demanding({ data: ONE, done: ["e-1"], isSlow: true }) }, undefined, {
      input: person,
    });
    assert.equal(await call(test), "2 calls");
    assert.deepEqual([person.waits.length, person.takenBack], [1, 1]);
  });

  // Duty: 10.3.3
  for (const action of ["decline", "cancel"] as const) {
    it(`is not called again after “${action}”`, async () => {
      await using test = new TestPool({ s: demanding({ data: ONE, done: ["e-1"] }) }, () => ({ action }));
      await assert.rejects(call(test), isDeclined);
      const { result } = await test.pool.callTool("s", "t", {}, { origin: "panel" });
      assert.equal(firstText(result), "2 calls");
    });
  }

  it("is not called again without end", async () => {
    const entry = { ...demanding({ data: ONE, done: ["e-1"], refusals: 99 }), limits: { inputRounds: 3 } };
    await using test = new TestPool({ s: entry }, () => ({ action: "accept" }));
    await assert.rejects(
      call(test),
      (error) => error instanceof EngineError && error.code === "too-many-rounds",
    );
    assert.equal(test.rounds.length, 3);
  });

  const url = ONE["elicitations"];
  for (const [name, data] of [
    ["nothing", {}],
    ["an empty list", { elicitations: [] }],
    ["a form", { elicitations: [{ mode: "form", message: "?", requestedSchema: { type: "object" } }] }],
    ["a URL and something broken", { elicitations: [...(Array.isArray(url) ? url : []), 7] }],
    ["no URL", { elicitations: [{ mode: "url", elicitationId: "e" }] }],
  ] as const) {
    it(`is reported with its own words when its error holds ${name}`, async () => {
      await using test = new TestPool({ s: demanding({ data: data }) }, () => ({
        action: "accept",
      }));
      await assert.rejects(call(test), (error) => error instanceof RpcError && error.rpcCode === -32042);
      assert.equal(test.rounds.length, 0);
    });
  }

  it("is reported with its own words when nobody can be asked", async () => {
    await using test = new TestPool({ s: demanding({ data: ONE }) });
    await assert.rejects(call(test), (error) => error instanceof RpcError && error.rpcCode === -32042);
  });
});
