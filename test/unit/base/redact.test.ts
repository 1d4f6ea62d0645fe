import assert from "node:assert/strict";
import { isSecretHeader, redactUrl, Redactor } from "../../../src/base/redact.ts";

describe("redactUrl", () => {
  const table: readonly (readonly [string, string])[] = [
    ["https://h.example/mcp", "https://h.example/mcp"],
    ["https://user:pass@h.example/mcp", "https://•••@h.example/mcp"],
    ["https://h.example/mcp?token=abc&x=1", "https://h.example/mcp?token=•••&x=1"],
    ["https://h.example/mcp?api_key=a&api-key=b", "https://h.example/mcp?api_key=•••&api-key=•••"],
    ["no url", "no url"],
    // A percent sign that begins no escape is legal in a URL.
    ["https://h.example/100%/x?token=abc", "https://h.example/100%/x?token=•••"],
  ];
  for (const [url, expected] of table) {
    it(`shows ${url} as ${expected}`, () => {
      assert.equal(redactUrl(url), expected);
    });
  }
});

describe("redaction", () => {
  it("knows telling headers in any case", () => {
    for (const name of ["Authorization", "MCP-Session-Id", "X-Api-Key", "X-My-Token"])
      assert.ok(isSecretHeader(name), name);
    assert.ok(!isSecretHeader("Accept"));
  });

  it("masks secrets wherever they stand, the longest first and as JSON writes them", () => {
    const redactor = new Redactor();
    for (const secret of ["abcd", 'abcd"efgh', "x"]) redactor.add(secret);
    assert.equal(redactor.redact(`abcd ${JSON.stringify('abcd"efgh')} x`), '••• "•••" x');
  });

  it("masks a secret as addresses and forms spell it, with care and without", () => {
    const redactor = new Redactor();
    redactor.add("p:a%s w/o");
    for (const form of ["p%3Aa%25s%20w%2Fo", "p%3Aa%25s+w%2Fo", "p:a%s+w/o"])
      assert.equal(redactor.redact(`secret=${form}&x=1`), "secret=•••&x=1");
  });

  it("knows the last of many tokens, and every other secret", () => {
    const redactor = new Redactor();
    const token = (index: number): string => `token-${String(index).padStart(4, "0")}`;
    redactor.add("password");
    redactor.addPassing("client-secret");
    for (let index = 0; index < 1_000; index += 1) {
      redactor.addPassing(token(index));
      if (index % 100 === 0) redactor.addPassing("client-secret");
    }
    const shown = redactor.redact(`password client-secret ${token(999)} ${token(800)} ${token(100)}`);
    assert.equal(shown, `••• ••• ••• ••• ${token(100)}`);
  });
});
