import assert from "node:assert/strict";

import { encodeHeaderValue } from "../../../../../src/protocol/transports/http/headerValue.ts";

describe("encodeHeaderValue", () => {
  const rows: readonly [text: string, value: string][] = [
    ["us-west1", "us-west1"],
    ["us west 1", "us west 1"],
    ["a", "a"],
    ["~!@#$%^&*()", "~!@#$%^&*()"],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["trailing ", "=?base64?dHJhaWxpbmcg?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["cr\rlf", "=?base64?Y3INbGY=?="],
    ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["=?base64?open", "=?base64?open"],
    ["\tindented", "=?base64?CWluZGVudGVk?="],
    ["in\tside", "=?base64?aW4Jc2lkZQ==?="],
    ["", "=?base64??="],
    [" ", "=?base64?IA==?="],
    ["\u007f", "=?base64?fw==?="],
    ["\0", "=?base64?AA==?="],
    ["é", "=?base64?w6k=?="],
  ];
  for (const [text, value] of rows) {
    // Duty: 4.3.1, 4.3.2, 4.3.3, 4.3.4
    it(`${JSON.stringify(text)} becomes ${value}`, () => {
      assert.equal(encodeHeaderValue(text), value);
    });
  }
});
