import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { EngineError } from "../../../../src/protocol/engineError.ts";
import { DEFAULT_LIMITS } from "../../../../src/protocol/limits.ts";
import { nextRound, type RoundFacts } from "../../../../src/protocol/mrtr/nextRound.ts";

const facts: RoundFacts = {
  serverName: "s",
  method: "tools/call",
  limits: DEFAULT_LIMITS,
  emptyRounds: 0,
  asker: {
    modes: { form: true, url: true },
    notOffered: (feature) => new EngineError("undeclared-input", { server: "s", kind: feature, method: "m" }),
  },
};
const form = {
  method: "elicitation/create",
  params: { message: "Which?", requestedSchema: { type: "object", properties: { a: { type: "string" } } } },
};

function failure(result: JsonObject, over: Partial<RoundFacts> = {}): string {
  const next = nextRound(result, { ...facts, ...over });
  assert.equal(next.kind, "fail");
  return next.kind === "fail" ? next.error.code : "";
}

describe("nextRound", () => {
  // Duty: 9.3, 9.6
  it("asks everything that is asked and keeps the state byte for byte", () => {
    const state = 'eyJ…"\\u0000 \u2028';
    const next = nextRound({ inputRequests: { one: form, two: form }, requestState: state }, facts);
    assert.equal(next.kind, "ask");
    if (next.kind !== "ask") return;
    assert.deepEqual(
      next.requests.map((request) => request.key),
      ["one", "two"],
    );
    assert.equal(next.requestState, state);
  });

  // Duty: 9.6
  it("carries no state when the server sent none", () => {
    const next = nextRound({ inputRequests: { one: form } }, facts);
    assert.equal(next.kind === "ask" && next.requestState, undefined);
  });

  // Duty: 9.4
  it("calls again after growing pauses when only a state is there", () => {
    const delays = [0, 1, 2, 9].map((emptyRounds) => {
      const next = nextRound({ requestState: "s" }, { ...facts, emptyRounds });
      return next.kind === "again" ? next.delayMs : -1;
    });
    assert.deepEqual(delays, [250, 500, 1000, 5000]);
  });

  // Duty: 9.2
  it("refuses a result with neither requests nor state", () => {
    assert.equal(failure({}), "invalid-result");
    assert.equal(failure({ inputRequests: {} }), "invalid-result");
  });

  // Duty: 9.1
  it("refuses input for a method that may not ask", () => {
    assert.equal(failure({ requestState: "s" }, { method: "tools/list" }), "invalid-result");
  });

  // Duty: 9.10, 9.12
  it("refuses what was not declared, without asking the rest", () => {
    assert.equal(
      failure({ inputRequests: { a: form, b: { method: "sampling/createMessage" } } }),
      "undeclared-input",
    );
    assert.equal(failure({ inputRequests: { a: { method: "roots/list" } } }), "undeclared-input");
    assert.equal(failure({ inputRequests: { a: form } }, { asker: undefined }), "undeclared-input");
  });

  // Duty: 9.2
  it("refuses requests that are none", () => {
    assert.equal(failure({ inputRequests: { a: { method: "tools/call" } } }), "invalid-result");
    assert.equal(failure({ inputRequests: { a: 1 } }), "invalid-result");
    assert.equal(failure({ inputRequests: [] }), "invalid-result");
    assert.equal(failure({ requestState: 5 }), "invalid-result");
  });

  // Duty: 10.2.8
  it("refuses a form outside the subset rather than showing half of it", () => {
    const nested = {
      ...form,
      params: { message: "", requestedSchema: { type: "object", properties: { a: { type: "object" } } } },
    };
    assert.equal(failure({ inputRequests: { a: nested } }), "unsupported-form");
  });

  // Duty: 9.14
  it("bounds the state and the requests", () => {
    const limits = { ...DEFAULT_LIMITS, requestStateBytes: 4, inputBytes: 10 };
    assert.equal(failure({ requestState: "ééé" }, { limits }), "input-too-large");
    assert.equal(failure({ inputRequests: { a: form } }, { limits }), "input-too-large");
  });
});
