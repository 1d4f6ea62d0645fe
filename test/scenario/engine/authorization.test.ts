import assert from "node:assert/strict";
import { parseServers } from "../../../src/client/parseServers.ts";
import type { PoolPorts } from "../../../src/client/serverPool.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { FakeSession } from "../../support/fakeAuthorization.ts";
import { call, problemOf, setUp, steps, until, untilServed } from "../../support/guardedPool.ts";
import { GuardedServer, withToken } from "../../support/guardedServer.ts";
import type { TestPool } from "../../support/testPool.ts";

const PANEL = { origin: "panel" } as const;

for (const era of ["modern", "legacy"] as const) {
  describe(`a ${era} server that wants authorization`, () => {
    // Duty: 16.1.2, 16.2.2
    it("is signed in to while it is connected, and its era is decided by what it says then", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      const { test, server, session } = setup;
      const { seen, stop } = steps(test);
      const negotiation = await test.connect();
      stop();
      assert.equal(negotiation.era, era);
      assert.deepEqual(seen.slice(0, 6), [
        "approving",
        "resolving",
        "negotiating",
        "signing-in",
        "negotiating",
        "listing",
      ]);
      assert.deepEqual(session.done, ["load", "sign in {}"]);
      assert.deepEqual(server.refused, ["server/discover"]);
      assert.equal(await call(setup), "done");
      assert.equal(test.pool.get("s")?.authorization?.kind, "signed-in");
      assert.equal(test.pool.authReport("s")?.status.kind, "signed-in");
    });

    it("is used at once with what is signed in already", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      setup.session.adopt("me");
      await setup.test.connect();
      assert.deepEqual(setup.server.refused, []);
      assert.deepEqual(setup.session.done, ["load"]);
    });

    // Duty: 16.8.1
    it("gets each request with the token of its moment", async () => {
      await using setup = await setUp(era, withToken("t-1", "t-2"));
      setup.session.adopt("me");
      await setup.test.connect();
      setup.session.renew();
      await call(setup);
      assert.deepEqual(setup.server.tokens("tools/list"), ["t-1"]);
      assert.deepEqual(setup.server.tokens("tools/call"), ["t-2"]);
    });

    // Duty: 9.17, 16.8.5
    it("gets a call that was refused exactly once more, with another id, when its token was renewed", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      const { server, session, test } = setup;
      session.adopt("me");
      await test.connect();
      server.guard = withToken("t-2");
      session.renews = 1;
      assert.equal(await call(setup), "done");
      const ids = server.http.messages
        .filter((message) => message["method"] === "tools/call")
        .map(({ id }) => id);
      assert.equal(ids.length, 2);
      assert.equal(new Set(ids).size, 2);
      assert.deepEqual(server.seen.filter((about) => about === "tools/call").length, 1);
    });

    // Attack: 57
    // Duty: 16.8.4
    it("is not asked again and again when it takes no token at all", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      const { server, session, test } = setup;
      session.adopt("me");
      await test.connect();
      const refused = (): number => server.refused.filter((about) => about === "tools/call").length;
      server.guard = () => false;
      session.renews = 99;
      await assert.rejects(call(setup), { code: "authorization-required" });
      assert.equal(refused(), 2);
      session.renews = 0;
      await assert.rejects(call(setup), { code: "sign-in-needed" });
      assert.equal(refused(), 3);
    });

    it("stays connected when a call needs a sign-in, and is connected anew after it", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      const { server, session, test } = setup;
      session.adopt("me");
      await test.connect();
      const before = test.state();
      server.guard = withToken("t-2");
      await assert.rejects(call(setup), { code: "sign-in-needed" });
      assert.equal(test.state().kind, "connected");
      assert.deepEqual(test.pool.get("s")?.authorization, { kind: "needs-sign-in", reason: "revoked" });
      await test.pool.signIn("s", { scopes: ["a"] });
      assert.deepEqual(session.done.slice(1), ['sign in {"scopes":["a"]}', "load"]);
      const after = test.state();
      assert.ok(before.kind === "connected" && after.kind === "connected");
      assert.notEqual(after.negotiation, before.negotiation);
      assert.equal(await call(setup), "done");
    });

    it("keeps its connection when a sign-in fails", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      setup.session.adopt("me");
      await setup.test.connect();
      setup.session.onSignIn = () => Promise.reject(new Error("declined"));
      await assert.rejects(setup.test.pool.signIn("s", {}), /declined/);
      assert.equal(await call(setup), "done");
    });

    // Duty: 16.5.3
    it("keeps its connection when it gets more scopes, and the refused call is not made again", async () => {
      await using setup = await setUp(era, withToken("t-1", "t-2"));
      const { server, session, test } = setup;
      session.adopt("me");
      await test.connect();
      const before = test.state();
      await test.pool.stepUp("s");
      await untilServed(() => server.tokens("tools/list").includes("t-2"));
      const after = test.state();
      assert.ok(before.kind === "connected" && after.kind === "connected");
      assert.equal(after.negotiation, before.negotiation);
      assert.ok(!server.seen.includes("tools/call"));
    });

    it("is disconnected when it is signed out of", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      setup.session.adopt("me");
      await setup.test.connect();
      assert.deepEqual(await setup.test.pool.signOut("s"), { kind: "revoked" });
      assert.equal(setup.test.state().kind, "stopped");
      assert.equal(setup.session.done.at(-1), "sign out");
      // Ending the session of a legacy server needs the token.
      if (era === "legacy") assert.deepEqual(setup.server.tokens("DELETE"), ["t-1"]);
    });

    it("can be signed out of before it was ever connected", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      await setup.test.pool.signOut("s");
      assert.deepEqual(setup.session.done, ["load", "sign out"]);
      assert.equal(setup.server.http.requests.length, 0);
    });

    it("can be signed in to before it was ever connected", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      await setup.test.pool.signIn("s", { newRegistration: true });
      assert.deepEqual(setup.session.done, ["load", 'sign in {"newRegistration":true}']);
      assert.equal(setup.test.state().kind, "connected");
      assert.deepEqual(setup.server.refused, []);
    });

    it("is blocked, and asks for nothing, when nobody asked for it just now", async () => {
      await using setup = await setUp(era, withToken("t-1"), { autostart: true });
      const state = await setup.test.until("blocked");
      assert.equal(problemOf(state), "sign-in-needed");
      assert.deepEqual(setup.session.done, ["load"]);
      assert.deepEqual(setup.server.refused, ["server/discover"]);
      assert.equal(setup.server.seen.length, 0);
      await setup.test.connect();
      assert.equal(setup.test.state().kind, "connected");
    });

    it("is blocked where there is no person", async () => {
      await using setup = await setUp(era, withToken("t-1"), {}, { isAttended: false });
      await assert.rejects(setup.test.connect(), { code: "sign-in-needed" });
      assert.equal(setup.test.state().kind, "blocked");
      assert.deepEqual(setup.session.done, ["load"]);
    });

    it("needs nobody where tokens can be had without a person", async () => {
      await using setup = await setUp(era, withToken("t-1"), { autostart: true }, { isAttended: false });
      setup.session.isUnattended = true;
      await setup.test.until("connected");
      assert.equal(await call(setup), "done");
    });

    it("shows the refusal after a sign-in that does not help, and signs in once only", async () => {
      await using setup = await setUp(era, () => false);
      await assert.rejects(setup.test.connect(), { code: "sign-in-needed" });
      assert.equal(problemOf(setup.test.state()), "sign-in-needed");
      assert.equal(setup.session.done.filter((what) => what.startsWith("sign in")).length, 1);
      assert.deepEqual(setup.server.refused, ["server/discover", "server/discover"]);
    });

    it("can be given up while the person signs in", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      const { session, test } = setup;
      session.onSignIn = (_wish, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        });
      const connecting = test.connect();
      connecting.catch(() => undefined);
      await until(test, () => {
        const state = test.state();
        return state.kind === "connecting" && state.step === "signing-in";
      });
      await test.pool.disconnect("s");
      await assert.rejects(connecting, { code: "cancelled" });
      assert.equal(test.state().kind, "stopped");
    });

    it("waits ten minutes for the person, whatever the limit of connecting is", async () => {
      const clock = new FakeClock();
      await using setup = await setUp(era, withToken("t-1"), { timeouts: { connect: 1 } }, { clock });
      const { session, test } = setup;
      const waiting = waitInSignIn(session);
      const connecting = test.connect();
      connecting.catch(() => undefined);
      await waiting;
      clock.advance(10 * 60_000 - 1);
      await new Promise(setImmediate);
      assert.equal(test.state().kind, "connecting");
      clock.advance(1);
      await assert.rejects(connecting, { code: "sign-in-timeout" });
      assert.equal(test.state().kind, "blocked");
    });

    it("takes a new wish to sign in in place of the one that waits", async () => {
      await using setup = await setUp(era, withToken("t-1"));
      const { session, test } = setup;
      const waiting = waitInSignIn(session);
      const connecting = test.connect();
      connecting.catch(() => undefined);
      await waiting;
      session.onSignIn = () => Promise.resolve();
      await test.pool.signIn("s", {});
      await assert.rejects(connecting, { code: "cancelled" });
      assert.equal(await call(setup), "done");
    });
  });
}

describe("whoever is signed in", () => {
  const read = async (test: TestPool): Promise<string> => {
    const { result } = await test.pool.readResource("s", "a:b", PANEL);
    return String(result.contents[0]?.text);
  };

  it("is not shown what was kept for somebody else", async () => {
    await using setup = await setUp("modern", withToken("t-1", "t-2", "t-3"));
    const { session, test, server } = setup;
    session.adopt("ada");
    await test.connect();
    assert.equal(await read(test), "Bearer t-1");
    session.renew();
    assert.equal(await read(test), "Bearer t-1");
    const listed = server.tokens("tools/list").length;
    // Another window signed in with another account.
    session.adopt("grace");
    assert.equal(await read(test), "Bearer t-3");
    await untilServed(() => server.tokens("tools/list").length > listed);
    assert.equal(test.state().kind, "connected");
  });

  it("keeps an authorization for as long as the definition is the same", async () => {
    await using setup = await setUp("modern", withToken("t-1"));
    const { test, session, made, server } = setup;
    await test.connect();
    await test.pool.restart("s");
    test.pool.configure(parseServers({ s: { url: server.url, chat: false } }, "user"));
    await test.pool.restart("s");
    assert.equal(made.length, 1);
    assert.equal(session.isDisposed, false);
  });

  it("is asked anew with the next connection when the settings for all servers have changed", async () => {
    const sessions: FakeSession[] = [];
    let settings = "a";
    const ports = {
      authorizationSettings: () => settings,
      authorize: () => {
        const session = new FakeSession();
        sessions.push(session);
        return session;
      },
    };
    await using setup = await setUp("modern", withToken("t-1"), {}, ports);
    await setup.test.connect();
    await setup.test.pool.restart("s");
    assert.equal(sessions.length, 1);
    settings = "b";
    await setup.test.pool.restart("s");
    assert.deepEqual(
      sessions.map(({ isDisposed }) => isDisposed),
      [true, false],
    );
    setup.session.dispose();
  });

  // Attack: 53
  it("is nobody at another address: nothing of the old authorization is sent there", async () => {
    const other = await GuardedServer.start("modern", () => true);
    const sessions: FakeSession[] = [];
    const authorize = (): FakeSession => {
      const session = new FakeSession();
      sessions.push(session);
      return session;
    };
    {
      await using setup = await setUp("modern", withToken("t-1"), {}, { authorize });
      const { test } = setup;
      await test.connect();
      test.pool.configure(parseServers({ s: { url: other.url } }, "user"));
      await until(test, () => test.state().kind === "connected");
      assert.equal(sessions.length, 2);
      assert.equal(sessions[0]?.isDisposed, true);
      assert.ok(other.http.requests.length > 0);
      for (const { headers } of other.http.requests) assert.equal(headers.authorization, undefined);
      setup.session.dispose();
    }
    await other.close();
  });

  // Attack: 77
  it("sends no token to a server that is in another network now", async () => {
    await using setup = await setUp("modern", withToken("t-1"));
    const { test, session, server } = setup;
    session.adopt("me");
    session.authorizer.zone = "public";
    await assert.rejects(test.connect(), { code: "zone-changed" });
    assert.equal(test.state().kind, "blocked");
    assert.equal(server.http.requests.length, 0);
  });
});

describe("a credential of the settings", () => {
  const entry = { headers: { Authorization: "Bearer t-1" } };

  // Attack: 93
  // Duty: 16.1.1
  it("is external: nobody signs in, whatever the server answers", async () => {
    await using setup = await setUp("modern", withToken("t-1"), entry);
    const { test, made, server, session } = setup;
    assert.deepEqual(test.pool.get("s")?.authorization, { kind: "external", isRejected: false });
    await test.connect();
    server.guard = () => false;
    await assert.rejects(call(setup), (error: Error & { code?: string; remedy?: string }) => {
      assert.equal(error.code, "credential-rejected");
      assert.match(error.remedy ?? "", /Renew the token/);
      return true;
    });
    assert.equal(test.state().kind, "connected");
    assert.deepEqual(test.pool.get("s")?.authorization, { kind: "external", isRejected: true });
    await assert.rejects(test.pool.signIn("s", {}), { code: "own-credential" });
    await assert.rejects(test.pool.stepUp("s"), { code: "own-credential" });
    await assert.rejects(test.pool.signOut("s"), { code: "own-credential" });
    server.guard = () => true;
    await call(setup);
    assert.deepEqual(test.pool.get("s")?.authorization, { kind: "external", isRejected: false });
    assert.deepEqual(made, []);
    assert.equal(test.pool.authReport("s"), undefined);
    session.dispose();
  });

  // Attack: 93
  it("that is not taken blocks the server, with what it said, and is not tried again", async () => {
    await using setup = await setUp("modern", () => false, entry);
    setup.server.challenge = 'Bearer error="invalid_token", error_description="expired"';
    await assert.rejects(setup.test.connect(), { code: "credential-rejected" });
    const state = setup.test.state();
    assert.equal(state.kind, "blocked");
    assert.ok("problem" in state && "detail" in state.problem);
    assert.match(state.problem.detail ?? "", /error_description="expired"/);
    assert.deepEqual(setup.server.refused, ["server/discover"]);
    setup.session.dispose();
  });

  it("leaves a 403 to the call", async () => {
    await using setup = await setUp("modern", withToken("t-1"), entry);
    await setup.test.connect();
    setup.server.guard = () => false;
    setup.server.status = 403;
    await assert.rejects(call(setup), { code: "forbidden" });
    setup.session.dispose();
  });
});

describe("a server that nobody signs in to", () => {
  for (const [name, entry, ports] of [
    ["because it says so", { oauth: false }, {}],
    ["because nobody can", {}, { authorize: undefined }],
  ] as const) {
    it(`shows the refusal, ${name}`, async () => {
      await using setup = await setUp("modern", () => false, entry, ports as Partial<PoolPorts>);
      const { test, session } = setup;
      assert.equal(test.pool.get("s")?.authorization, undefined);
      await assert.rejects(test.connect(), { code: "authorization-required" });
      assert.equal(test.state().kind, "failed");
      await assert.rejects(test.pool.signIn("s", {}), { code: "nothing-to-sign-in" });
      session.dispose();
    });
  }
});

/** Has the person of a session never finish signing in. Resolves when that is asked of them. */
function waitInSignIn(session: FakeSession): Promise<void> {
  return new Promise((resolve) => {
    session.onSignIn = (_wish, signal) => {
      resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    };
  });
}
