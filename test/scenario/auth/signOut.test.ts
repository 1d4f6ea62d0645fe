import assert from "node:assert/strict";

import { deferred } from "../../../src/base/deferred.ts";
import { createMemoryCredentialStore } from "../../../src/auth/store/memoryCredentialStore.ts";
import { failsWith } from "../../support/failsWith.ts";
import { SessionBench } from "../../support/sessionBench.ts";
import type { SessionScript } from "../../support/sessionServer.ts";
import { never } from "../../support/transportHelpers.ts";

describe("signing out", () => {
  let bench: SessionBench;
  beforeEach(() => {
    bench = new SessionBench();
  });
  afterEach(() => bench.end());

  const cases: readonly [what: string, script: SessionScript, kind: string, asked: number][] = [
    ["an answer of 200", {}, "revoked", 1],
    ["an answer of 204", { revoke: (exchange) => exchange.answer(204) }, "revoked", 1],
    ["an answer of 400", { revoke: (exchange) => exchange.json(400, { error: "x" }) }, "failed", 1],
    ["an answer of 503", { revoke: (exchange) => exchange.answer(503) }, "failed", 1],
    ["a connection that breaks", { revoke: (exchange) => exchange.socket.resetAndDestroy() }, "failed", 1],
    [
      "a redirect",
      { revoke: (exchange) => exchange.answer(307, "", { location: "/elsewhere" }) },
      "failed",
      1,
    ],
    ["nowhere to revoke", { revocation: false }, "not-supported", 0],
  ];
  for (const [what, script, kind, asked] of cases) {
    // Attack: 91
    it(`deletes everything with ${what}`, async () => {
      const server = await bench.server(script);
      const window = await bench.window(server);
      await window.signIn();
      const outcome = await window.session.signOut(never);
      assert.equal(outcome.kind, kind);
      assert.equal(server.revocations.length, asked);
      if (asked > 0) assert.equal(server.revocations[0]?.get("token_type_hint"), "refresh_token");
      assert.deepEqual(window.session.status, { kind: "needs-sign-in", reason: "signed-out" });
      await failsWith("sign-in-needed", window.request());
      const later = await bench.window(server);
      await failsWith("sign-in-needed", later.request());
      assert.equal(
        server.sent.some((value) => value !== undefined),
        false,
      );
    });
  }

  // Attack: 91
  it("does not wait for longer than five seconds for a server that says nothing", async () => {
    const asked = deferred();
    const server = await bench.server({ revoke: () => asked.resolve(undefined) });
    const window = await bench.window(server);
    await window.signIn();
    const out = window.session.signOut(never);
    await asked.promise;
    bench.clock.advance(5_000);
    assert.equal((await out).kind, "failed");
    assert.equal((await bench.window(server)).session.account, "");
  });

  it("revokes the access token where there is no refresh token", async () => {
    const server = await bench.server({ refresh: false });
    const window = await bench.window(server);
    await window.signIn();
    assert.deepEqual(await window.session.signOut(never), { kind: "revoked" });
    assert.equal(server.revocations[0]?.get("token_type_hint"), "access_token");
  });

  it("deletes though the caller gave up and another window holds the lock", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    const held = deferred();
    const holding = bench.lock.run(keyOf(bench), () => held.promise, never);
    const out = window.session.signOut(AbortSignal.abort(new Error("enough")));
    assert.equal((await out).kind, "failed");
    assert.equal((await bench.window(server)).session.account, "");
    held.resolve(undefined);
    await holding;
  });

  it("says so when the record cannot be deleted, and uses nothing of it", async () => {
    const server = await bench.server();
    const inner = createMemoryCredentialStore();
    let isBroken = false;
    const unless = <T>(work: () => Promise<T>): Promise<T> =>
      isBroken ? Promise.reject(new Error("read-only")) : work();
    const store = {
      ...inner,
      set: (key: string, value: string) => unless(() => inner.set(key, value)),
      delete: (key: string) => unless(() => inner.delete(key)),
    };
    const window = await bench.window(server, { store });
    await window.signIn();
    isBroken = true;
    await failsWith("store-delete-failed", window.session.signOut(never));
    assert.equal(server.revocations.length, 1, "it is revoked all the same");
    assert.equal(window.session.account, "");
  });

  it("without a sign-in does nothing", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    assert.deepEqual(await window.session.signOut(never), { kind: "nothing" });
    assert.deepEqual(server.revocations, []);
  });

  it("ends a sign-in that is under way", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    const opened = deferred();
    window.person.browse = () => {
      opened.resolve(undefined);
      return Promise.resolve();
    };
    const signIn = failsWith("sign-in-declined", window.signIn());
    await opened.promise;
    assert.equal(window.session.status.kind, "signing-in");
    await window.session.signOut(never);
    await signIn;
    assert.equal(window.session.account, "");
  });

  it("signing in anew never revokes what was there before", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    await window.signIn({ newRegistration: true });
    assert.deepEqual(server.revocations, []);
    assert.equal(server.registrations.length, 2);
    assert.equal(await window.request(), 200);
  });
});

/** The key of the only record. */
function keyOf(bench: SessionBench): string {
  const [key] = bench.lockNames;
  assert.ok(key !== undefined);
  return key;
}
