import assert from "node:assert/strict";
import { matchResource } from "../../../../src/auth/discovery/matchResource.ts";

const matches = (endpoint: string, resource: string, pinned?: string): boolean =>
  matchResource(new URL(endpoint), resource, pinned).matches;

describe("matchResource", () => {
  const good: readonly [name: string, endpoint: string, resource: string][] = [
    ["the endpoint itself", "https://h.test/mcp", "https://h.test/mcp"],
    ["a slash at the end of it", "https://h.test/mcp", "https://h.test/mcp/"],
    ["a slash at the end of the endpoint", "https://h.test/mcp/", "https://h.test/mcp"],
    ["a path above by whole segments", "https://h.test/api/v1/mcp", "https://h.test/api"],
    ["a path above with a slash", "https://h.test/api/v1/mcp", "https://h.test/api/v1/"],
    ["scheme and host in capitals", "https://h.test/mcp", "HTTPS://H.test/mcp"],
    ["a port that goes without saying", "https://h.test/mcp", "https://h.test:443/mcp"],
    ["http on this machine", "http://localhost:3000/mcp", "http://localhost:3000/mcp"],
    ["http on this machine by its number", "http://127.0.0.1:3000/mcp", "http://127.0.0.1:3000"],
  ];
  for (const [name, endpoint, resource] of good) {
    it(`takes ${name}`, () => {
      assert.deepEqual(matchResource(new URL(endpoint), resource, undefined), { matches: true });
    });
  }

  // Attack: 10
  it("takes the root of the host, with a slash and without, and another query", () => {
    for (const resource of ["https://h.test", "https://h.test/"])
      for (const endpoint of ["https://h.test/mcp", "https://h.test/", "https://h.test/a/b?c=d"])
        assert.ok(matches(endpoint, resource), `${endpoint} ${resource}`);
    assert.ok(matches("https://h.test/mcp?tenant=1", "https://h.test/mcp"));
    assert.ok(matches("https://h.test/mcp", "https://h.test/mcp?tenant=1"));
  });

  // Attack: 9
  // Duty: 16.2.6
  it("refuses what is beside the endpoint, below it, or elsewhere", () => {
    for (const resource of [
      "https://h.test/tenantB/mcp",
      "https://h.test/tenantA/mcp2",
      "https://h.test/tenant",
      "https://h.test/tenantA/mcp/below",
      "https://h.test/tenantA/x/../../tenantB/mcp",
      "https://h.test/tenantA/%2e%2e/tenantB/mcp",
      "https://h.test/tenantA%2Fmcp",
      "https://h.test/TENANTA/mcp",
      "https://h.test:8443/tenantA/mcp",
      "http://h.test/tenantA/mcp",
      "https://h.test.evil.test/tenantA/mcp",
      "https://evil.test/tenantA/mcp",
      "https://sub.h.test/tenantA/mcp",
    ])
      assert.equal(matches("https://h.test/tenantA/mcp", resource), false, resource);
    assert.equal(matches("https://h.test/api123", "https://h.test/api"), false);
    assert.equal(matches("https://h.test/mcp", "https://h.test/mcp2"), false);
  });

  it("refuses what is no plain address", () => {
    for (const resource of [
      "",
      "/mcp",
      "h.test/mcp",
      "//h.test/mcp",
      "https:h.test/mcp",
      "https:/h.test/mcp",
      "https:\\\\h.test\\mcp",
      " https://h.test/mcp",
      "https://h.test/m\ncp",
      "https://h.test/mcp#x",
      "https://h.test/mcp#",
      "https://user@h.test/mcp",
      "https://@h.test/mcp",
      "https://u:p@h.test/mcp",
      "urn:h.test:mcp",
      "javascript:alert(1)",
      `https://h.test/mcp?${"x".repeat(3_000)}`,
    ])
      assert.equal(matches("https://h.test/mcp", resource), false, JSON.stringify(resource));
    assert.equal(matches("http://h.test/mcp", "http://h.test/mcp"), false);
  });

  // Attack: 11
  it("takes what the settings pin, byte for byte, and nothing else", () => {
    const pinned = "https://api.other.test";
    assert.ok(matches("https://h.test/mcp", pinned, pinned));
    for (const resource of [
      "https://api.other.test/",
      "https://API.other.test",
      "https://api.other.test:443",
      "https://api.other.tesu",
      "https://h.test/mcp",
    ])
      assert.equal(matches("https://h.test/mcp", resource, pinned), false, resource);
    assert.equal(matches("https://h.test/mcp", "http://h.test/mcp", "http://h.test/mcp"), false);
  });
});
