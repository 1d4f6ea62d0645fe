import assert from "node:assert/strict";

import { isTextOf, parseMessage, snippet } from "../../../../src/protocol/transports/parseMessage.ts";

describe("parseMessage", () => {
  const rows: readonly [text: string, kind: string, answerTo?: string | number][] = [
    ['{"jsonrpc":"2.0","id":7,"result":{}}', "response"],
    ['{"jsonrpc":"2.0","id":7.0,"result":{}}', "response"],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}', "response"],
    ['{"jsonrpc":"2.0","method":"x"}', "notification"],
    ['{"jsonrpc":"2.0","id":"a","method":"x"}', "request"],
    ["ready", "not-json"],
    ["", "not-json"],
    ['{"jsonrpc":"2.0","id":7,"result":null}', "invalid", 7],
    ['{"jsonrpc":"2.0","id":7,"error":{"code":"-32000"}}', "invalid", 7],
    ['{"jsonrpc":"2.0","id":"7"}', "invalid", "7"],
    ['{"jsonrpc":"1.0","id":7,"result":{}}', "invalid", 7],
    ['{"jsonrpc":"2.0","id":7,"method":"x","params":3}', "invalid"],
    ['[{"jsonrpc":"2.0","id":7,"result":{}}]', "invalid"],
    ["null", "invalid"],
  ];
  for (const [text, kind, answerTo] of rows) {
    it(`${text === "" ? "nothing" : text} is ${kind}`, () => {
      const parsed = parseMessage(text);
      assert.equal(parsed.kind, kind);
      assert.equal(parsed.kind === "invalid" ? parsed.answerTo : undefined, answerTo);
    });
  }
});

describe("isTextOf", () => {
  it("knows the decimal text of an integer id, and no other", () => {
    assert.ok(isTextOf("0", 0) && isTextOf("7", 7));
    for (const id of ["07", " 7", "7.0", "+7", "", 7, null, undefined]) assert.ok(!isTextOf(id, 7));
    assert.ok(!isTextOf("7", "7"));
  });
});

describe("snippet", () => {
  it("is one bounded line without control characters", () => {
    assert.equal(snippet("a\r\n\u001b[1mb"), "a [1mb");
    assert.equal(snippet("x".repeat(300)).length, 201);
  });
});
