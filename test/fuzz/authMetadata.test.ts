import assert from "node:assert/strict";
import fc from "fast-check";
import { AuthError } from "../../src/auth/authError.ts";
import { discoverIssuer } from "../../src/auth/discovery/discoverIssuer.ts";
import { discoverResource } from "../../src/auth/discovery/discoverResource.ts";
import { matchResource } from "../../src/auth/discovery/matchResource.ts";
import { readChallenge } from "../../src/auth/discovery/readChallenge.ts";
import { readRegistration } from "../../src/auth/registration/readRegistration.ts";
import { parseAuthChallenges } from "../../src/net/authChallenges.ts";
import { answer, FakeNetwork, issuerDocument, makeContext, makeSettings } from "../support/authFixtures.ts";
import { forAll, forAllAsync } from "./support/forAll.ts";

const ISSUER = "https://as.test/t";
const ENDPOINT = "https://mcp.test/a/mcp";
const REDIRECT = "http://127.0.0.1:4711/callback";

/** Addresses that are nearly right, and some that are. */
const address = fc
  .tuple(
    fc.constantFrom(
      "https://",
      "http://",
      "HTTPS://",
      "https:",
      "//",
      "javascript:",
      "file:///",
      "",
      " https://",
    ),
    fc.constantFrom(
      "as.test",
      "mcp.test",
      "AS.test",
      "evil.test",
      "127.0.0.1",
      "u@as.test",
      "[::1]",
      "as.test:443",
      "",
    ),
    fc.constantFrom("", "/", "/t", "/a", "/a/mcp", "/a/mcp/", "/a/../b", "/%2e%2e/", "//", "/a/mcp2", "\\x"),
    fc.constantFrom("", "", "", "?q", "#f", "\n", " ", "\u202e"),
  )
  .map((parts) => parts.join(""));
const value = fc.oneof(
  { weight: 3, arbitrary: address },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const flag = fc.constantFrom(true, false, "true", 1, null);
const names = fc.oneof(
  fc.array(fc.oneof(fc.constantFrom("S256", "plain", "none", "a", "b c"), fc.string()), { maxLength: 5 }),
  value,
);

const FIELDS = {
  issuer: fc.oneof({ weight: 8, arbitrary: fc.constant(ISSUER) }, value),
  authorization_endpoint: value,
  token_endpoint: fc.oneof({ weight: 4, arbitrary: fc.constant("https://as.test/token") }, value),
  registration_endpoint: value,
  revocation_endpoint: value,
  pushed_authorization_request_endpoint: value,
  require_pushed_authorization_requests: flag,
  authorization_response_iss_parameter_supported: flag,
  client_id_metadata_document_supported: flag,
  code_challenge_methods_supported: names,
  token_endpoint_auth_methods_supported: names,
  scopes_supported: names,
};
const document = fc.record(FIELDS, { requiredKeys: [] }).map((fields) => issuerDocument(ISSUER, fields));

/** What may be used as an address, said once more in another way. */
function isGood(text: string): boolean {
  const parts = /^(https?):\/\/([^/?#@\\\s]+)([/?][^#\s\\"<>^`{|}]*)?$/i.exec(text);
  const [scheme, host] = [parts?.[1]?.toLowerCase(), parts?.[2] ?? ""];
  return (
    scheme === "https" || (scheme === "http" && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host))
  );
}

describe("fuzz: metadata of authorization", () => {
  it("of an authorization server gives facts that follow the rules, or an error", async () => {
    let found = 0;
    await forAllAsync(document, async (fields) => {
      const network = new FakeNetwork({
        [`https://as.test/.well-known/oauth-authorization-server/t`]: fields,
      });
      const facts = await orAuthError(
        discoverIssuer(makeContext(network), ISSUER, { needsAuthorizationEndpoint: true }),
      );
      if (facts === undefined) return;
      found += 1;
      assert.equal(facts.issuer, fields["issuer"]);
      assert.equal(facts.pkce, "announced");
      assert.ok((fields["code_challenge_methods_supported"] as unknown[]).includes("S256"));
      const endpoints = [
        ["authorization_endpoint", facts.authorizationEndpoint],
        ["token_endpoint", facts.tokenEndpoint],
        ["registration_endpoint", facts.registrationEndpoint],
        ["revocation_endpoint", facts.revocationEndpoint],
        ["pushed_authorization_request_endpoint", facts.parEndpoint],
      ] as const;
      for (const [field, endpoint] of endpoints) {
        assert.equal(endpoint === undefined || endpoint === fields[field], true, field);
        assert.ok(endpoint === undefined || isGood(endpoint), endpoint);
      }
      assert.ok(facts.authorizationEndpoint !== undefined);
      assert.ok(!facts.requiresPar || facts.parEndpoint !== undefined);
      const allowed = [facts.issuer, facts.tokenEndpoint].map((url) => new URL(url).origin);
      assert.ok(facts.issInAnswers || allowed.includes(new URL(facts.authorizationEndpoint).origin));
    });
    assert.ok(found > 20, `only ${found} documents could be used`);
  });

  it("of a resource gives facts that follow the rules, or an error", async () => {
    const fields = fc.record(
      {
        resource: fc.oneof(
          { weight: 2, arbitrary: fc.constantFrom(ENDPOINT, "https://mcp.test", "https://mcp.test/a") },
          value,
        ),
        authorization_servers: fc.oneof({ weight: 4, arbitrary: fc.array(value, { maxLength: 40 }) }, value),
        scopes_supported: names,
      },
      { requiredKeys: [] },
    );
    let found = 0;
    await forAllAsync(fields, async (placed) => {
      const settings = makeSettings({ endpoint: new URL(ENDPOINT) });
      const network = new FakeNetwork({
        "https://mcp.test/.well-known/oauth-protected-resource/a/mcp": placed,
      });
      const facts = await orAuthError(discoverResource(makeContext(network, settings), undefined));
      if (facts === undefined) return;
      found += 1;
      assert.equal(facts.resource, placed.resource);
      assert.ok(facts.authorizationServers.length > 0 && facts.authorizationServers.length <= 16);
      for (const issuer of facts.authorizationServers)
        assert.ok(isGood(issuer) && !issuer.includes("?"), issuer);
      for (const scope of facts.scopes ?? []) assert.match(scope, /^[!#-[\]-~]+$/);
    });
    assert.ok(found > 20, `only ${found} documents could be used`);
  });

  it("that is any text at all gives an error", async () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom("[".repeat(50_000), `{"issuer":`, "\ufeff{}"),
    );
    await forAllAsync(fc.tuple(text, fc.integer({ min: 100, max: 599 })), async ([body, status]) => {
      const network = new FakeNetwork({
        "https://as.test/.well-known/oauth-authorization-server/t": answer(status, body),
      });
      const facts = await orAuthError(
        discoverIssuer(makeContext(network), ISSUER, { needsAuthorizationEndpoint: true }),
      );
      assert.equal(facts, undefined);
    });
  });

  it("names a resource that is on the endpoint's origin and above its path, or is refused", () => {
    forAll(fc.tuple(address, address), ([endpoint, resource]) => {
      if (!isGood(endpoint) || !URL.canParse(endpoint)) return;
      const url = new URL(endpoint);
      if (!matchResource(url, resource, undefined).matches) return;
      assert.ok(isGood(resource), resource);
      assert.equal(new URL(resource).origin, url.origin);
      const segments = (of: URL): string[] => of.pathname.replace(/\/$/, "").split("/");
      const above = segments(new URL(resource));
      assert.deepEqual(segments(url).slice(0, above.length), above);
    });
  });

  it("of a registered client is a client with our redirect address, or nothing", () => {
    const body = fc.record(
      {
        client_id: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
        client_secret: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
        client_secret_expires_at: fc.oneof(fc.integer(), fc.string(), fc.jsonValue({ maxDepth: 1 })),
        redirect_uris: fc.oneof(
          fc.array(fc.constantFrom(REDIRECT, "https://evil.test/")),
          fc.jsonValue({ maxDepth: 1 }),
        ),
        token_endpoint_auth_method: fc.oneof(
          names,
          fc.constantFrom("none", "client_secret_basic", "private_key_jwt", "x"),
        ),
      },
      { requiredKeys: [] },
    );
    forAll(fc.tuple(body, fc.constantFrom(200, 201, 400)), ([fields, status]) => {
      const read = readRegistration(
        { status, body: JSON.stringify(fields) },
        {},
        { authMethod: "none", redirectUri: REDIRECT },
      );
      if (read.kind === "refused") assert.equal(status, 400);
      if (read.kind !== "client") return;
      assert.equal(read.client.id, fields.client_id);
      assert.match(read.client.id, /^[ -~]+$/);
      assert.equal(read.client.redirectUri, REDIRECT);
      assert.ok(read.client.secret !== undefined || read.client.authMethod === "none");
      assert.ok(!Array.isArray(fields.redirect_uris) || fields.redirect_uris.includes(REDIRECT));
      assert.ok((read.client.secretExpiresAtMs ?? 1) > 0);
    });
  });

  it("in a challenge is scopes and a code, whatever the header says", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "Bearer ",
        "DPoP ",
        "Basic ",
        'scope="a b"',
        'error="e"',
        ", ",
        'error_description="',
        '"',
        "\\",
      ),
      fc.string(),
      fc.string({ unit: "binary" }),
    );
    forAll(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const facts = readChallenge(parseAuthChallenges(pieces.join("")));
      if (facts === undefined) return;
      for (const scope of facts.scopes ?? []) assert.match(scope, /^[!#-[\]-~]+$/);
      assert.notEqual(facts.scopes?.length, 0);
      assert.match(facts.error ?? "e", /^[ !#-[\]-~]+$/);
    });
  });
});

/** What it gives, or undefined after an AuthError with a message that is complete and shows nothing unseen. */
async function orAuthError<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    assert.ok(error instanceof AuthError, String(error));
    assert.doesNotMatch(
      error.message,
      /\{(?:server|url|issuer|reason|endpoint|resource|places|actual|expected)\}/,
    );
    assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}]/u);
    assert.ok(error.message.length < 3_000);
    return undefined;
  }
}
