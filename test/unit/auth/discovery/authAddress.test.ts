import assert from "node:assert/strict";
import { readAuthAddress, readIssuerAddress } from "../../../../src/auth/discovery/authAddress.ts";

describe("readAuthAddress", () => {
  // Duty: 16.3.3
  it("takes https, and http to this machine", () => {
    for (const text of [
      "https://as.test",
      "https://as.test:8443/a/b?c=d&e=%2F",
      "HTTPS://AS.test/",
      "https://例え.test/a",
      "http://127.0.0.1:3000/token",
      "http://127.0.0.2/token",
      "http://[::1]:3000/token",
      "http://localhost:3000/token",
    ])
      assert.ok("url" in readAuthAddress(text), text);
  });

  const rows: readonly [text: unknown, problem: RegExp][] = [
    [undefined, /missing/],
    [null, /missing/],
    [7, /missing/],
    ["", /missing/],
    [["https://as.test"], /missing/],
    ["/token", /absolute/],
    ["https://", /absolute/],
    ["https:as.test", /absolute/],
    ["https:///as.test", /absolute/],
    ["javascript:alert(1)", /javascript:/],
    ["data:text/html,x", /data:/],
    ["file:///etc/passwd", /file:/],
    ["vscode://x/y", /vscode:/],
    ["ms-settings:x", /ms-settings:/],
    ["$(calc)", /absolute/],
    ["http://as.test/token", /not https/],
    ["http://10.0.0.1/token", /not https/],
    ["http://localhost.evil.test/token", /not https/],
    ["https://user@as.test/", /user name/],
    ["https://user:pass@as.test/", /user name/],
    ["https://@as.test/", /user name/],
    ["https://as.test/#x", /fragment/],
    ["https://as.test/#", /fragment/],
    ["https://as.test/a b", /characters/],
    ["https://as.test/\n", /characters/],
    ["https://as.test\\@evil.test/", /characters/],
    ["https://as.test/\u202etxt", /characters/],
    ["https://as.test/`x`", /characters/],
    // What is sent to an authorization server must be what was compared.
    ["https://as.test/tenantB/../tenantA/mcp", /dots/],
    ["https://as.test/tenantB/%2E%2e/tenantA/mcp", /dots/],
    ["https://as.test/./mcp", /dots/],
    ["https://as.test/mcp/..", /dots/],
    ["https://as.test%2Eevil.test/", /host/],
    [`https://as.test/${"x".repeat(2_048)}`, /longer/],
  ];
  for (const [text, problem] of rows) {
    it(`refuses ${JSON.stringify(text)?.slice(0, 60) ?? "nothing"}`, () => {
      const address = readAuthAddress(text);
      assert.match("problem" in address ? address.problem : "taken", problem);
    });
  }

  it("takes dots that are part of a name, and those of a query", () => {
    for (const text of ["https://as.test/.well-known/a..b/v1.0?from=../x", "https://as.test?a=/../"])
      assert.ok("url" in readAuthAddress(text), text);
  });

  it("takes no letters in an issuer that look like others", () => {
    const address = readIssuerAddress("https://\u0430ccounts.example.com");
    assert.match("problem" in address ? address.problem : "taken", /xn--/);
    assert.ok("url" in readIssuerAddress("https://xn--ccounts-8fg.example.com"));
  });

  it("takes no query in an issuer", () => {
    assert.ok("url" in readIssuerAddress("https://as.test/tenant"));
    assert.ok("problem" in readIssuerAddress("https://as.test/tenant?x=y"));
    assert.ok("problem" in readIssuerAddress("https://as.test/tenant?"));
  });
});
