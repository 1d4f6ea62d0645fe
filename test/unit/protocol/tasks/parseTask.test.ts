import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { newQuestions } from "../../../../src/protocol/tasks/newQuestions.ts";
import { parseTask, type TaskReading } from "../../../../src/protocol/tasks/parseTask.ts";

const MODERN: TaskReading = { server: "s", method: "tasks/get", ttlKey: "ttlMs", pollKey: "pollIntervalMs" };
const LEGACY: TaskReading = { server: "s", method: "tasks/get", ttlKey: "ttl", pollKey: "pollInterval" };

const whole: JsonObject = {
  taskId: "a",
  status: "working",
  statusMessage: "at it",
  createdAt: "2026-01-01T00:00:00Z",
  lastUpdatedAt: "2026-01-01T00:00:01Z",
  ttlMs: 60_000,
  pollIntervalMs: 500,
};

// Duty: 17.2.1, 17.2.2
describe("reading a task", () => {
  it("takes everything that the extension gives it", () => {
    assert.deepEqual(parseTask(whole, MODERN), {
      taskId: "a",
      status: "working",
      statusMessage: "at it",
      createdAt: "2026-01-01T00:00:00Z",
      updatedAt: "2026-01-01T00:00:01Z",
      ttlMs: 60_000,
      pollIntervalMs: 500,
      inputRequests: undefined,
      outcome: undefined,
    });
  });

  it("knows how 2025-11-25 spells times", () => {
    const { ttlMs, pollIntervalMs } = parseTask(
      { taskId: "a", status: "working", ttl: 1_000, pollInterval: 20, ttlMs: 5, pollIntervalMs: 6 },
      LEGACY,
    );
    assert.deepEqual([ttlMs, pollIntervalMs], [1_000, 20]);
  });

  it("keeps what a finished task holds, and nothing that its status does not promise", () => {
    const result = { content: [], isError: true };
    const error = { code: -32_603, message: "broken" };
    const read = (more: JsonObject): unknown => parseTask({ ...whole, ...more }, MODERN).outcome;
    assert.deepEqual(read({ status: "completed", result }), { kind: "result", result });
    assert.deepEqual(read({ status: "failed", error }), { kind: "error", error });
    assert.equal(read({ status: "working", result }), undefined);
    assert.equal(read({ status: "failed", error: "broken" }), undefined);
    assert.equal(read({ status: "completed" }), undefined);
  });

  for (const [name, change, expected] of [
    ["no time to live is for ever", { ttlMs: null }, null],
    ["an odd one is for ever too", { ttlMs: "soon" }, null],
    ["a negative one as well", { ttlMs: -1 }, null],
    ["an integer beyond a double is a long time", { ttlMs: 2n ** 60n }, 2 ** 60],
  ] as const) {
    it(name, () => {
      assert.equal(parseTask({ ...whole, ...change }, MODERN).ttlMs, expected);
    });
  }

  for (const [name, value] of [
    ["what is no object", []],
    ["one without an id", { status: "working" }],
    ["one with an id that is no text", { taskId: 7, status: "working" }],
    ["one with an endless id", { taskId: "a".repeat(2_000), status: "working" }],
    ["one with a status that nobody knows", { taskId: "a", status: "paused" }],
  ] as const) {
    it(`refuses ${name}`, () => {
      assert.throws(() => parseTask(value, MODERN), { code: "invalid-result" });
    });
  }
});

// Duty: 17.4.2
describe("questions of a task", () => {
  const asked = { a: { method: "roots/list" }, b: { method: "roots/list" } };

  it("are those that nobody has dealt with", () => {
    assert.deepEqual(newQuestions(asked, new Set()), asked);
    assert.deepEqual(newQuestions(asked, new Set(["a"])), { b: asked.b });
  });

  it("are none when all are known, or nothing is asked", () => {
    assert.equal(newQuestions(asked, new Set(["b", "a"])), undefined);
    assert.equal(newQuestions({}, new Set()), undefined);
    assert.equal(newQuestions(undefined, new Set()), undefined);
  });
});
