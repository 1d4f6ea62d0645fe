import assert from "node:assert/strict";

import {
  authorizationParameters,
  type AuthorizationRequest,
  authorizationUrl,
  randomToken,
} from "../../../../src/auth/signIn/authorizationUrl.ts";

const REQUEST: AuthorizationRequest = {
  clientId: "https://client.example/meta.json",
  redirectUri: "http://127.0.0.1:41737/callback",
  state: "the state",
  // The pair of RFC 7636, appendix B.
  verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  resource: "https://mcp.example",
  scopes: ["files:read", "files:write"],
  offline: true,
  dpopThumbprint: "thumb",
};

function open(endpoint: string, change: Partial<AuthorizationRequest> = {}): URLSearchParams {
  return new URL(authorizationUrl(endpoint, authorizationParameters({ ...REQUEST, ...change }))).searchParams;
}

describe("the address of an authorization request", () => {
  // Duty: 16.6.1
  it("holds each parameter once", () => {
    assert.deepEqual(Object.fromEntries(open("https://as.example/authorize")), {
      response_type: "code",
      client_id: "https://client.example/meta.json",
      redirect_uri: "http://127.0.0.1:41737/callback",
      state: "the state",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
      resource: "https://mcp.example",
      scope: "files:read files:write",
      prompt: "consent",
      dpop_jkt: "thumb",
    });
  });

  it("leaves out what is not asked for", () => {
    const parameters = open("https://as.example/authorize", {
      scopes: [],
      offline: false,
      dpopThumbprint: undefined,
    });
    assert.deepEqual(
      ["scope", "prompt", "dpop_jkt"].filter((name) => parameters.has(name)),
      [],
    );
  });

  it("asks for another account only where the person wants that", () => {
    const promptOf = (change: Partial<AuthorizationRequest>): string | null =>
      open("https://as.example/authorize", change).get("prompt");
    assert.equal(promptOf({ asksAccount: true }), "login consent");
    assert.equal(promptOf({ asksAccount: true, offline: false }), "login");
    assert.equal(promptOf({ asksAccount: false, offline: false }), null);
  });

  // Duty: 16.7.1
  it("sends the resource byte for byte", () => {
    for (const resource of [
      "https://mcp.example",
      "https://mcp.example/",
      "https://MCP.example:443/a%2Fb?x=1+2",
    ])
      assert.equal(open("https://as.example/authorize", { resource }).get("resource"), resource);
  });

  // Attack: 18
  it("replaces what the metadata's own query says of its parameters, and keeps the rest", () => {
    const poison = [
      "client_id=evil",
      "client_id=evil2",
      "redirect_uri=https%3A%2F%2Fevil.example",
      "state=x",
      "code_challenge=y",
      "code_challenge_method=plain",
      "response_type=token",
      "response_mode=fragment",
      "request_uri=urn%3Aevil",
      "request=jwt",
      "scope=admin",
      "prompt=none",
      "resource=https%3A%2F%2Fother.example",
      "dpop_jkt=z",
      "policy=b2c+sign-in",
    ].join("&");
    const parameters = open(`https://as.example/authorize?${poison}`, {
      scopes: [],
      offline: false,
      dpopThumbprint: undefined,
    });
    const clean = open("https://as.example/authorize?policy=b2c%20sign-in", {
      scopes: [],
      offline: false,
      dpopThumbprint: undefined,
    });
    assert.deepEqual([...parameters], [...clean]);
    assert.equal(parameters.get("policy"), "b2c sign-in");
    assert.equal(parameters.getAll("client_id").length, 1);
  });

  it("holds nothing but client and handle when the parameters were pushed", () => {
    const pushed = new URLSearchParams({
      client_id: "me",
      request_uri: "urn:ietf:params:oauth:request_uri:1",
    });
    assert.equal(
      authorizationUrl("https://as.example/authorize?scope=admin&state=x", pushed),
      "https://as.example/authorize?client_id=me&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A1",
    );
  });

  it("writes spaces so that everybody reads them, and a plus sign as what it is", () => {
    const url = authorizationUrl("https://as.example/a", new URLSearchParams({ scope: "a b", state: "x+y" }));
    assert.equal(url, "https://as.example/a?scope=a%20b&state=x%2By");
  });

  it("makes states and verifiers of 256 random bits", () => {
    const tokens = new Set(Array.from({ length: 50 }, () => randomToken()));
    assert.equal(tokens.size, 50);
    for (const token of tokens) assert.match(token, /^[\w-]{43}$/);
  });
});
