import assert from "node:assert/strict";
import { FakeSession } from "../../support/fakeAuthorization.ts";
import { setUp } from "../../support/guardedPool.ts";
import { withToken } from "../../support/guardedServer.ts";
import { AuthWindow } from "../../support/authWindow.ts";
import { browse } from "../../support/browse.ts";
import { EvilAuth, MARK_SCOPE } from "../../support/evilAuth.ts";

/** Here the pool, the session and the transport are the real ones; what each does alone is tested elsewhere. */
describe("a server with an authorization server", () => {
  let auth: EvilAuth;

  beforeEach(async () => {
    auth = await EvilAuth.start();
  });
  afterEach(() => auth.close());

  it("is signed in to while it is connected, and its calls survive the end of a token", async () => {
    await using window = new AuthWindow({ s: { url: auth.url } }, { browse });
    const { servers } = window;
    const negotiation = await servers.connect();
    assert.equal(negotiation.era, "modern");
    assert.deepEqual(window.person.troubles, []);
    assert.equal(servers.pool.get("s")?.authorization?.kind, "signed-in");
    assert.equal(await window.call("t"), "done");
    auth.authority.expire();
    const before = auth.server.http.messages.length;
    assert.equal(await window.call("t"), "done");
    const calls = auth.server.http.messages
      .slice(before)
      .filter(({ method }) => method === "tools/call")
      .map(({ id }) => id);
    assert.equal(new Set(calls).size, 2);
    assert.equal(auth.authority.at("/token").length, 2);
    assert.equal(window.person.plans.length, 1);
  });

  it("gets more permission without a new connection, and the refused call is the person's to repeat", async () => {
    auth.bends.toolScope = "files:write";
    await using window = new AuthWindow({ s: { url: auth.url } }, { browse });
    const { servers } = window;
    await servers.connect();
    const before = servers.state();
    await assert.rejects(window.call("t"), { code: "insufficient-scope" });
    assert.equal(servers.pool.get("s")?.authorization?.kind, "needs-scopes");
    const calls = (): number =>
      auth.server.http.messages.filter(({ method }) => method === "tools/call").length;
    assert.equal(calls(), 1);
    await servers.pool.stepUp("s");
    assert.equal(calls(), 1);
    const after = servers.state();
    assert.ok(before.kind === "connected" && after.kind === "connected");
    assert.equal(after.negotiation, before.negotiation);
    assert.equal(window.person.query.get("scope"), `${MARK_SCOPE} files:write`);
    assert.equal(await window.call("t"), "done");
  });

  it("is signed out of, and asks before it is used again", async () => {
    await using window = new AuthWindow({ s: { url: auth.url } }, { browse });
    const { servers } = window;
    await servers.connect();
    assert.deepEqual(await servers.pool.signOut("s"), { kind: "revoked" });
    assert.equal(servers.state().kind, "stopped");
    assert.deepEqual(servers.pool.get("s")?.authorization, { kind: "needs-sign-in", reason: "signed-out" });
    window.person.agrees = false;
    const sent = auth.tokensSent.length;
    await assert.rejects(servers.connect(), { code: "sign-in-declined" });
    assert.equal(servers.state().kind, "blocked");
    assert.equal(auth.tokensSent.length, sent);
  });

  it("is not signed in to for a person who does not agree", async () => {
    await using window = new AuthWindow({ s: { url: auth.url } }, { browse });
    window.person.agrees = false;
    await assert.rejects(window.servers.connect(), { code: "sign-in-declined" });
    assert.ok(!auth.authority.asked.some((path) => path === "/authorize" || path === "/token"));
    assert.deepEqual(auth.tokensSent, []);
  });
});

describe("a server whose authorization cannot be made", () => {
  it("is not connected without one, now or later", async () => {
    const session = new FakeSession();
    session.adopt("me");
    let attempts = 0;
    const authorize = (): FakeSession => {
      attempts += 1;
      if (attempts < 3) throw new Error("the disk is full");
      return session;
    };
    await using setup = await setUp("modern", withToken("t-1"), {}, { authorize });
    for (let count = 0; count < 2; count += 1) await assert.rejects(setup.test.connect(), /disk is full/);
    assert.equal(setup.server.http.requests.length, 0);
    await setup.test.connect();
    assert.deepEqual(setup.server.refused, []);
    setup.session.dispose();
  });
});
