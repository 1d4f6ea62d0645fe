import assert from "node:assert/strict";

import { deferred } from "../../../src/base/deferred.ts";
import { AuthError } from "../../../src/auth/authError.ts";
import type { ClientFacts, SignedIn } from "../../../src/auth/model/facts.ts";
import { UnusedClient } from "../../../src/auth/signIn/unusedClient.ts";
import { findRedirect } from "../../support/browse.ts";
import { type Bench, failureOf, SignInBenches } from "../../support/signInBench.ts";

const benches = new SignInBenches();

/** A client that was registered before, as a later sign-in finds it. */
function withClient(signedIn: SignedIn, change: Partial<ClientFacts>): SignedIn {
  return { ...signedIn, client: { ...signedIn.client, ...change } };
}

function portOf(uri: string | undefined): string {
  return new URL(uri ?? "").port;
}

/** Lets the first sign-in's listener close, so that its port is free. */
function letGo(bench: Bench): void {
  bench.clock.advance(2_000);
}

describe("signing in", () => {
  afterEach(() => benches.end());

  it("shows everything before the browser opens, and comes back with tokens", async () => {
    const server = await benches.server({ resource: () => ({ scopes_supported: ["files:read"] }) });
    const bench = benches.bench(server);
    const signedIn = await bench.signIn();
    const [plan] = bench.person.plans;
    assert.equal(plan?.serverName, "Files");
    assert.equal(plan.resource.resource, `${server.origin}/mcp`);
    assert.equal(plan.issuer.issuer, server.origin);
    assert.equal(plan.authorizationHost, new URL(server.origin).host);
    assert.deepEqual(plan.requested, { scopes: ["files:read"], source: "resource", offline: false });
    assert.equal(plan.showOnly, undefined);
    assert.match(plan.redirectUri, /^http:\/\/127\.0\.0\.1:\d+\/callback\/[\w-]{22}$/);
    const [asked] = server.authorizations;
    const [exchanged] = server.tokenRequests;
    for (const request of [asked, exchanged]) {
      assert.equal(request?.get("resource"), `${server.origin}/mcp`);
      assert.equal(request.get("redirect_uri"), plan.redirectUri);
    }
    assert.match(asked?.get("state") ?? "", /^[\w-]{43}$/);
    assert.deepEqual(server.registrations[0]?.["redirect_uris"], [plan.redirectUri]);
    assert.equal(signedIn.tokens.access, "token-1");
    assert.deepEqual(signedIn.granted, ["files:read"]);
    assert.equal(signedIn.client.redirectUri, plan.redirectUri);
    assert.match(await bench.person.pageSeen(), /The answer for “Files” has arrived/);
  });

  it("contacts nobody further when the plan is declined", async () => {
    const server = await benches.server();
    const bench = benches.bench(server);
    bench.person.confirm = () => Promise.resolve(false);
    assert.equal((await failureOf(bench.signIn())).code, "sign-in-declined");
    assert.equal(server.authorizations.length, 0);
    assert.deepEqual(bench.person.opened, []);
  });

  it("pushes the parameters where the server wants that, and sends the browser with the handle alone", async () => {
    const server = await benches.server({
      metadata: (origin) => ({
        require_pushed_authorization_requests: true,
        pushed_authorization_request_endpoint: `${origin}/par`,
      }),
    });
    const bench = benches.bench(server);
    assert.equal((await bench.signIn()).tokens.access, "token-1");
    assert.equal(server.pushes[0]?.get("code_challenge_method"), "S256");
    const opened = new URL(bench.person.opened[0]?.url ?? "").searchParams;
    assert.deepEqual([...opened.keys()].sort(), ["client_id", "request_uri"]);
  });

  it("binds code and tokens to a key where DPoP is required", async () => {
    const server = await benches.server({
      token: () => ({ status: 200, body: { access_token: "bound", token_type: "DPoP" } }),
    });
    const bench = benches.bench(server, { dpop: "required" });
    const signedIn = await bench.signIn();
    assert.equal(signedIn.tokens.type, "dpop");
    assert.equal(signedIn.dpop?.algorithm, "ES256");
    assert.match(server.authorizations[0]?.get("dpop_jkt") ?? "", /^[\w-]{43}$/);
  });

  // Attack: 64
  it("keeps what was granted beside what was asked for", async () => {
    const server = await benches.server({
      token: () => ({ status: 200, body: { access_token: "t", token_type: "bearer", scope: "files:read" } }),
    });
    const signedIn = await benches.bench(server, { scopes: ["files:read", "files:write"] }).signIn();
    assert.deepEqual(signedIn.granted, ["files:read"]);
    assert.deepEqual(signedIn.requested.scopes, ["files:read", "files:write"]);
    const silent = await benches.server({
      token: () => ({ status: 200, body: { access_token: "t", token_type: "bearer" } }),
    });
    assert.deepEqual((await benches.bench(silent, { scopes: ["mine"] }).signIn()).granted, ["mine"]);
  });

  it("comes back through what the editor forwards, as a web client", async () => {
    const server = await benches.server();
    const bench = benches.bench(server);
    let external = "";
    bench.person.externalUri = (loopback) => {
      const { port, pathname } = new URL(loopback);
      external = `https://code.example/proxy/${port}${pathname}`;
      return Promise.resolve(external);
    };
    const pasted = deferred<string>();
    bench.person.pasteAddress = () => pasted.promise;
    bench.person.browse = async (url) => {
      pasted.resolve(await findRedirect(url));
    };
    const signedIn = await bench.signIn();
    assert.equal(signedIn.client.redirectUri, external);
    assert.equal(server.tokenRequests[0]?.get("redirect_uri"), external);
    assert.equal(server.registrations[0]?.["application_type"], "web");
  });

  it("does not wait long for an editor that does not say where the browser gets to it", async () => {
    const server = await benches.server();
    const bench = benches.bench(server);
    const asked = deferred();
    bench.person.externalUri = () => {
      asked.resolve(undefined);
      return new Promise(() => undefined);
    };
    const signingIn = bench.signIn();
    await asked.promise;
    bench.clock.advance(30_000);
    assert.match((await signingIn).client.redirectUri ?? "", /^http:\/\/127\.0\.0\.1:\d+\/callback\//);
    assert.ok(bench.lines.some((line) => line.startsWith("warn Files: no address for the browser")));
    bench.person.externalUri = () => Promise.reject(new Error("not supported here"));
    assert.equal((await bench.signIn()).tokens.access, "token-1");
  });

  describe("and the scopes are refused", () => {
    const found = { resource: () => ({ scopes_supported: ["files:read", "unknown"] }) };
    const refuse = (state: string | null, iss: string) => ({
      error: "invalid_scope",
      state: state ?? "",
      iss,
    });

    // Attack: 60
    it("asks once more without any, when nobody had decided on them", async () => {
      const server = await benches.server(found);
      server.script.authorize = (asked, answer) =>
        asked.has("scope") ? refuse(asked.get("state"), server.origin) : answer;
      const bench = benches.bench(server);
      const signedIn = await bench.signIn();
      assert.deepEqual(
        server.authorizations.map((asked) => asked.get("scope")),
        ["files:read unknown", null],
      );
      const [first, second] = server.authorizations;
      for (const name of ["state", "code_challenge"])
        assert.notEqual(first?.get(name), second?.get(name), name);
      for (const name of ["client_id", "redirect_uri", "resource"])
        assert.equal(first?.get(name), second?.get(name), name);
      assert.deepEqual(signedIn.requested, { scopes: [], source: "none", offline: false });
      assert.equal(server.tokenRequests.length, 1);
      assert.match(await bench.person.pageSeen(), /asks it again/);
      assert.equal(bench.person.plans.length, 1);
    });

    // Attack: 60
    it("does so as well when the endpoint for pushed requests or for tokens refuses them", async () => {
      const refusal = { status: 400, body: { error: "invalid_scope" } };
      const pushing = await benches.server({
        ...found,
        metadata: (origin) => ({
          require_pushed_authorization_requests: true,
          pushed_authorization_request_endpoint: `${origin}/par`,
        }),
        push: (asked) => (asked.has("scope") ? refusal : undefined),
      });
      assert.equal((await benches.bench(pushing).signIn()).requested.source, "none");
      assert.equal(pushing.pushes.length, 2);
      assert.equal(pushing.authorizations.length, 1);

      const late = await benches.server(found);
      late.script.token = () => (late.tokenRequests.length === 1 ? refusal : undefined);
      assert.equal((await benches.bench(late).signIn()).requested.source, "none");
      assert.equal(late.tokenRequests.length, 2);
    });

    // Attack: 61
    it("gives up when they are refused again", async () => {
      const server = await benches.server(found);
      server.script.authorize = (asked) => refuse(asked.get("state"), server.origin);
      const error = await failureOf(benches.bench(server).signIn());
      assert.equal(error.code, "scope-refused");
      assert.match(error.message, /files:read unknown/);
      assert.equal(server.authorizations.length, 2);
    });

    // Attack: 62
    it("changes nothing about what a person decided", async () => {
      const server = await benches.server(found);
      server.script.authorize = (asked) => refuse(asked.get("state"), server.origin);
      const bench = benches.bench(server, { scopes: ["mine"] });
      assert.equal((await failureOf(bench.signIn())).code, "scope-refused");
      assert.equal((await failureOf(bench.signIn({ wish: { scopes: ["now"] } }))).code, "scope-refused");
      assert.deepEqual(
        server.authorizations.map((asked) => asked.get("scope")),
        ["mine", "now"],
      );
    });
  });

  describe("a second time", () => {
    it("uses the client of before, at its very address", async () => {
      const server = await benches.server();
      const bench = benches.bench(server);
      const before = await bench.signIn();
      letGo(bench);
      const after = await bench.signIn({ before });
      assert.equal(server.registrations.length, 1);
      assert.equal(after.client.redirectUri, before.client.redirectUri);
    });

    it("registers once however often the person declines, and anew once a browser was sent off", async () => {
      const server = await benches.server();
      const bench = benches.bench(server);
      const unused = new UnusedClient();
      bench.person.confirm = (plan) => {
        bench.person.plans.push(plan);
        return Promise.resolve(bench.person.plans.length > 2);
      };
      bench.person.browse = () => Promise.reject(new Error("no browser"));
      for (const ending of ["declined", "declined", "failed", "failed"]) {
        const error: unknown = await bench.signIn({ unused }).catch((reason: unknown) => reason);
        assert.equal(error instanceof AuthError ? "declined" : "failed", ending);
      }
      assert.deepEqual(
        bench.person.plans.map(({ client }) => client.id),
        ["client-1", "client-1", "client-1", "client-2"],
      );
      const [first, second, third] = bench.person.plans.map(({ redirectUri }) => redirectUri);
      assert.deepEqual([second, third], [first, first]);
    });

    // Attack: 37
    it("registers anew when another program has taken the port", async () => {
      const server = await benches.server();
      const bench = benches.bench(server);
      const first = await bench.signIn();
      letGo(bench);
      const path = new URL(first.client.redirectUri ?? "").pathname;
      const taken = `http://127.0.0.1:${portOf(server.origin)}${path}`;
      const after = await bench.signIn({ before: withClient(first, { redirectUri: taken }) });
      assert.equal(server.registrations.length, 2);
      assert.equal(after.client.id, "client-2");
      assert.notEqual(portOf(after.client.redirectUri), portOf(server.origin));
    });

    // Attack: 37
    it("says which port of the settings is taken, and takes no other", async () => {
      const server = await benches.server();
      const port = Number(portOf(server.origin));
      const bench = benches.bench(server, { clientId: "mine", redirectPort: port });
      const error = await failureOf(bench.signIn());
      assert.equal(error.code, "port-taken");
      assert.match(error.message, new RegExp(String(port)));
      assert.equal(server.authorizations.length, 0);
    });

    it("says that the client is not taken when the page sends the browser back with that", async () => {
      const server = await benches.server();
      for (const [error, clientId, code] of [
        ["invalid_client", undefined, "client-unknown"],
        ["unauthorized_client", undefined, "client-unknown"],
        ["unauthorized_client", "mine", "client-refused"],
      ] as const) {
        server.script.authorize = (asked) => ({
          error,
          error_description: "ask the administrator",
          state: asked.get("state") ?? "",
          iss: server.origin,
        });
        const settings = clientId === undefined ? {} : { clientId };
        const failure = await failureOf(benches.bench(server, settings).signIn());
        assert.equal(failure.code, code);
        assert.match(
          `${failure.message} ${failure.detail ?? ""}`,
          new RegExp(`${error} ask the administrator`),
        );
      }
      assert.equal(server.tokenRequests.length, 0);
    });

    // Attack: 88
    it("says that the server no longer knows the client, after one attempt", async () => {
      const server = await benches.server();
      const bench = benches.bench(server);
      const before = await bench.signIn();
      letGo(bench);
      server.script.token = () => ({ status: 401, body: { error: "invalid_client" } });
      const error = await failureOf(bench.signIn({ before }));
      assert.equal(error.code, "client-unknown");
      assert.equal(server.authorizations.length, 2);
      assert.equal(server.tokenRequests.length, 2);
      assert.equal(server.registrations.length, 1);
      letGo(bench);
      server.script = {};
      const anew = await bench.signIn({ before, wish: { newRegistration: true } });
      assert.equal(anew.client.id, "client-2");
    });
  });
});
