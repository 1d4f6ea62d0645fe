import assert from "node:assert/strict";
import { authorizationFingerprint } from "../../../src/client/authorizationFingerprint.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import type { ResolvedConfig } from "../../../src/client/serverConfig.ts";

function resolved(entry: object): ResolvedConfig {
  const [config] = parseServers({ s: entry }, "user").servers;
  if (config === undefined) throw new Error("It is no server");
  return { ...config, secrets: [] };
}

// Duty: 12.6
describe("authorizationFingerprint", () => {
  const http = (token: string, url = "https://a.test"): ResolvedConfig =>
    resolved({ url, headers: { Authorization: `Bearer ${token}` } });
  const stdio = (token: string): ResolvedConfig => resolved({ command: "x", env: { TOKEN: token } });

  it("is the same for the same values, and another for any other", () => {
    assert.equal(authorizationFingerprint(http("anna")), authorizationFingerprint(http("anna")));
    assert.notEqual(authorizationFingerprint(http("anna")), authorizationFingerprint(http("bert")));
    assert.notEqual(
      authorizationFingerprint(http("anna")),
      authorizationFingerprint(http("anna", "https://b.test")),
    );
    assert.notEqual(authorizationFingerprint(stdio("anna")), authorizationFingerprint(stdio("bert")));
  });

  it("holds nothing of a secret, and has one length for all", () => {
    const short = authorizationFingerprint(http("anna-secret"));
    assert.ok(!short.includes("anna"));
    assert.equal(short.length, authorizationFingerprint(http("a".repeat(10_000))).length);
  });
});
