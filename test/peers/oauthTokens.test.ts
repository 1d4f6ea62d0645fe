import assert from "node:assert/strict";
import { AuthError } from "../../src/auth/authError.ts";
import { untilServed } from "../support/guardedPool.ts";
import { code, onStage } from "./oauth/stage.ts";
import type { OauthPeers } from "./oauth/startOauthPeers.ts";

const GENERATIONS = ["two", "one"] as const;

/** After this time a token that is refused is renewed again. */
const A_WHILE_MS = 120_000;

const refreshes = ({ authority }: OauthPeers) =>
  authority.at("/token").filter(({ form }) => form.get("grant_type") === "refresh_token");

describe("tokens of oidc-provider, whose refresh tokens are good for one use", function () {
  this.timeout(30_000);

  for (const generation of GENERATIONS)
    it(`are renewed when a server on generation ${generation} of the SDK no longer takes them, time after time`, async () => {
      await onStage({ server: { generation } }, async ({ peers, window }) => {
        await window.signIn();
        for (const text of ["one", "two", "three"]) {
          peers.authority.expireAccessTokens();
          // A server that refuses what was renewed just now is not asked for more.
          window.clock.aheadMs += A_WHILE_MS;
          assert.equal(await window.call("echo", { text }), text);
        }
        const sent = refreshes(peers).map(({ form, status }) => [form.get("refresh_token"), status] as const);
        assert.equal(sent.length, 3);
        assert.equal(new Set(sent.map(([token]) => token)).size, 3);
        assert.deepEqual([...new Set(sent.map(([, status]) => status))], [200]);
        for (const { form } of refreshes(peers)) {
          assert.deepEqual(form.getAll("resource"), [peers.server.resource]);
          assert.equal(form.get("scope"), null);
        }
        assert.equal(window.person.opened.length, 1);
      });
    });

  it("are renewed before they end", async () => {
    await onStage({}, async ({ peers, window }) => {
      await window.signIn();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
      assert.deepEqual(refreshes(peers), []);
      // Half a minute before the end of the hour.
      window.clock.aheadMs = 3_570_000;
      assert.equal(await window.call("echo", { text: "in time" }), "in time");
      assert.equal(refreshes(peers).length, 1);
      const refused = peers.server.requests.filter((one) => one.authorization && one.status === 401);
      assert.deepEqual(refused, []);
    });
  });

  // Attack: 45
  it("are renewed once for four calls at once", async () => {
    await onStage({}, async ({ peers, window }) => {
      await window.signIn();
      peers.authority.expireAccessTokens();
      const texts = ["a", "b", "c", "d"];
      assert.deepEqual(await Promise.all(texts.map((text) => window.call("echo", { text }))), texts);
      assert.equal(refreshes(peers).length, 1);
      // Had one been used twice, the whole family would be dead by now.
      window.clock.aheadMs += A_WHILE_MS;
      peers.authority.expireAccessTokens();
      assert.equal(await window.call("echo", { text: "still here" }), "still here");
    });
  });

  it("all die when a refresh token is used twice, which is what makes the test before mean something", async () => {
    await onStage({}, async ({ peers, window }) => {
      await window.signIn();
      peers.authority.expireAccessTokens();
      await window.call("echo", { text: "renew" });
      const [used] = refreshes(peers);
      const replay = await fetch(`${peers.authority.issuer}/token`, {
        method: "POST",
        body: used?.form ?? null,
      });
      assert.equal(replay.status, 400);
      window.clock.aheadMs += A_WHILE_MS;
      await assert.rejects(window.call("echo", { text: "hello" }), code("sign-in-needed"));
      assert.deepEqual(window.session.status, { kind: "needs-sign-in", reason: "revoked" });
      await window.signIn();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
    });
  });

  it("stay bound to their key when they are renewed", async () => {
    const options = { server: { dpop: true }, oauth: { dpop: "required" } };
    await onStage(options, async ({ peers, window }) => {
      await window.signIn();
      peers.authority.expireAccessTokens();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
      assert.equal(refreshes(peers)[0]?.status, 200);
      assert.equal(window.session.report().authorization?.tokenType, "dpop");
    });
  });

  it("are revoked at signing out, and gone from here", async () => {
    await onStage({}, async ({ peers: { authority, server }, window }) => {
      await window.signIn();
      const access = server.requests.at(-1)?.authorization?.replace("Bearer ", "") ?? "";
      assert.notEqual(await authority.look(access), undefined);
      assert.deepEqual(await window.servers.pool.signOut("s"), { kind: "revoked" });
      assert.equal(await authority.look(access), undefined);
      const [revocation] = authority.at("/token/revocation");
      assert.equal(revocation?.form.get("token_type_hint"), "refresh_token");
      assert.deepEqual(window.session.status, { kind: "needs-sign-in", reason: "signed-out" });
    });
  });

  // Attack: 64
  it("are shown with what was granted, where that is less than what was asked for", async () => {
    const options = { authority: { scopes: ["mcp:read"] }, oauth: { scopes: ["mcp:read", "mcp:write"] } };
    await onStage(options, async ({ window }) => {
      await window.signIn();
      assert.equal(window.person.query.get("scope"), "mcp:read mcp:write");
      const { authorization } = window.session.report();
      assert.deepEqual(authorization?.requestedScopes, ["mcp:read", "mcp:write"]);
      assert.deepEqual(authorization.grantedScopes, ["mcp:read"]);
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
    });
  });
});

describe("more permission at oidc-provider", function () {
  this.timeout(30_000);

  for (const generation of GENERATIONS)
    // Attack: 66
    it(`is asked for once a tool of generation ${generation} wants it and the person agrees, and the call is theirs to repeat`, async () => {
      await onStage({ server: { generation } }, async ({ peers, window }) => {
        const { authority, server } = peers;
        await window.signIn();
        const error: unknown = await window.call("touch").catch((reason: unknown) => reason);
        assert.ok(error instanceof AuthError && error.code === "insufficient-scope");
        assert.match(error.message, /mcp:write/);
        const status = window.session.status;
        assert.equal(status.kind, "needs-scopes");
        assert.deepEqual(status.kind === "needs-scopes" && status.missing, ["mcp:write"]);

        const touches = () =>
          server.requests.filter(({ messages }) => messages.includes("tools/call touch")).length;
        assert.equal(touches(), 1);
        await window.servers.pool.stepUp("s");
        assert.equal(touches(), 1);
        assert.deepEqual(window.person.plans.at(-1)?.added, ["mcp:write"]);
        assert.deepEqual(window.person.query.get("scope")?.split(" ").sort(), [
          "mcp:read",
          "mcp:write",
          "offline_access",
        ]);
        assert.equal(authority.at("/reg").length, 1);
        assert.deepEqual(refreshes(peers), []);
        assert.equal(await window.call("touch"), "1");
        assert.equal(await window.call("echo", { text: "as before" }), "as before");
      });
    });

  // Attack: 65
  it("is not asked for when the person declines", async () => {
    await onStage({}, async ({ peers: { authority }, window }) => {
      await window.signIn();
      await assert.rejects(window.call("touch"), code("insufficient-scope"));
      const before = authority.seen.filter(({ path }) => !path.startsWith("/.well-known/")).length;
      window.person.agrees = false;
      await assert.rejects(window.servers.pool.stepUp("s"), code("sign-in-declined"));
      assert.equal(authority.seen.filter(({ path }) => !path.startsWith("/.well-known/")).length, before);
      assert.equal(window.person.opened.length, 1);
      assert.equal(await window.call("echo", { text: "as before" }), "as before");
    });
  });

  // Attack: 70
  it("leaves what there is when the person refuses it on the page", async () => {
    await onStage({}, async ({ window, wish }) => {
      await window.signIn();
      await assert.rejects(window.call("touch"), code("insufficient-scope"));
      wish.deny = true;
      await assert.rejects(window.servers.pool.stepUp("s"), code("authorization-refused"));
      assert.equal(await window.call("echo", { text: "as before" }), "as before");
      assert.deepEqual(window.session.report().authorization?.grantedScopes, ["mcp:read"]);
    });
  });
});

describe("clients of oidc-provider", function () {
  this.timeout(30_000);

  // Attack: 88
  it("are registered anew in one step when the server has forgotten them", async () => {
    await onStage({}, async ({ peers: { authority }, window }) => {
      await window.signIn();
      authority.forgetClients();
      authority.expireAccessTokens();
      await assert.rejects(window.call("echo", { text: "hello" }));
      assert.deepEqual(window.session.status, { kind: "needs-sign-in", reason: "client-unknown" });
      await window.signIn({ newRegistration: true });
      assert.equal(authority.at("/reg").length, 2);
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
    });
  });

  // Attack: 88
  it("that were forgotten end in the browser with an error page, from which a new registration leads out", async () => {
    await onStage({}, async ({ peers: { authority }, window, visits }) => {
      await window.signIn();
      authority.forgetClients();
      const stuck = window.signIn().catch((error: unknown) => error);
      await untilServed(() => visits.length >= 2);
      await assert.rejects(visits[1] ?? Promise.resolve(), /invalid_client/);
      // As the command does when it is chosen in the meantime.
      await window.signIn({ newRegistration: true });
      assert.ok((await stuck) instanceof Error);
      assert.equal(authority.at("/reg").length, 2);
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
    });
  });

  it("need no person for client credentials, and no refresh token", async () => {
    const oauth = ({ authority: { clients, issuer } }: OauthPeers) => ({
      grant: "client_credentials",
      clientId: clients.machine.id,
      clientSecret: clients.machine.secret,
      issuer,
    });
    await onStage({ authority: { clientCredentials: true }, oauth }, async ({ peers, window }) => {
      await window.servers.connect();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
      peers.authority.expireAccessTokens();
      window.clock.aheadMs += A_WHILE_MS;
      assert.equal(await window.call("echo", { text: "again" }), "again");
      assert.deepEqual(window.person.plans, []);
      assert.deepEqual(window.person.opened, []);
      const grants = peers.authority.at("/token").map(({ form }) => form.get("grant_type"));
      assert.deepEqual(grants, ["client_credentials", "client_credentials"]);
    });
  });

  it("sign client credentials with a key", async () => {
    const oauth = ({ authority: { clients, issuer } }: OauthPeers) => ({
      grant: "client_credentials",
      clientId: clients.privateKey.id,
      clientKey: clients.privateKey.key,
      issuer,
    });
    await onStage({ authority: { clientCredentials: true }, oauth }, async ({ peers, window }) => {
      await window.servers.connect();
      assert.equal(await window.call("echo", { text: "hello" }), "hello");
      assert.notEqual(peers.authority.at("/token")[0]?.form.get("client_assertion"), null);
    });
  });
});
