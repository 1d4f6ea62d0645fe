import assert from "node:assert/strict";

import type { PinnedNetwork } from "../../../src/net/pinnedRequest.ts";
import type { Zone } from "../../../src/net/zones.ts";
import { findRedirect } from "../../support/browse.ts";
import { type Bench, failureOf, SignInBenches } from "../../support/signInBench.ts";

const benches = new SignInBenches();

/** Puts the endpoint on the internet, and the host of the authorization endpoint where `there` says. */
function pretendPublic(bench: Bench, there: () => Promise<Zone>): void {
  const { network } = bench.context;
  const pretending: PinnedNetwork = {
    send: (request) => network.send({ ...request, from: "loopback" }),
    zoneOf: async () => ({ zone: await there(), proxy: undefined }),
  };
  bench.context = { ...bench.context, network: pretending, zone: "public" };
}

describe("where a sign-in leads", () => {
  afterEach(() => benches.end());

  // Attack: 17
  // Duty: 16.6.7
  it("opens no address but of a web page", async () => {
    const endpoints = [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "https://$(calc).example@evil.example/authorize",
      "data:text/html,x",
      "vscode://command",
    ];
    for (const endpoint of endpoints) {
      const server = await benches.server({ metadata: () => ({ authorization_endpoint: endpoint }) });
      const bench = benches.bench(server);
      assert.equal((await failureOf(bench.signIn())).code, "bad-endpoint", endpoint);
      assert.deepEqual(bench.person.opened, []);
      assert.deepEqual(bench.person.plans, []);
      assert.equal(server.registrations.length, 0);
    }
    const server = await benches.server({
      metadata: (origin) => ({ authorization_endpoint: `${origin}/authorize#fragment` }),
    });
    const bench = benches.bench(server);
    assert.equal((await failureOf(bench.signIn())).code, "bad-endpoint");
    assert.deepEqual(bench.person.opened, []);
  });

  // Attack: 18
  it("replaces what the authorization endpoint's own query says of the request", async () => {
    const poison = "client_id=evil&redirect_uri=http%3A%2F%2Fevil.example&state=x&scope=admin&tenant=1";
    const server = await benches.server({
      metadata: (origin) => ({ authorization_endpoint: `${origin}/authorize?${poison}` }),
    });
    const bench = benches.bench(server);
    const signedIn = await bench.signIn();
    const [asked] = server.authorizations;
    assert.deepEqual(asked?.getAll("client_id"), ["client-1"]);
    assert.deepEqual(asked.getAll("redirect_uri"), [signedIn.client.redirectUri]);
    assert.equal(asked.getAll("state").length, 1);
    assert.equal(asked.has("scope"), false);
    assert.equal(asked.get("tenant"), "1");
  });

  // Attack: 81
  it("shows an address of a more private network, and does not open it", async () => {
    for (const zone of ["private", "loopback", "link-local"] as const) {
      const server = await benches.server();
      const bench = benches.bench(server);
      pretendPublic(bench, () => Promise.resolve(zone));
      assert.equal((await bench.signIn()).tokens.access, "token-1");
      assert.equal(bench.person.plans[0]?.showOnly, "more-private-zone", zone);
      assert.deepEqual(
        bench.person.opened.map(({ how }) => how),
        ["show"],
      );
    }
  });

  it("shows an address whose host is not found, and opens one that is as public as the server", async () => {
    const lost = benches.bench(await benches.server());
    pretendPublic(lost, () => Promise.reject(new Error("ENOTFOUND")));
    await lost.signIn();
    assert.equal(lost.person.plans[0]?.showOnly, "unresolvable");
    assert.equal(lost.person.opened[0]?.how, "show");
    const open = benches.bench(await benches.server());
    pretendPublic(open, () => Promise.resolve("public"));
    await open.signIn();
    assert.equal(open.person.plans[0]?.showOnly, undefined);
    assert.equal(open.person.opened[0]?.how, "open");
  });

  // Attack: 55
  // Duty: 16.2.7
  it("registers anew with another authorization server, and says from which to which", async () => {
    const first = await benches.server();
    const second = await benches.server();
    const bench = benches.bench(first);
    const before = await bench.signIn();
    first.script.resource = () => ({ authorization_servers: [second.origin] });
    const asked = first.requests.length;
    const after = await bench.signIn({ before });
    assert.equal(after.issuer.issuer, second.origin);
    assert.equal(bench.person.plans[1]?.changedFrom, first.origin);
    assert.equal(second.registrations.length, 1);
    assert.deepEqual(first.requests.slice(asked), ["GET /.well-known/oauth-protected-resource/mcp"]);
    assert.ok(!JSON.stringify(second.tokenRequests.map(String)).includes("refresh-1"));
  });

  // Attack: 56
  it("tells another authorization server nothing of a client that was registered by hand", async () => {
    const first = await benches.server();
    const second = await benches.server();
    const bench = benches.bench(first, { clientId: "mine" });
    const before = await bench.signIn();
    first.script.resource = () => ({ authorization_servers: [second.origin] });
    const error = await failureOf(bench.signIn({ before }));
    assert.equal(error.code, "issuer-changed");
    assert.ok(error.message.includes(first.origin) && error.message.includes(second.origin));
    assert.deepEqual(second.requests, []);
    const wanted = await bench.signIn({ before, wish: { newRegistration: true } });
    assert.equal(wanted.issuer.issuer, second.origin);
  });

  describe("for more scopes", () => {
    const stepUp = { scopes: ["files:read", "files:write"], added: ["files:write"] };

    it("goes to the same server with the same client, asks for all scopes, and refreshes nothing", async () => {
      const server = await benches.server({ resource: () => ({ scopes_supported: ["files:read"] }) });
      const bench = benches.bench(server);
      const before = await bench.signIn();
      bench.clock.advance(2_000);
      const after = await bench.signIn({ before, stepUp });
      assert.equal(server.authorizations[1]?.get("scope"), "files:read files:write");
      assert.deepEqual(after.requested, { scopes: stepUp.scopes, source: "step-up", offline: false });
      assert.equal(after.client.id, before.client.id);
      assert.deepEqual(bench.person.plans[1]?.added, ["files:write"]);
      assert.deepEqual(
        server.tokenRequests.map((request) => request.get("grant_type")),
        ["authorization_code", "authorization_code"],
      );
    });

    it("binds the tokens to a key as those of before were, whatever the server says now", async () => {
      const server = await benches.server({
        resource: () => ({ dpop_bound_access_tokens_required: true }),
        token: () => ({ status: 200, body: { access_token: "bound", token_type: "DPoP" } }),
      });
      const bench = benches.bench(server, { dpop: "auto" });
      const before = await bench.signIn();
      assert.notEqual(before.dpop, undefined);
      server.script.resource = () => ({});
      bench.clock.advance(2_000);
      const after = await bench.signIn({ before, stepUp });
      assert.notEqual(after.dpop, undefined);
      assert.ok(server.authorizations[1]?.has("dpop_jkt"));
    });

    // Attack: 69
    it("contacts no authorization server when the resource or its server has become another one", async () => {
      const server = await benches.server();
      const other = await benches.server();
      const bench = benches.bench(server);
      const before = await bench.signIn();
      const asked = server.requests.length;
      server.script.resource = () => ({ authorization_servers: [other.origin] });
      assert.equal((await failureOf(bench.signIn({ before, stepUp }))).code, "issuer-changed");
      server.script.resource = (origin) => ({ resource: origin });
      assert.equal((await failureOf(bench.signIn({ before, stepUp }))).code, "resource-changed");
      assert.deepEqual(other.requests, []);
      const metadata = "GET /.well-known/oauth-protected-resource/mcp";
      assert.deepEqual(server.requests.slice(asked), [metadata, metadata]);
      assert.equal(bench.person.plans.length, 1);
    });

    it("does not register another client in place of the one that holds the permissions", async () => {
      const server = await benches.server();
      const bench = benches.bench(server);
      const before = await bench.signIn();
      bench.clock.advance(2_000);
      const { port } = new URL(server.origin);
      const redirectUri = `http://127.0.0.1:${port}/callback`;
      const stuck = { ...before, client: { ...before.client, redirectUri } };
      const error = await failureOf(bench.signIn({ before: stuck, stepUp }));
      assert.equal(error.code, "port-taken");
      assert.equal(error.args["port"], Number(port));
      bench.person.externalUri = (loopback) =>
        Promise.resolve(`https://code.example${new URL(loopback).pathname}`);
      assert.equal((await failureOf(bench.signIn({ before, stepUp }))).code, "client-unusable");
      assert.equal(server.registrations.length, 1);
      assert.equal(server.authorizations.length, 1);
    });
  });

  it("ends with the signal, wherever it is", async () => {
    const server = await benches.server();
    const reason = new Error("cancelled");
    const atPlan = benches.bench(server);
    atPlan.person.confirm = () => {
      atPlan.cancel.abort(reason);
      return new Promise(() => undefined);
    };
    await assert.rejects(atPlan.signIn(), reason);
    const atBrowser = benches.bench(server);
    let redirect = "";
    atBrowser.person.browse = async (url) => {
      redirect = await findRedirect(url);
      atBrowser.cancel.abort(reason);
    };
    await assert.rejects(atBrowser.signIn(), reason);
    await assert.rejects(findRedirect(redirect), /ECONNREFUSED/);
    assert.equal(server.tokenRequests.length, 0);
  });
});
