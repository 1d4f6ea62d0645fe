import assert from "node:assert/strict";
import { checkEndpoints, type Endpoints } from "../../../../src/auth/discovery/checkEndpoints.ts";
import { issuerDocument } from "../../../support/authFixtures.ts";

const ISSUER = "https://as.test/tenant";
const NEEDS = { authorizationEndpoint: true, parEndpoint: false };

/** The field that is refused, or what may be used. */
function check(changes: object, needs: Partial<typeof NEEDS> = {}): string | Endpoints {
  const document = issuerDocument(ISSUER, changes) as Parameters<typeof checkEndpoints>[0];
  const result = checkEndpoints(document, new URL(ISSUER), { ...NEEDS, ...needs });
  return "problem" in result ? result.endpoint : result;
}

const plain = { authorizationEndpoint: `${ISSUER}/authorize`, tokenEndpoint: `${ISSUER}/token` };

describe("checkEndpoints", () => {
  it("takes endpoints as they are written, and guesses none", () => {
    assert.deepEqual(check({}), plain);
    const all = {
      authorization_endpoint: "HTTPS://as.test/a?x=%2F",
      token_endpoint: "https://as.test:443/t",
      registration_endpoint: "https://as.test/r",
      revocation_endpoint: "https://as.test/v",
      pushed_authorization_request_endpoint: "https://as.test/p",
    };
    assert.deepEqual(check(all), {
      authorizationEndpoint: all.authorization_endpoint,
      tokenEndpoint: all.token_endpoint,
      registrationEndpoint: all.registration_endpoint,
      revocationEndpoint: all.revocation_endpoint,
      parEndpoint: all.pushed_authorization_request_endpoint,
    });
  });

  const BAD = [
    undefined,
    null,
    "",
    7,
    "/authorize",
    "$(calc)",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vscode://x",
    "http://as.test/x",
    "https://user@as.test/x",
    "https://as.test/x#y",
    "https://as.test/x y",
    "https://as.test/\u0000",
  ];

  // Attack: 17
  // Duty: 16.3.3
  it("refuses a document whose page to sign in at, or whose token endpoint, is none", () => {
    for (const bad of BAD) {
      assert.equal(check({ authorization_endpoint: bad }), "authorization_endpoint", String(bad));
      assert.equal(check({ token_endpoint: bad }), "token_endpoint", String(bad));
    }
  });

  it("leaves out what is not needed and cannot be used", () => {
    for (const bad of BAD) {
      const fields = {
        registration_endpoint: bad,
        revocation_endpoint: bad,
        pushed_authorization_request_endpoint: bad,
      };
      assert.deepEqual(check(fields), plain, String(bad));
      const without = check({ authorization_endpoint: bad }, { authorizationEndpoint: false });
      assert.deepEqual(without, { tokenEndpoint: plain.tokenEndpoint });
      const par = check(fields, { parEndpoint: true });
      assert.equal(par, "pushed_authorization_request_endpoint");
    }
  });

  // Attack: 19, 20
  it("takes a page on another origin only beside the token endpoint, or where answers name their issuer", () => {
    const elsewhere = { authorization_endpoint: "https://login.test/authorize" };
    assert.equal(check(elsewhere), "authorization_endpoint");
    const unneeded = check(elsewhere, { authorizationEndpoint: false });
    assert.deepEqual(unneeded, { tokenEndpoint: plain.tokenEndpoint });
    const names = { authorization_response_iss_parameter_supported: true };
    assert.deepEqual(check({ ...elsewhere, ...names }), {
      ...plain,
      authorizationEndpoint: elsewhere.authorization_endpoint,
    });
    for (const no of [false, "true", 1, null])
      assert.equal(
        check({ ...elsewhere, authorization_response_iss_parameter_supported: no }),
        "authorization_endpoint",
      );
    const beside = { ...elsewhere, token_endpoint: "https://login.test/token" };
    assert.deepEqual(check(beside), {
      authorizationEndpoint: elsewhere.authorization_endpoint,
      tokenEndpoint: beside.token_endpoint,
    });
    for (const near of [
      "https://as.test:8443/authorize",
      "https://as.test.evil.test/",
      "https://login.as.test/",
    ])
      assert.equal(check({ authorization_endpoint: near }), "authorization_endpoint", near);
  });
});
