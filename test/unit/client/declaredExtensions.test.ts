import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { declaredExtensions } from "../../../src/client/declaredExtensions.ts";
import { parseServer } from "../../../src/client/parseServers.ts";

function declared(entry: JsonObject): readonly string[] {
  const { config } = parseServer("s", entry, "user");
  assert.ok(config !== undefined);
  return declaredExtensions(config);
}

describe("declaredExtensions", () => {
  // Duty: 16.9.4
  it("declares what the settings switch on, and nothing else", () => {
    const url = "https://a.test";
    const enterprise = { idpIssuer: "https://idp.test", idpClientId: "a", idToken: "${secret:ID}" };
    assert.deepEqual(declared({ url }), []);
    assert.deepEqual(declared({ url, oauth: false }), []);
    assert.deepEqual(declared({ url, oauth: { dpop: "required" } }), []);
    assert.deepEqual(declared({ command: "x", skills: true }), ["io.modelcontextprotocol/skills"]);
    assert.deepEqual(declared({ url, oauth: { grant: "client_credentials" } }), [
      "io.modelcontextprotocol/oauth-client-credentials",
    ]);
    assert.deepEqual(declared({ url, skills: true, oauth: { grant: "enterprise", enterprise } }), [
      "io.modelcontextprotocol/skills",
      "io.modelcontextprotocol/enterprise-managed-authorization",
    ]);
  });
});
