import assert from "node:assert/strict";
import { discoverResource } from "../../../src/auth/discovery/discoverResource.ts";
import type { AuthOverrides } from "../../../src/auth/model/authSettings.ts";
import type { ChallengeFacts, ResourceFacts } from "../../../src/auth/model/facts.ts";
import { NetError } from "../../../src/net/netError.ts";
import { failsWith } from "../../support/failsWith.ts";
import {
  makeLoopbackContext,
  type MetadataServer,
  type PlacedReply,
  startMetadataServer,
} from "../../support/metadataServer.ts";

const ROOT = "/.well-known/oauth-protected-resource";
const PATH = `${ROOT}/mcp`;
const AS = "https://as.test";

interface Wish {
  readonly challenge?: ChallengeFacts | undefined;
  readonly endpoint?: string;
  readonly overrides?: Partial<AuthOverrides>;
}

describe("discovery of a protected resource", () => {
  let server: MetadataServer;

  beforeEach(async () => {
    server = await startMetadataServer();
  });
  afterEach(() => server.close());

  const document = (path = "/mcp", changes: object = {}): PlacedReply => ({
    json: { resource: server.origin + path, authorization_servers: [AS], ...changes },
  });
  const discover = ({ challenge, endpoint = "/mcp", overrides = {} }: Wish = {}): Promise<ResourceFacts> =>
    discoverResource(makeLoopbackContext(server.origin + endpoint, { overrides }), challenge);

  // Duty: 16.2.1
  it("reads what a server publishes for its path, and asks nothing else", async () => {
    server.places[PATH] = document("/mcp", {
      scopes_supported: ["a", "b"],
      dpop_bound_access_tokens_required: true,
      resource_name: "ignored",
      future_field: { deep: [1] },
    });
    assert.deepEqual(await discover(), {
      resource: `${server.origin}/mcp`,
      authorizationServers: [AS],
      scopes: ["a", "b"],
      dpopRequired: true,
      metadataUrl: server.origin + PATH,
      how: "path",
    });
    const [request] = server.requests;
    assert.equal(request?.headers.accept, "application/json");
    assert.equal(request.headers["mcp-protocol-version"], undefined);
    assert.equal(request.headers.authorization, undefined);
  });

  it("does not send the endpoint's query, which may be a key", async () => {
    server.places[PATH] = document();
    await discover({ endpoint: "/mcp?key=s3cret" });
    assert.deepEqual(server.asked, [`GET ${PATH}`]);
  });

  // Attack: 12
  it("never asks about the whole host when the path is answered", async () => {
    server.places[PATH] = document();
    server.places[ROOT] = document("", { authorization_servers: ["https://other-api.test"] });
    assert.deepEqual((await discover()).authorizationServers, [AS]);
    assert.deepEqual(server.asked, [`GET ${PATH}`]);
  });

  // Public report P25: the path has nothing that can be used, with a refusal that named no metadata or said nothing.
  const unusable: readonly [name: string, reply: PlacedReply][] = [
    ["404", { status: 404 }],
    ["401", { status: 401, headers: { "www-authenticate": "Bearer" } }],
    ["403 of a filter against robots", { status: 403, body: "<html>no robots</html>" }],
    [
      "a page",
      { status: 200, body: "<!doctype html><html></html>", headers: { "content-type": "text/html" } },
    ],
    ["a redirect", { status: 302, headers: { location: "/login" } }],
    ["an error of the server", { status: 500, body: "{}" }],
    ["nothing", { status: 204 }],
    ["a JSON list", { json: [] }],
    ["a document about nothing", { json: { authorization_servers: ["https://evil.test"] } }],
    ["what is far too large", { status: 200, body: JSON.stringify({ resource: "x".repeat(300_000) }) }],
  ];
  for (const [name, reply] of unusable) {
    // Duty: 16.2.3
    it(`moves on to the whole host after ${name}`, async () => {
      server.places[PATH] = reply;
      server.places[ROOT] = document();
      for (const challenge of [undefined, { scheme: "bearer" } as const]) {
        const facts = await discover({ challenge });
        assert.deepEqual(
          [facts.resource, facts.how, facts.metadataUrl],
          [`${server.origin}/mcp`, "root", server.origin + ROOT],
        );
      }
      assert.deepEqual(server.asked, [`GET ${PATH}`, `GET ${ROOT}`, `GET ${PATH}`, `GET ${ROOT}`]);
    });
  }

  it("asks about the whole host at once when the endpoint is its root", async () => {
    server.places[ROOT] = document("");
    assert.equal((await discover({ endpoint: "/" })).resource, server.origin);
    assert.deepEqual(server.asked, [`GET ${ROOT}`]);
  });

  // Duty: 16.2.3
  it("tells where it looked when there is nothing, and guesses nothing", async () => {
    const error = await failsWith("no-resource-metadata", () => discover());
    assert.ok(
      error.message.includes(`${server.origin}${PATH} (HTTP 404), ${server.origin}${ROOT} (HTTP 404)`),
    );
    assert.match(error.remedy ?? "", /“oauth\.issuer” and “oauth\.resource”/);
    assert.equal(server.requests.length, 2);
  });

  it("tells of the network when that was at fault", async () => {
    server.places[PATH] = { status: 200, body: "x".repeat(300_000) };
    await assert.rejects(
      discover(),
      (error) => error instanceof NetError && error.code === "answer-too-large",
    );
    const context = makeLoopbackContext(`${server.origin}/mcp`);
    await server.close();
    const refused = (error: unknown): boolean => error instanceof NetError && error.code === "refused";
    await assert.rejects(discoverResource(context, undefined), refused);
    server = await startMetadataServer();
  });

  // Public report P26: bytes of the resource are kept; of two documents the challenge decides.
  // Duty: 16.2.3
  it("keeps the resource as it is written, and takes the document that the challenge names", async () => {
    server.places[ROOT] = document("");
    server.places[PATH] = document();
    const rootFacts = await discover({
      challenge: { scheme: "bearer", resourceMetadata: server.origin + ROOT },
    });
    assert.equal(rootFacts.resource, server.origin);
    const facts = await discover({ challenge: { scheme: "bearer", resourceMetadata: server.origin + PATH } });
    assert.deepEqual([facts.resource, facts.how], [`${server.origin}/mcp`, "challenge"]);
    assert.deepEqual(server.asked, [`GET ${ROOT}`, `GET ${PATH}`]);
  });

  // Attack: 10
  // Duty: 16.7.2
  it("adds no slash to the resource of a whole host, and takes none away", async () => {
    for (const path of ["", "/", "/mcp/", "/mcp?x=y"]) {
      server.places[PATH] = document(path);
      assert.equal((await discover()).resource, server.origin + path);
    }
  });

  // Attack: 13
  // Duty: 16.2.3
  it("looks nowhere else when what the challenge names has nothing", async () => {
    server.places[PATH] = document();
    server.places[ROOT] = document();
    for (const [reply, reason] of [
      [{ status: 404 }, /HTTP 404/],
      [{ status: 302, headers: { location: PATH } }, /redirects are not followed/],
      [{ status: 200, body: "<html>" }, /not a JSON object/],
      [{ json: { resource: 7 } }, /names no resource/],
    ] as const) {
      server.places["/meta"] = reply;
      const error = await failsWith("bad-metadata", () =>
        discover({ challenge: { scheme: "bearer", resourceMetadata: `${server.origin}/meta` } }),
      );
      assert.match(error.message, reason);
    }
    assert.deepEqual([...new Set(server.asked)], ["GET /meta"]);
  });

  it("does not go to an address of the challenge that is none to go to", async () => {
    for (const resourceMetadata of [
      "/meta",
      "javascript:alert(1)",
      "file:///etc/passwd",
      "http://mcp.test/meta",
      `${server.origin.replace("//", "//user@")}/meta`,
      `${server.origin}/meta#x`,
    ])
      await failsWith("bad-metadata", () => discover({ challenge: { scheme: "bearer", resourceMetadata } }));
    assert.equal(server.connections, 0);
  });

  // Attack: 4
  it("follows no redirect, wherever it leads", async () => {
    const other = await startMetadataServer({ "/x": document() });
    try {
      for (const location of [`${server.origin}/there`, `${other.origin}/x`, "http://169.254.169.254/"]) {
        server.places[PATH] = { status: 302, headers: { location } };
        server.places[ROOT] = { status: 307, headers: { location } };
        await failsWith("no-resource-metadata", () => discover());
      }
      assert.equal(other.connections, 0);
      assert.ok(!server.asked.includes("GET /there"));
    } finally {
      await other.close();
    }
  });

  // Attack: 8
  // Duty: 16.2.6
  it("does not sign in to a resource of another origin, and asks nobody else", async () => {
    for (const resource of [
      "https://victim.test/mcp",
      "https://victim.test",
      `${server.origin}/tenantB/mcp`,
    ]) {
      server.places[PATH] = { json: { resource, authorization_servers: [server.origin] } };
      server.places[ROOT] = document();
      const error = await failsWith("resource-mismatch", () => discover());
      assert.ok(error.message.includes(`${resource}, which is not ${server.origin}/mcp.`), error.message);
      assert.match(error.remedy ?? "", /set “oauth\.resource” to exactly that text in your user settings/);
    }
    assert.deepEqual([...new Set(server.asked)], [`GET ${PATH}`]);
  });

  // Attack: 11
  it("holds the document against the resource of the settings, to the byte", async () => {
    const overrides = { resource: `${server.origin}/mcp` };
    server.places[PATH] = document();
    assert.equal((await discover({ overrides })).resource, overrides.resource);
    for (const path of ["/mcp/", "/mcq", "", "/MCP"]) {
      server.places[PATH] = document(path);
      const error = await failsWith("resource-mismatch", () => discover({ overrides }));
      assert.ok(error.message.includes(`${server.origin}${path}, which is not ${server.origin}/mcp.`));
    }
  });

  // As behind a proxy that ends TLS, which is for the server to mend: no setting would help.
  it("says what is wrong with a resource that nobody can use, also where the settings name it", async () => {
    const resource = "http://mcp.internal:8000/mcp";
    server.places[PATH] = { json: { resource, authorization_servers: [server.origin] } };
    for (const overrides of [{}, { resource }]) {
      const error = await failsWith("bad-metadata", () => discover({ overrides }));
      assert.ok(error.message.includes(`its resource is “${resource}”: it is not https`), error.message);
      assert.match(error.remedy ?? "", /fault of the server/);
    }
  });

  // Duty: 16.2.3
  it("goes on without metadata only where the settings name resource and authorization server", async () => {
    const overrides = { issuer: AS, resource: "https://api.other.test" };
    assert.deepEqual(await discover({ overrides }), {
      resource: overrides.resource,
      authorizationServers: [AS],
      dpopRequired: false,
      how: "settings",
    });
    await failsWith("no-resource-metadata", () => discover({ overrides: { issuer: AS } }));
    await failsWith("no-resource-metadata", () => discover({ overrides: { resource: AS } }));
    server.places[PATH] = document();
    await failsWith("resource-mismatch", () => discover({ overrides }));
  });

  // Attack: 15
  it("takes a few authorization servers, and of them what can be one", async () => {
    const listed = async (authorization_servers: unknown): Promise<readonly string[]> => {
      server.places[PATH] = document("/mcp", { authorization_servers });
      return (await discover()).authorizationServers;
    };
    const many = Array.from({ length: 500 }, (_, at) => `https://as${at}.test`);
    assert.deepEqual(await listed(many), many.slice(0, 16));
    const odd = [7, null, {}, [AS], "javascript:alert(1)", "as.test", "http://as.test", "https://u@as.test"];
    assert.deepEqual(await listed([...odd, `${AS}?x`, `${AS}#x`, AS, AS]), [AS]);
    await failsWith("bad-metadata", () => listed(odd));
    await failsWith("bad-metadata", () => listed({ 0: AS }));
    await failsWith("bad-metadata", () => listed([]));
    await failsWith("bad-metadata", () => listed(undefined));
  });

  it("lets the settings name the authorization server where the document names none", async () => {
    server.places[PATH] = { json: { resource: `${server.origin}/mcp` } };
    assert.deepEqual((await discover({ overrides: { issuer: AS } })).authorizationServers, []);
  });

  it("does not sign in to a server that is reached over http beyond this machine", async () => {
    const context = makeLoopbackContext("http://mcp.test/mcp");
    await failsWith("insecure-endpoint", () => discoverResource(context, undefined));
  });

  it("ends with its signal", async () => {
    const context = makeLoopbackContext(`${server.origin}/mcp`);
    const reason = new Error("given up");
    await assert.rejects(
      discoverResource({ ...context, signal: AbortSignal.abort(reason) }, undefined),
      (error) => error === reason,
    );
    assert.equal(server.connections, 0);
  });
});
