import assert from "node:assert/strict";
import type { AuthError } from "../../src/auth/authError.ts";
import { AuthWindow } from "../support/authWindow.ts";
import { CIMD_URL } from "./oauth/authorizationServer.ts";
import { signInAsPerson } from "./oauth/person.ts";
import { startSdkAuthorizationServer } from "./oauth/sdkAuthorizationServer.ts";
import { startProtectedServer } from "./oauth/protectedServer.ts";
import { code, onStage } from "./oauth/stage.ts";
import type { OauthPeers } from "./oauth/startOauthPeers.ts";

/** The client id and secret that HTTP Basic carries. */
function basicOf(header: unknown): string[] {
  assert.ok(typeof header === "string" && header.startsWith("Basic "), "no Basic credentials");
  const text = Buffer.from(header.slice(6), "base64").toString();
  return text.split(":").map((part) => decodeURIComponent(part));
}

describe("signing in at oidc-provider", function () {
  this.timeout(30_000);

  for (const generation of ["two", "one"] as const) {
    it(`registers, signs in and calls a tool of a server on generation ${generation} of the SDK`, async () => {
      await onStage({ server: { generation } }, async ({ peers: { authority, server }, window, visits }) => {
        await window.signIn();
        assert.equal(await window.call("echo", { text: "hello" }), "hello");

        const [registration] = authority.at("/reg");
        const body = JSON.parse(registration?.body ?? "{}") as Record<string, unknown>;
        assert.equal(body["application_type"], "native");
        assert.deepEqual(body["grant_types"], ["authorization_code", "refresh_token"]);
        assert.ok(!("scope" in body));
        assert.equal(authority.at("/reg").length, 1);
        const { query } = window.person;
        const [exchange] = authority.at("/token");
        // Byte for byte, in both places.
        assert.deepEqual(query.getAll("resource"), [server.resource]);
        assert.deepEqual(exchange?.form.getAll("resource"), [server.resource]);
        assert.equal(query.get("scope"), "mcp:read offline_access");
        assert.equal(query.get("prompt"), "consent");
        assert.equal(query.get("code_challenge_method"), "S256");
        const end = await visits[0];
        assert.equal(end?.status, 200);
        assert.match(end.callback, /[?&]iss=http/);
        assert.deepEqual(
          server.requests.filter(({ authorization, status }) => authorization && [401, 403].includes(status)),
          [],
        );
        const status = window.session.status;
        assert.equal(status.kind, "signed-in");
        if (status.kind !== "signed-in") return;
        assert.equal(status.issuer, authority.issuer);
        // This server gives refresh tokens without that scope, and does not count it as granted.
        assert.deepEqual(status.scopes, ["mcp:read"]);
        assert.ok(status.canRefresh);
      });
    });
  }

  it("shows the plan before the browser opens: who, where, which scopes, and how the client is known", async () => {
    await onStage({}, async ({ peers: { authority, server }, window }) => {
      await window.signIn();
      const [plan] = window.person.plans;
      assert.equal(plan?.resource.resource, server.resource);
      assert.equal(plan.issuer.issuer, authority.issuer);
      assert.equal(plan.authorizationHost, new URL(authority.issuer).host);
      assert.equal(plan.client.kind, "dcr");
      assert.deepEqual(plan.requested.scopes, ["mcp:read", "offline_access"]);
      assert.match(plan.redirectUri, /^http:\/\/127\.0\.0\.1:\d+\/callback/);
      assert.equal(plan.showOnly, undefined);
    });
  });

  it("uses the client metadata document where the server takes it, and registers nothing", async () => {
    const options = { authority: { cimd: true }, window: { clientMetadataUrl: CIMD_URL } };
    await onStage(options, async ({ peers: { authority }, window }) => {
      await window.signIn();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
      assert.equal(window.person.query.get("client_id"), CIMD_URL);
      assert.deepEqual(authority.at("/reg"), []);
    });
  });

  // Attack: 86
  it("registers where that is forced, and never names the document", async () => {
    const options = {
      authority: { cimd: true },
      oauth: { registration: "dcr" },
      window: { clientMetadataUrl: CIMD_URL },
    };
    await onStage(options, async ({ peers: { authority }, window }) => {
      await window.signIn();
      assert.equal(authority.at("/reg").length, 1);
      const named = authority.seen.flatMap(({ query, form, body }) => [
        query.get("client_id"),
        form.get("client_id"),
        body,
      ]);
      assert.ok(!named.some((text) => text?.includes(CIMD_URL)));
    });
  });

  // Attack: 85
  it("registers nothing where a document is forced and the server takes none", async () => {
    const options = { oauth: { registration: "cimd" }, window: { clientMetadataUrl: CIMD_URL } };
    await onStage(options, async ({ peers: { authority }, window }) => {
      await assert.rejects(window.signIn(), code("registration-unsupported"));
      assert.deepEqual(authority.at("/reg"), []);
      assert.deepEqual(window.person.opened, []);
    });
  });

  it("proves a client that was registered by hand with HTTP Basic", async () => {
    const oauth = ({ authority: { clients, issuer } }: OauthPeers) => ({
      clientId: clients.basic.id,
      clientSecret: clients.basic.secret,
      clientAuthMethod: "client_secret_basic",
      issuer,
    });
    await onStage({ oauth }, async ({ peers: { authority }, window }) => {
      await window.signIn();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
      const [exchange] = authority.at("/token");
      const { id, secret } = authority.clients.basic;
      assert.deepEqual(basicOf(exchange?.headers["authorization"]), [id, secret]);
      assert.equal(exchange?.form.get("client_secret"), null);
      assert.deepEqual(authority.at("/reg"), []);
    });
  });

  it("proves one with its secret in the form", async () => {
    const oauth = ({ authority: { clients, issuer } }: OauthPeers) => ({
      clientId: clients.post.id,
      clientSecret: clients.post.secret,
      clientAuthMethod: "client_secret_post",
      issuer,
    });
    await onStage({ oauth }, async ({ peers: { authority }, window }) => {
      await window.signIn();
      const [exchange] = authority.at("/token");
      assert.equal(exchange?.form.get("client_secret"), authority.clients.post.secret);
      assert.equal(exchange.headers["authorization"], undefined);
    });
  });

  it("proves one with a key", async () => {
    const oauth = ({ authority: { clients, issuer } }: OauthPeers) => ({
      clientId: clients.privateKey.id,
      clientKey: clients.privateKey.key,
      clientAuthMethod: "private_key_jwt",
      issuer,
    });
    await onStage({ oauth }, async ({ peers: { authority }, window }) => {
      await window.signIn();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
      const [exchange] = authority.at("/token");
      assert.match(exchange?.form.get("client_assertion") ?? "", /^[\w-]+\.[\w-]+\.[\w-]+$/);
      assert.ok(!authority.seen.some(({ body }) => body.includes("PRIVATE KEY")));
    });
  });

  it("pushes the request where the server wants that, so that the browser carries no parameter of it", async () => {
    await onStage({ authority: { par: "required" } }, async ({ peers: { authority, server }, window }) => {
      await window.signIn();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
      assert.deepEqual([...window.person.query.keys()].sort(), ["client_id", "request_uri"]);
      const [pushed] = authority.at("/request");
      assert.equal(pushed?.form.get("resource"), server.resource);
    });
  });

  for (const nonce of [false, true]) {
    it(`binds tokens to a key${nonce ? ", with nonces of both servers" : ""}`, async () => {
      const options = {
        authority: { dpopNonce: nonce },
        server: { dpop: true, dpopNonce: nonce },
        oauth: { dpop: "required" },
      };
      await onStage(options, async ({ peers: { authority, server }, window }) => {
        await window.signIn();
        assert.equal(await window.call("echo", { text: "one" }), "one");
        assert.equal(await window.call("echo", { text: "two" }), "two");
        const served = server.requests.filter(({ status }) => status < 300);
        assert.ok(served.every(({ authorization }) => authorization?.startsWith("DPoP ")));
        // The same proof twice would have been refused by the guard.
        assert.equal(new Set(served.map(({ proof }) => proof)).size, served.length);
        assert.ok(authority.at("/token").every(({ headers }) => headers["dpop"] !== undefined));
        assert.equal(authority.at("/token").length, nonce ? 2 : 1);
        assert.equal(window.session.report().authorization?.tokenType, "dpop");
      });
    });
  }

  it("says so when the person refuses on the page, and is ready for another attempt", async () => {
    await onStage({}, async ({ peers: { authority }, window, wish, visits }) => {
      wish.deny = true;
      await assert.rejects(window.signIn(), code("authorization-refused"));
      assert.deepEqual(authority.at("/token"), []);
      assert.equal(visits.length, 1);
      assert.doesNotMatch((await visits[0])?.page ?? "", /aborted/);
      wish.deny = false;
      await window.signIn();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
    });
  });

  it("asks for nothing at all when the person does not confirm the plan", async () => {
    await onStage({}, async ({ peers: { authority }, window }) => {
      window.person.agrees = false;
      await assert.rejects(window.signIn(), code("sign-in-declined"));
      assert.deepEqual(window.person.opened, []);
      assert.deepEqual(authority.at("/token"), []);
    });
  });

  it("fails clearly when the server does not know the resource", async () => {
    await onStage({}, async ({ peers: { authority }, window }) => {
      authority.resources.clear();
      await assert.rejects(window.signIn(), (error: AuthError) => {
        assert.equal(error.code, "authorization-refused");
        assert.match(error.message, /invalid_target/);
        return true;
      });
    });
  });

  // Attack: 33
  it("cannot use a code that was issued for another sign-in", async () => {
    await onStage({}, async ({ peers: { authority }, window, visits }) => {
      await window.signIn();
      let stolen = "";
      window.person.browse = async (url) => {
        // The attacker's own sign-in, and its code with the state of this one.
        const end = await signInAsPerson(url, {}, false);
        const callback = new URL(end.callback);
        stolen = new URL((await visits[0])?.callback ?? "").searchParams.get("code") ?? "";
        callback.searchParams.set("code", stolen);
        await fetch(callback, { headers: { connection: "close" } });
      };
      const exchanges = authority.at("/token").length;
      await assert.rejects(window.signIn(), code("token-refused"));
      assert.notEqual(stolen, "");
      assert.equal(authority.at("/token").length, exchanges + 1);
    });
  });

  it("takes a pasted address where the browser cannot come back by itself", async () => {
    await onStage({}, async ({ window }) => {
      let paste: (text: string) => void = () => undefined;
      window.person.pasted = new Promise((resolve) => {
        paste = resolve;
      });
      window.person.browse = async (url) => paste((await signInAsPerson(url, {}, false)).callback);
      await window.signIn();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
    });
  });
});

describe("signing in at the SDK's own authorization server", function () {
  this.timeout(30_000);

  it("registers, signs in, refreshes and signs out", async () => {
    const authority = await startSdkAuthorizationServer();
    const server = await startProtectedServer(authority, { generation: "one" });
    const window = new AuthWindow(
      { s: { url: server.url } },
      { browse: (url) => fetch(url, { headers: { connection: "close" } }) },
    );
    try {
      await window.signIn();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
      // It writes its issuer with a slash everywhere, and that is what counts.
      assert.equal(window.session.report().authorization?.issuer, authority.issuer);
      assert.deepEqual(await window.servers.pool.signOut("s"), { kind: "revoked" });
      assert.ok(authority.seen.includes("/revoke"));
    } finally {
      await window[Symbol.asyncDispose]();
      await server.close();
      await authority.close();
    }
  });
});
