import assert from "node:assert/strict";
import type { JsonValue } from "../../../../src/base/json.ts";
import { logServerMessage } from "../../../../src/protocol/eras/logServerMessage.ts";
import { CollectingLog } from "../../../support/collectingListener.ts";

function linesFor(params: Readonly<Record<string, JsonValue>>): readonly string[] {
  const log = new CollectingLog();
  logServerMessage(log, { jsonrpc: "2.0", method: "notifications/message", params });
  return log.lines;
}

describe("logServerMessage", () => {
  const table: readonly (readonly [string, Readonly<Record<string, JsonValue>>, string])[] = [
    ["a text with its logger", { level: "warning", logger: "db", data: "slow" }, "warn [server] db: slow"],
    ["an object", { level: "error", data: { a: 1 } }, 'error [server] {"a":1}'],
    ["an unknown level", { level: "loud", data: "x" }, "info [server] x"],
    ["a level that every object has", { level: "constructor", data: "x" }, "info [server] x"],
    ["a level of another type", { level: 7, data: "x" }, "info [server] x"],
  ];
  for (const [name, params, expected] of table) {
    it(`writes ${name}`, () => {
      assert.deepEqual(linesFor(params), [expected]);
    });
  }
});
