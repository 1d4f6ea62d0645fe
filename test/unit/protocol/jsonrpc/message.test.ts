import assert from "node:assert/strict";
import { classifyMessage } from "../../../../src/protocol/jsonrpc/message.ts";

describe("classifyMessage", () => {
  const table: readonly (readonly [string, unknown, string])[] = [
    ["a request", { jsonrpc: "2.0", id: 1, method: "ping" }, "request"],
    ["a request with a text id", { jsonrpc: "2.0", id: "a", method: "ping", params: {} }, "request"],
    ["a notification", { jsonrpc: "2.0", method: "vendor/event" }, "notification"],
    ["a result", { jsonrpc: "2.0", id: 1, result: {} }, "response"],
    ["an error", { jsonrpc: "2.0", id: 1, error: { code: -1, message: "x" } }, "response"],
    ["an error with a null id", { jsonrpc: "2.0", id: null, error: { code: -1, message: "x" } }, "response"],
    ["an error without an id", { jsonrpc: "2.0", error: { code: -1, message: "x" } }, "response"],
    [
      "an error with a text as data",
      { jsonrpc: "2.0", id: 1, error: { code: -1, message: "x", data: "y" } },
      "response",
    ],
    ["a text as error code", { jsonrpc: "2.0", id: 1, error: { code: "-1", message: "x" } }, "invalid"],
    ["a batch", [{ jsonrpc: "2.0", id: 1, result: {} }], "invalid"],
    ["no version", { id: 1, result: {} }, "invalid"],
    ["a result that is a list", { jsonrpc: "2.0", id: 1, result: [] }, "invalid"],
    ["a result without an id", { jsonrpc: "2.0", result: {} }, "invalid"],
    ["a request with a null id", { jsonrpc: "2.0", id: null, method: "ping" }, "invalid"],
    ["a fraction as id", { jsonrpc: "2.0", id: 1.5, method: "ping" }, "invalid"],
    ["params that are a list", { jsonrpc: "2.0", method: "x", params: [] }, "invalid"],
    ["a text", "x", "invalid"],
    ["null", null, "invalid"],
  ];
  for (const [name, value, kind] of table) {
    // Duty: 1.1.1, 1.1.2, 1.1.6, 1.1.7
    it(`takes ${name} as ${kind}`, () => {
      assert.equal(classifyMessage(value).kind, kind);
    });
  }
});
