import assert from "node:assert/strict";

import { readPasted } from "../../../../src/auth/signIn/readPasted.ts";

const ADDRESSES = ["https://code.example/proxy/41737/callback", "http://localhost:41737/callback"];

function queryOf(text: string): string | undefined {
  const pasted = readPasted(text, ADDRESSES);
  return pasted.kind === "query" ? pasted.query : undefined;
}

describe("reading a pasted address", () => {
  it("finds the query of an address that the sign-in comes back to", () => {
    assert.equal(queryOf("http://localhost:41737/callback?code=a%20b&state=s"), "code=a%20b&state=s");
    assert.equal(queryOf("https://code.example/proxy/41737/callback?code=c&state=s"), "code=c&state=s");
    assert.equal(queryOf("  http://localhost:41737/callback?code=c&state=s#_=_ \n"), "code=c&state=s");
  });

  it("does without the scheme that browsers hide, and without the whole address", () => {
    assert.equal(queryOf("localhost:41737/callback?code=c&state=s"), "code=c&state=s");
    assert.equal(queryOf("code.example/proxy/41737/callback?code=c"), "code=c");
    assert.equal(queryOf("?code=c&state=s"), "code=c&state=s");
    assert.equal(queryOf("state=s&code=c"), "state=s&code=c");
  });

  // Attack: 36
  it("takes no other address, and nothing that an address cannot hold", () => {
    const refused = [
      "",
      "   ",
      "http://evil.example/callback?code=c&state=s",
      "http://localhost:41738/callback?code=c&state=s",
      "https://localhost:41737/callback?code=c&state=s",
      "http://localhost:41737/other?code=c&state=s",
      "http://localhost:41737/callback/?code=c&state=s",
      "http://user:password@localhost:41737/callback?code=c&state=s",
      "http://localhost:41737@evil.example/callback?code=c&state=s",
      "vscode://publisher.extension/callback?code=c&state=s",
      "javascript:alert(1)//?code=c&state=s",
      "http://localhost:41737/callback?code=c\n&state=s",
      "http://localhost:41737/callback?code=c &state=s",
      "code=c&state=s\u202e",
      "http://localhost:41737/callback",
      "hello",
      `?code=${"c".repeat(9000)}`,
    ];
    for (const text of refused) assert.equal(queryOf(text), undefined, JSON.stringify(text));
  });

  it("explains an answer that stands behind a number sign", () => {
    const pasted = readPasted("http://localhost:41737/callback#code=c&state=s", ADDRESSES);
    assert.ok(pasted.kind === "unusable");
    assert.match(pasted.reason, /“#”/);
  });
});
