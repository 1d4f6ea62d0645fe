import assert from "node:assert/strict";
import { discoverIssuer } from "../../../../src/auth/discovery/discoverIssuer.ts";
import { pickIssuer } from "../../../../src/auth/discovery/pickIssuer.ts";
import type { IssuerFacts } from "../../../../src/auth/model/facts.ts";
import { chooseClient } from "../../../../src/auth/registration/chooseClient.ts";
import { NetError } from "../../../../src/net/netError.ts";
import {
  answer,
  type FakeReply,
  FakeNetwork,
  issuerDocument,
  makeContext,
  makeResource,
  makeSettings,
} from "../../../support/authFixtures.ts";
import { failsWith } from "../../../support/failsWith.ts";

const AS = "https://as.test";
const OAUTH = `${AS}/.well-known/oauth-authorization-server`;
const OIDC = `${AS}/.well-known/openid-configuration`;
const BROWSER = { needsAuthorizationEndpoint: true };

type Replies = Readonly<Record<string, FakeReply>>;

/** Looks for an issuer among addresses; gives the facts and what was asked. */
async function discover(
  replies: Replies,
  { issuer = AS, how = BROWSER, overrides = {} } = {},
): Promise<{ facts: IssuerFacts; urls: string[] }> {
  const network = new FakeNetwork(replies);
  const context = makeContext(network, makeSettings({ overrides }));
  return { facts: await discoverIssuer(context, issuer, how), urls: network.urls };
}

describe("discoverIssuer", () => {
  it("reads what a server says, and passes over what it does not know", async () => {
    const document = issuerDocument(AS, {
      registration_endpoint: `${AS}/register`,
      require_pushed_authorization_requests: true,
      pushed_authorization_request_endpoint: `${AS}/par`,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ["none", "tls_client_auth", "private_key_jwt", 7],
      token_endpoint_auth_signing_alg_values_supported: ["ES256"],
      scopes_supported: ["a", "offline_access", "b c"],
      dpop_signing_alg_values_supported: ["ES256", "x".repeat(500)],
      signed_metadata: "jwt",
      jwks_uri: 7,
    });
    assert.deepEqual((await discover({ [OAUTH]: document })).facts, {
      issuer: AS,
      metadataUrl: OAUTH,
      authorizationEndpoint: `${AS}/authorize`,
      tokenEndpoint: `${AS}/token`,
      registrationEndpoint: `${AS}/register`,
      parEndpoint: `${AS}/par`,
      requiresPar: true,
      issInAnswers: true,
      takesMetadataClients: true,
      tokenAuthMethods: ["none", "private_key_jwt"],
      tokenAuthAlgorithms: ["ES256"],
      scopes: ["a", "offline_access"],
      dpopAlgorithms: ["ES256"],
      pkce: "announced",
    });
  });

  it("takes fields of another type for absent", async () => {
    const odd = {
      registration_endpoint: {},
      require_pushed_authorization_requests: "true",
      authorization_response_iss_parameter_supported: 1,
      client_id_metadata_document_supported: "true",
      token_endpoint_auth_methods_supported: "none",
      scopes_supported: "a b",
    };
    const { facts } = await discover({ [OAUTH]: issuerDocument(AS, odd) });
    assert.deepEqual(facts, (await discover({ [OAUTH]: issuerDocument(AS) })).facts);
  });

  // Duty: 16.3.1
  it("asks in the order of the specification, and stops at the first document", async () => {
    const issuer = `${AS}/t`;
    const places = [`${OAUTH}/t`, `${OIDC}/t`, `${AS}/t/.well-known/openid-configuration`];
    for (const [at, place] of places.entries()) {
      const { facts, urls } = await discover({ [place]: issuerDocument(issuer) }, { issuer });
      assert.equal(facts.metadataUrl, place);
      assert.deepEqual(urls, places.slice(0, at + 1));
    }
  });

  // Attack: 2
  // Duty: 16.3.2
  it("takes no issuer that is written otherwise, and shows both", async () => {
    for (const [issuer, actual] of [
      [AS, "https://AS.test"],
      [AS, "HTTPS://as.test"],
      [AS, `${AS}:443`],
      [`${AS}/a%2Fb`, `${AS}/a/b`],
      [`${AS}/a%2fb`, `${AS}/a%2Fb`],
      [`${AS}/t`, `${AS}/t/`],
      [`${AS}/t`, `${AS}/T`],
      [AS, "http://as.test"],
    ] as const) {
      const path = new URL(issuer).pathname.replace(/\/$/, "");
      const error = await failsWith("issuer-mismatch", () =>
        discover({ [OAUTH + path]: issuerDocument(actual) }, { issuer }),
      );
      assert.ok(error.message.includes(`“${actual}”, where “${issuer}”`), error.message);
      // Nothing that the person could set would help.
      assert.match(error.remedy ?? "", /fault of the server/);
    }
  });

  // Attack: 3
  it("says how the settings mend an issuer that differs by a slash behind the host, and shows both", async () => {
    for (const [issuer, actual] of [
      [AS, `${AS}/`],
      [`${AS}/`, AS],
    ] as const) {
      const pages = { [OAUTH]: issuerDocument(actual) };
      const error = await failsWith("issuer-slash", () => discover(pages, { issuer }));
      assert.ok(error.message.includes(`“${issuer}”, which calls itself “${actual}”`), error.message);
      assert.ok(error.remedy?.includes(`set “oauth.issuer” to exactly “${actual}”`), error.remedy);
      // What it says helps.
      const settings = makeSettings({ overrides: { issuer: actual } });
      const pick = pickIssuer({ settings }, makeResource({ authorizationServers: [issuer] }), undefined);
      assert.deepEqual(pick, { kind: "issuer", issuer: actual });
      assert.equal((await discover(pages, { issuer: actual })).facts.issuer, actual);
    }
  });

  // Attack: 3
  it("compares with the issuer of the settings, where that differs from the list by a slash", async () => {
    const found = async (listed: string, pinned: string, published: string): Promise<string> => {
      const settings = makeSettings({ overrides: { issuer: pinned } });
      const pick = pickIssuer({ settings }, makeResource({ authorizationServers: [listed] }), undefined);
      assert.ok(pick.kind === "issuer");
      return (await discover({ [OAUTH]: issuerDocument(published) }, { issuer: pick.issuer })).facts.issuer;
    };
    assert.equal(await found(`${AS}/`, AS, AS), AS);
    assert.equal(await found(AS, `${AS}/`, `${AS}/`), `${AS}/`);
    await failsWith("issuer-slash", () => found(`${AS}/`, AS, `${AS}/`));
    for (const pinned of ["https://AS.test", `${AS}:443`, `${AS}//`])
      await failsWith("issuer-not-listed", () => found(AS, pinned, pinned));
  });

  // Attack: 5
  it("ends at a document of another issuer, although a right one would follow", async () => {
    const network = new FakeNetwork({
      [OAUTH]: issuerDocument("https://evil.test"),
      [OIDC]: issuerDocument(AS),
    });
    await failsWith("issuer-mismatch", () => discoverIssuer(makeContext(network), AS, BROWSER));
    assert.deepEqual(network.urls, [OAUTH]);
  });

  // Attack: 16
  // Duty: 16.6.1
  it("refuses a server without PKCE, unless the settings take it for granted", async () => {
    for (const methods of [undefined, [], ["plain"], "S256", ["s256"]]) {
      const document = issuerDocument(AS, { code_challenge_methods_supported: methods });
      const error = await failsWith("pkce-unsupported", () => discover({ [OAUTH]: document }));
      assert.match(error.remedy ?? "", /“oauth\.assumePkceS256”/);
      const overrides = { issuer: AS, assumePkceS256: true };
      const { facts, urls } = await discover({ [OAUTH]: document }, { overrides });
      assert.deepEqual([facts.pkce, urls], ["assumed", [OAUTH]]);
      const unattended = await discover(
        { [OAUTH]: document },
        { how: { needsAuthorizationEndpoint: false } },
      );
      assert.equal(unattended.facts.tokenEndpoint, `${AS}/token`);
    }
  });

  it("takes PKCE from the next document of the same issuer, and of no other", async () => {
    const without = issuerDocument(AS, { code_challenge_methods_supported: undefined });
    const { facts } = await discover({ [OAUTH]: without, [OIDC]: issuerDocument(AS) });
    assert.deepEqual([facts.pkce, facts.metadataUrl], ["announced", OIDC]);
    await failsWith("issuer-mismatch", () =>
      discover({ [OAUTH]: without, [OIDC]: issuerDocument("https://evil.test") }),
    );
    await failsWith("pkce-unsupported", () => discover({ [OAUTH]: without, [OIDC]: { issuer: 7 } }));
  });

  // Attack: 17, 19
  it("refuses a document with an endpoint that must not be used, and asks for no other", async () => {
    for (const [changes, field] of [
      [{ authorization_endpoint: "javascript:alert(1)" }, /authorization_endpoint .*javascript:/],
      [{ authorization_endpoint: "https://login.test/" }, /authorization_endpoint .*another origin/],
      [{ token_endpoint: undefined }, /token_endpoint .*missing/],
      [{ require_pushed_authorization_requests: true }, /pushed_authorization_request_endpoint .*missing/],
    ] as const) {
      const network = new FakeNetwork({ [OAUTH]: issuerDocument(AS, changes), [OIDC]: issuerDocument(AS) });
      const error = await failsWith("bad-endpoint", () => discoverIssuer(makeContext(network), AS, BROWSER));
      assert.match(error.message, field);
      assert.deepEqual(network.urls, [OAUTH]);
    }
  });

  it("needs no page to sign in at where nobody signs in", async () => {
    const how = { needsAuthorizationEndpoint: false };
    const document = issuerDocument(AS, { authorization_endpoint: undefined });
    assert.equal((await discover({ [OAUTH]: document }, { how })).facts.authorizationEndpoint, undefined);
    await failsWith("bad-endpoint", () => discover({ [OAUTH]: document }));
  });

  it("moves on after what is not there, and after what may pass, and tells the worst of it", async () => {
    const right = issuerDocument(AS);
    const late = new NetError("answer-timeout", { server: "demo", host: "as.test", seconds: 10 });
    for (const reply of [answer(404), answer(401), answer(503), answer(200, "<html>"), answer(204), late])
      assert.equal((await discover({ [OAUTH]: reply, [OIDC]: right })).facts.metadataUrl, OIDC);
    await assert.rejects(discover({ [OAUTH]: late, [OIDC]: answer(404) }), (error) => error === late);
    const failed = await failsWith("bad-metadata", () => discover({ [OIDC]: answer(500) }));
    assert.match(failed.message, /openid-configuration .*HTTP 500/);
    // What is out of order is nobody's fault to report.
    for (const status of [429, 502, 503, 504]) {
      const out = await failsWith("issuer-unavailable", () => discover({ [OIDC]: answer(status) }));
      assert.match(out.message, new RegExp(`HTTP ${status}$`));
    }
    const nothing = await failsWith("no-issuer-metadata", () => discover({}));
    assert.ok(nothing.message.includes(`${OAUTH} (HTTP 404), ${OIDC} (HTTP 404)`));
  });

  it("does not go on when the host cannot be reached, or must not be", async () => {
    for (const code of ["dns", "refused", "zone-escalation", "zone-mixed", "tls-self-signed"] as const) {
      const failure = new NetError(code, { server: "demo", host: "as.test", reason: "x" });
      const network = new FakeNetwork({ [OAUTH]: failure, [OIDC]: issuerDocument(AS) });
      await assert.rejects(discoverIssuer(makeContext(network), AS, BROWSER), (error) => error === failure);
      assert.deepEqual(network.urls, [OAUTH]);
    }
  });

  it("is led from the zone of the endpoint", async () => {
    const network = new FakeNetwork({ [OAUTH]: issuerDocument(AS) });
    await discoverIssuer(makeContext(network, makeSettings(), "private"), AS, BROWSER);
    assert.deepEqual(
      network.requests.map(({ from, method }) => [from, method]),
      [["private", "GET"]],
    );
  });

  it("asks nobody about an issuer that is none", async () => {
    for (const issuer of [
      "",
      "as.test",
      "http://as.test",
      "javascript:x",
      `${AS}?x`,
      `${AS}#x`,
      "https://u@as.test",
    ])
      await failsWith("bad-endpoint", () => discover({}, { issuer }));
  });

  // Public report P30: no dynamic registration, metadata at the third address alone.
  it("finds a tenant without registration, and asks for a client in place of guessing an endpoint", async () => {
    const issuer = `${AS}/tenant1/v2.0`;
    const place = `${issuer}/.well-known/openid-configuration`;
    const { facts, urls } = await discover({ [place]: issuerDocument(issuer) }, { issuer });
    assert.equal(urls.length, 3);
    assert.equal(facts.registrationEndpoint, undefined);
    const redirectUri = "http://127.0.0.1:4711/callback";
    assert.deepEqual(chooseClient(makeSettings(), facts, undefined, redirectUri, 0), { kind: "ask" });
  });
});
