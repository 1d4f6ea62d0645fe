import assert from "node:assert/strict";
import { deflateRawSync, gzipSync } from "node:zlib";
import { discoverIssuer } from "../../../src/auth/discovery/discoverIssuer.ts";
import type { IssuerFacts } from "../../../src/auth/model/facts.ts";
import { registerClient } from "../../../src/auth/registration/registerClient.ts";
import { NetError } from "../../../src/net/netError.ts";
import { issuerDocument, makeIssuer } from "../../support/authFixtures.ts";
import { failsWith } from "../../support/failsWith.ts";
import {
  makeLoopbackContext,
  type MetadataServer,
  startMetadataServer,
} from "../../support/metadataServer.ts";

const OAUTH = "/.well-known/oauth-authorization-server";
const OIDC = "/.well-known/openid-configuration";
const REDIRECT = "http://127.0.0.1:4711/callback";

describe("discovery of an authorization server", () => {
  let server: MetadataServer;

  beforeEach(async () => {
    server = await startMetadataServer();
  });
  afterEach(() => server.close());

  const discover = (): Promise<IssuerFacts> =>
    discoverIssuer(makeLoopbackContext(`${server.origin}/mcp`), server.origin, {
      needsAuthorizationEndpoint: true,
    });

  it("reads what it publishes", async () => {
    server.places[OIDC] = { json: issuerDocument(server.origin) };
    const facts = await discover();
    assert.equal(facts.metadataUrl, server.origin + OIDC);
    assert.equal(facts.tokenEndpoint, `${server.origin}/token`);
    assert.deepEqual(server.asked, [`GET ${OAUTH}`, `GET ${OIDC}`]);
    const [request] = server.requests;
    assert.equal(request?.headers.accept, "application/json");
    assert.equal(request.headers["mcp-protocol-version"], undefined);
  });

  // Attack: 1
  // Duty: 16.3.2
  it("uses nothing of a document that names another issuer", async () => {
    const evil = await startMetadataServer();
    try {
      server.places[OAUTH] = {
        json: issuerDocument(evil.origin, { registration_endpoint: `${evil.origin}/r` }),
      };
      await failsWith("issuer-mismatch", discover);
      assert.deepEqual(server.asked, [`GET ${OAUTH}`]);
      assert.equal(evil.connections, 0);
    } finally {
      await evil.close();
    }
  });

  // Attack: 4
  it("ends at a redirect, wherever it leads", async () => {
    const other = await startMetadataServer({ "/x": { json: issuerDocument(server.origin) } });
    try {
      for (const status of [301, 302, 303, 307, 308])
        for (const location of [OIDC, `${other.origin}/x`, "http://169.254.169.254/"]) {
          server.places[OAUTH] = { status, headers: { location } };
          server.places[OIDC] = { json: issuerDocument(server.origin) };
          const error = await failsWith("bad-metadata", discover);
          assert.match(error.message, /redirects are not followed/);
        }
      assert.deepEqual([...new Set(server.asked)], [`GET ${OAUTH}`]);
      assert.equal(other.connections, 0);
    } finally {
      await other.close();
    }
  });

  // Attack: 5
  it("does not look for a better document after a wrong one", async () => {
    server.places[OAUTH] = { json: issuerDocument(`${server.origin}/`) };
    server.places[OIDC] = { json: issuerDocument(server.origin) };
    await failsWith("issuer-slash", discover);
    assert.deepEqual(server.asked, [`GET ${OAUTH}`]);
  });

  // Attack: 6
  it("bears documents that are large, deep or packed, within its bounds and in time", async () => {
    const document = issuerDocument(server.origin);
    const text = JSON.stringify(document).slice(0, -1);
    const started = performance.now();
    const keys = Array.from({ length: 20_000 }, (_, at) => `"k${at}":0`).join(",");
    for (const more of [
      `"deep":${"[".repeat(10_000)}${"]".repeat(10_000)}`,
      `"deep":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
      `"deepest":${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      keys,
      `"digits":${"9".repeat(100_000)}`,
    ]) {
      server.places[OAUTH] = { status: 200, body: `${text},${more}}` };
      assert.equal((await discover()).tokenEndpoint, `${server.origin}/token`);
    }
    const many = Array.from({ length: 100_000 }, (_, at) => `"k${at}":0`).join(",");
    const packed = { "content-type": "application/json", "content-encoding": "gzip" };
    for (const reply of [
      { status: 200, body: `${text},${many}}` },
      { status: 200, body: Buffer.alloc(10 * 1024 * 1024, " ") },
      { status: 200, body: gzipSync(Buffer.alloc(50 * 1024 * 1024, " ")), headers: packed },
      { status: 200, body: deflateRawSync(Buffer.from("{}")), headers: { "content-encoding": "deflate" } },
    ]) {
      server.places[OAUTH] = reply;
      await assert.rejects(
        discover(),
        (error) =>
          error instanceof NetError &&
          (error.code === "answer-too-large" || error.code === "encoding-unwanted"),
      );
    }
    assert.ok(performance.now() - started < 10_000);
  });

  // Attack: 7
  it("takes nothing for metadata that is no JSON object", async () => {
    const text = JSON.stringify(issuerDocument(server.origin));
    for (const body of [
      `[${text}]`,
      JSON.stringify(text),
      "<!doctype html>",
      "",
      "null",
      "7",
      `${text}x`,
      `\ufeff${text}`,
    ]) {
      server.places[OAUTH] = { status: 200, body };
      const error = await failsWith("bad-metadata", discover);
      assert.match(error.message, /not a JSON object/);
    }
  });

  // Attack: 7
  it("goes by the last of several issuers in one document", async () => {
    const rest = JSON.stringify(issuerDocument(server.origin)).slice(1);
    const doubled = (first: string): string => `{"issuer":${JSON.stringify(first)},${rest}`;
    server.places[OAUTH] = { status: 200, body: doubled("https://evil.test") };
    assert.equal((await discover()).issuer, server.origin);
    const last = `${doubled(server.origin).slice(0, -1)},"issuer":"https://evil.test"}`;
    server.places[OAUTH] = { status: 200, body: last };
    await failsWith("issuer-mismatch", discover);
  });

  it("reads names that mean something in JavaScript as names", async () => {
    const text = JSON.stringify(issuerDocument(server.origin)).slice(0, -1);
    const body = `${text},"__proto__":{"registration_endpoint":"${server.origin}/evil"},"constructor":1}`;
    server.places[OAUTH] = { status: 200, body };
    assert.equal((await discover()).registrationEndpoint, undefined);
  });

  describe("and registration there", () => {
    const register = (redirectUri = REDIRECT): ReturnType<typeof registerClient> =>
      registerClient(
        makeLoopbackContext(`${server.origin}/mcp`),
        makeIssuer({ issuer: server.origin, registrationEndpoint: `${server.origin}/register` }),
        redirectUri,
      );

    // Attack: 89
    it("asks for a public client with refresh tokens, and names no scope", async () => {
      server.places["/register"] = { status: 201, body: '{"client_id":"c1"}' };
      assert.deepEqual(await register(), {
        kind: "dcr",
        id: "c1",
        authMethod: "none",
        redirectUri: REDIRECT,
      });
      const [request] = server.requests;
      assert.equal(request?.method, "POST");
      assert.equal(request.headers["content-type"], "application/json");
      assert.deepEqual(JSON.parse(request.body), {
        client_name: "Signalbox",
        redirect_uris: [REDIRECT],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        application_type: "native",
      });
    });

    // Attack: 87
    it("takes 200 for an answer, and no client with another redirect address", async () => {
      server.places["/register"] = { json: { client_id: "c1", client_secret: "s3cret" } };
      assert.equal((await register()).secret, "s3cret");
      server.places["/register"] = { json: { client_id: "c1", redirect_uris: ["https://evil.test/"] } };
      const error = await failsWith("registration-rewritten", () => register());
      assert.ok(error.message.includes(REDIRECT));
    });

    it("tells why it was refused, asks once, and follows no redirect", async () => {
      server.places["/register"] = {
        status: 400,
        body: '{"error":"invalid_client_metadata","error_description":"not today\\u202e"}',
      };
      const error = await failsWith("registration-refused", () => register());
      assert.match(error.message, /HTTP 400.*invalid_client_metadata not today$/);
      assert.equal(server.requests.length, 1);
      server.places["/register"] = { status: 307, headers: { location: "/elsewhere" } };
      await failsWith("registration-refused", () => register());
      server.places["/register"] = { status: 200, body: "<html>" };
      await failsWith("bad-registration", () => register());
      assert.ok(!server.asked.includes("POST /elsewhere"));
    });

    it("says which address the browser must not come back to, and what can be set about that", async () => {
      const place = (body: object): void => {
        server.places["/register"] = { status: 400, body: JSON.stringify(body) };
      };
      place({ error: "invalid_redirect_uri", error_description: "only https://app.test/*\u202e" });
      const error = await failsWith("redirect-refused", () => register());
      assert.ok(error.message.includes(`${REDIRECT}: only https://app.test/*`), error.message);
      assert.match(error.remedy ?? "", /“oauth\.redirectPort” or “oauth\.redirectHost”.*“oauth\.clientId”/);
      place({ error: "invalid_redirect_uri" });
      assert.match(
        (await failsWith("redirect-refused", () => register())).message,
        /: invalid_redirect_uri$/,
      );
    });

    it("is not tried where it is not offered", async () => {
      const context = makeLoopbackContext(`${server.origin}/mcp`);
      await failsWith("registration-unsupported", () =>
        registerClient(context, makeIssuer({ issuer: server.origin }), REDIRECT),
      );
      assert.equal(server.connections, 0);
    });
  });
});
