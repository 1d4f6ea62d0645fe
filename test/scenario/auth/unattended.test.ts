import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { decodeJwt, jwtVerify } from "jose";
import { getUnattended } from "../../../src/auth/grants/getUnattended.ts";
import type { AuthContext } from "../../../src/auth/model/authContext.ts";
import type { AuthOverrides, AuthSettings, Grant } from "../../../src/auth/model/authSettings.ts";
import type { ChallengeFacts, SignedIn } from "../../../src/auth/model/facts.ts";
import type { CollectingLog } from "../../support/collectingListener.ts";
import { makeContext, makeSettings } from "../../support/authFixtures.ts";
import { failsWith } from "../../support/failsWith.ts";
import { pinnedNetwork } from "../../support/pinnedHelpers.ts";
import { json, raw, startTokenServer, type TokenServer, tokens } from "../../support/tokenServer.ts";

type Changes = Partial<Omit<AuthSettings, "overrides">> & { readonly overrides?: Partial<AuthOverrides> };

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";
const JAG = { issued_token_type: ID_JAG, token_type: "N_A", access_token: "s3cret-jag" };

function jwtFor(audience: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ aud: audience, sub: "s3cret-workload" })}.c2ln`;
}

describe("tokens without a person", () => {
  /** The authorization server, the identity provider, and the MCP server, of which only the metadata is there. */
  let as: TokenServer;
  let idp: TokenServer;
  let mcp: TokenServer;
  let log: CollectingLog;
  let resource: string;

  beforeEach(async () => {
    [as, idp, mcp] = await Promise.all([startTokenServer(), startTokenServer(), startTokenServer()]);
    resource = `${mcp.origin}/mcp`;
    mcp.documents.set("/.well-known/oauth-protected-resource/mcp", {
      resource,
      authorization_servers: [as.origin],
      scopes_supported: ["read", "write"],
    });
    describeServer(as);
    describeServer(idp);
  });
  afterEach(() => Promise.all([as.close(), idp.close(), mcp.close()]));

  function describeServer(server: TokenServer, changes: object = {}): void {
    server.documents.set("/.well-known/oauth-authorization-server", {
      issuer: server.origin,
      token_endpoint: `${server.origin}/token`,
      ...changes,
    });
  }

  function context(grant: Grant, changes: Changes = {}): AuthContext {
    const settings = makeSettings({ endpoint: new URL(resource), grant, ...changes });
    const made = makeContext(pinnedNetwork(), settings, "loopback");
    log = made.log;
    return made;
  }

  const get = (grant: Grant, changes: Changes = {}, challenge?: ChallengeFacts): Promise<SignedIn> =>
    getUnattended(context(grant, changes), challenge, undefined);

  const pinned = (): Changes["overrides"] => ({ issuer: as.origin });

  describe("by the client's own credentials", () => {
    const grant = { kind: "client_credentials" } as const;
    const withSecret = (): Changes => ({
      clientId: "job",
      clientSecret: "s3cret",
      overrides: pinned() ?? {},
    });

    // Duty: 16.9.1
    it("come for a secret", async () => {
      as.replies.push(tokens("a1", { scope: "read" }));
      const got = await get(grant, withSecret());
      assert.deepEqual(as.last.form, {
        grant_type: "client_credentials",
        resource,
        scope: "read write",
      });
      assert.equal(as.last.headers["authorization"], `Basic ${Buffer.from("job:s3cret").toString("base64")}`);
      assert.equal(got.tokens.access, "a1");
      assert.deepEqual(got.requested, { scopes: ["read", "write"], source: "resource", offline: false });
      assert.deepEqual(got.granted, ["read"]);
      assert.equal(got.issuer.issuer, as.origin);
      assert.equal(got.resource.resource, resource);
      assert.equal(got.zone, "loopback");
      assert.equal(got.dpop, undefined);
    });

    it("come for a secret in the body where the server wants it there", async () => {
      describeServer(as, { token_endpoint_auth_methods_supported: ["client_secret_post"] });
      as.replies.push(tokens("a1"));
      const got = await get(grant, { ...withSecret(), scopes: [] });
      assert.deepEqual(as.last.form, {
        grant_type: "client_credentials",
        resource,
        client_id: "job",
        client_secret: "s3cret",
      });
      assert.deepEqual(got.granted, []);
    });

    // Duty: 16.9.1
    it("come for an assertion that is made out to the issuer", async () => {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const clientKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      describeServer(as, {
        token_endpoint_auth_methods_supported: ["private_key_jwt"],
        token_endpoint_auth_signing_alg_values_supported: ["ES256"],
      });
      as.replies.push(tokens("a1"));
      await get(grant, { clientId: "job", clientKey, overrides: pinned() ?? {} });
      const { client_assertion: assertion = "", client_assertion_type: type, ...form } = as.last.form;
      assert.equal(type, "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
      assert.equal(form["grant_type"], "client_credentials");
      const currentDate = new Date(0);
      const expected = { audience: as.origin, issuer: "job", subject: "job", currentDate };
      await jwtVerify(assertion, publicKey, { ...expected, algorithms: ["ES256"] });
      assert.equal(decodeJwt(assertion).aud, as.origin);
    });

    it("are asked for once more without scopes that were found and are refused", async () => {
      as.replies.push(json(400, { error: "invalid_scope" }), tokens("a1"));
      const got = await get(grant, withSecret());
      assert.deepEqual(
        as.received.map(({ form }) => form["scope"]),
        ["read write", undefined],
      );
      assert.deepEqual(got.requested, { scopes: [], source: "none", offline: false });
    });

    it("are not asked for with other scopes than a person wants", async () => {
      as.replies.push(json(400, { error: "invalid_scope" }), tokens("never"));
      const error = await failsWith("scope-refused", () => get(grant, { ...withSecret(), scopes: ["mine"] }));
      assert.match(error.message, /: mine$/);
      assert.equal(as.received.length, 1);
    });

    // Attack: 21
    it("cost no secret where the token endpoint is another server's", async () => {
      describeServer(as, { token_endpoint: `${idp.origin}/token` });
      const error = await failsWith("secret-cross-origin", () => get(grant, withSecret()));
      assert.doesNotMatch(error.message, /s3cret/);
      assert.deepEqual([as.received, idp.received], [[], []]);
    });

    it("are asked for only where the settings say when there is a choice", async () => {
      mcp.documents.set("/.well-known/oauth-protected-resource/mcp", {
        resource,
        authorization_servers: [idp.origin, as.origin],
      });
      const error = await failsWith("bad-settings", () =>
        get({ kind: "workload", assertion: jwtFor(as.origin) }),
      );
      assert.match(error.message, /several authorization servers .*“oauth.issuer”/);
      as.replies.push(tokens("a1"));
      assert.equal((await get(grant, withSecret())).issuer.issuer, as.origin);
      assert.deepEqual(idp.paths, []);
    });

    it("are bound to a key where the server wants it, and to the same one the next time", async () => {
      as.replies.push(json(200, { access_token: "a1", token_type: "DPoP" }), tokens("a2"));
      const settings: Changes = { ...withSecret(), dpop: "auto" };
      const first = await get(grant, settings, { scheme: "dpop" });
      assert.equal(first.tokens.type, "dpop");
      assert.ok(first.dpop);
      assert.equal(typeof as.last.headers["dpop"], "string");
      const second = await getUnattended(context(grant, settings), { scheme: "dpop" }, first);
      assert.deepEqual(second.dpop, first.dpop);
    });

    it("may come later when the server is busy or broken", async () => {
      for (const reply of [json(429, {}), raw(503, ""), json(400, { error: "temporarily_unavailable" })]) {
        as.replies.push(reply, tokens("never"));
        await failsWith("token-unavailable", () => get(grant, withSecret()));
        as.replies.length = 0;
      }
      assert.equal(as.received.length, 3);
    });

    it("are not asked for by a client that would have to be registered", async () => {
      describeServer(as, { registration_endpoint: `${as.origin}/register` });
      await failsWith("no-client", () => get(grant));
      assert.deepEqual(as.received, []);
    });
  });

  describe("by an enterprise's identity provider", () => {
    const grant = (): Extract<Grant, { kind: "enterprise" }> => ({
      kind: "enterprise",
      idpIssuer: idp.origin,
      idpClientId: "us",
      idToken: "s3cret-id-token",
    });
    const client = (): Changes => ({ clientId: "job", clientSecret: "s3cret", overrides: pinned() ?? {} });

    // Duty: 16.9.2
    it("come for an assertion, which comes for the identity token", async () => {
      idp.replies.push(json(200, JAG));
      as.replies.push(tokens("a1"));
      const got = await get(grant(), client());
      assert.deepEqual(idp.last.form, {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        requested_token_type: ID_JAG,
        audience: as.origin,
        resource,
        scope: "read write",
        subject_token: "s3cret-id-token",
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        client_id: "us",
      });
      assert.equal(idp.last.headers["authorization"], undefined);
      assert.deepEqual(as.last.form, {
        grant_type: JWT_BEARER,
        assertion: "s3cret-jag",
        resource,
        scope: "read write",
      });
      assert.match(String(as.last.headers["authorization"]), /^Basic /);
      assert.equal(got.tokens.access, "a1");
      assert.equal(got.issuer.issuer, as.origin);
      assert.doesNotMatch([...log.lines, ...log.sensitive].join(" "), /s3cret/);
    });

    it("come with the secret that belongs to the provider, and with no other", async () => {
      idp.replies.push(json(200, JAG));
      as.replies.push(tokens("a1"));
      const idpTokenEndpoint = `${idp.origin}/elsewhere`;
      await get({ ...grant(), idpClientSecret: "theirs", idpTokenEndpoint }, client());
      const header = `Basic ${Buffer.from("us:theirs").toString("base64")}`;
      assert.equal(idp.last.headers["authorization"], header);
      assert.deepEqual(idp.paths, ["POST /elsewhere"]);
      assert.doesNotMatch(JSON.stringify(idp.received), /s3cret"/);
    });

    it("cost no identity token where the provider's token endpoint is another server's", async () => {
      describeServer(idp, { token_endpoint: `${as.origin}/token` });
      const error = await failsWith("bad-settings", () => get(grant(), client()));
      assert.match(error.message, /“idpTokenEndpoint”/);
      assert.deepEqual([as.received, idp.received], [[], []]);
    });

    it("do not come when the provider says no, or gives something else", async () => {
      const rows = [
        [json(400, { error: "invalid_grant", error_description: "s3cret-id-token is old" }), "token-refused"],
        [json(401, { error: "invalid_client" }), "client-refused"],
        [raw(503, "<html>"), "token-unavailable"],
        [
          json(200, { ...JAG, issued_token_type: "urn:ietf:params:oauth:token-type:access_token" }),
          "bad-token-answer",
        ],
        [json(200, { ...JAG, access_token: "" }), "bad-token-answer"],
      ] as const;
      for (const [reply, code] of rows) {
        idp.replies.push(reply);
        const error = await failsWith(code, () => get(grant(), client()));
        assert.ok(error.message.includes(idp.origin), error.message);
        assert.doesNotMatch(`${error.message}${error.stack ?? ""}`, /s3cret/);
      }
      assert.deepEqual(as.received, []);
    });

    it("do not come in another way when the authorization server refuses", async () => {
      idp.replies.push(json(200, JAG));
      as.replies.push(
        json(400, { error: "invalid_grant", error_description: "s3cret-jag" }),
        tokens("never"),
      );
      const error = await failsWith("token-refused", () => get(grant(), client()));
      assert.doesNotMatch(`${error.message}${error.stack ?? ""}`, /s3cret/);
      assert.deepEqual([as.received.length, idp.received.length], [1, 1]);
    });
  });

  describe("by a workload's own identity", () => {
    // Duty: 16.9.3
    it("come for its assertion, without any client", async () => {
      as.replies.push(tokens("a1"));
      const assertion = jwtFor(as.origin);
      const got = await get({ kind: "workload", assertion });
      assert.deepEqual(as.last.form, { grant_type: JWT_BEARER, assertion, resource, scope: "read write" });
      assert.equal(as.last.headers["authorization"], undefined);
      assert.equal(got.client.id, "");
      assert.doesNotMatch(log.lines.join(" "), new RegExp(assertion));
    });

    it("come for a client as well where there is one", async () => {
      describeServer(as, { token_endpoint_auth_methods_supported: ["none"] });
      as.replies.push(tokens("a1"));
      await get({ kind: "workload", assertion: jwtFor(as.origin) }, { clientId: "job", scopes: ["mine"] });
      assert.equal(as.last.form["client_id"], "job");
      assert.equal(as.last.form["scope"], "mine");
    });

    it("cost no assertion that is made out to somebody else", async () => {
      const error = await failsWith("bad-settings", () =>
        get({ kind: "workload", assertion: jwtFor("https://other.test") }),
      );
      assert.match(error.message, /not made out to/);
      assert.deepEqual(as.received, []);
    });

    for (const error of ["invalid_grant", "invalid_scope", "unauthorized_client", "unsupported_grant_type"]) {
      it(`are asked for once, and in no other way after ${error}`, async () => {
        as.replies.push(json(400, { error }), tokens("never"));
        const refused = await failsWith("token-refused", () =>
          get({ kind: "workload", assertion: jwtFor(as.origin) }, { clientId: "job" }),
        );
        assert.equal(refused.args["error"], error);
        assert.equal(as.received.length, 1);
      });
    }
  });
});
