import assert from "node:assert/strict";

import { type Deferred, deferred } from "../../../src/base/deferred.ts";
import { NetError } from "../../../src/net/netError.ts";
import { createMemoryCredentialStore } from "../../../src/auth/store/memoryCredentialStore.ts";
import { failsWith } from "../../support/failsWith.ts";
import { SessionBench } from "../../support/sessionBench.ts";
import type { SessionServer } from "../../support/sessionServer.ts";
import { never } from "../../support/transportHelpers.ts";

const HOUR = 3_600_000;

describe("windows that share an authorization", () => {
  let bench: SessionBench;
  beforeEach(() => {
    bench = new SessionBench();
  });
  afterEach(() => bench.end());

  // Attack: 45, 46
  it("four windows that renew at once ask once, and all of them go on", async () => {
    const server = await bench.server();
    const windows = await Promise.all(Array.from({ length: 4 }, () => bench.window(server)));
    await windows[0]?.signIn();
    bench.clock.advance(HOUR);
    const statuses = await Promise.all(windows.flatMap((window) => [window.request(), window.request()]));
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(server.refreshes.length, 1);
    assert.equal(new Set(server.sent.slice(-8)).size, 1, "all of them with the same token");
    bench.clock.advance(HOUR);
    assert.equal(await windows[3]?.request(), 200, "the family of tokens is alive");
  });

  // Attack: 46
  it("a store that tells nobody of changes is read again before a token is renewed", async () => {
    const server = await bench.server();
    const store = { ...createMemoryCredentialStore(), onDidChange: () => ({ dispose: () => undefined }) };
    const first = await bench.window(server, { store });
    await first.signIn();
    const second = await bench.window(server, { store });
    bench.clock.advance(HOUR);
    assert.equal(await first.request(), 200);
    assert.equal(await second.request(), 200);
    assert.equal(server.refreshes.length, 1);
    const third = await bench.window(server, { store });
    await third.signIn();
    server.live.delete(server.sent.at(-1)?.slice("Bearer ".length) ?? "");
    assert.equal(await first.request(), 200, "it finds the other sign-in when its own token is refused");
    assert.equal(server.refreshes.length, 1);
  });

  // Attack: 49
  it("a refresh token that another window has used without waiting is no reason to sign in again", async () => {
    const server = await bench.server();
    // Two installations of the lock: they do not wait for each other.
    const first = await bench.window(server);
    const second = await bench.window(server, { lock: freeLock });
    await first.signIn();
    bench.clock.advance(HOUR);
    const asked = deferred();
    const answer = deferred();
    server.script.token = (_asked, exchange) => {
      server.script.token = () => undefined;
      asked.resolve(undefined);
      void answer.promise.then(() => exchange.json(400, { error: "invalid_grant" }));
      return "answered";
    };
    const slow = second.request();
    await asked.promise;
    assert.equal(await first.request(), 200);
    answer.resolve(undefined);
    assert.equal(await slow, 200);
    assert.equal(server.sent.at(-1), server.sent.at(-2));
    assert.equal(second.session.status.kind, "signed-in");
  });

  it("signing out in one window signs out all of them", async () => {
    const server = await bench.server();
    const first = await bench.window(server);
    const second = await bench.window(server);
    await first.signIn();
    assert.equal(await second.request(), 200);
    assert.deepEqual(await first.session.signOut(never), { kind: "revoked" });
    await failsWith("sign-in-needed", second.request());
    assert.deepEqual(second.session.status, { kind: "needs-sign-in", reason: "signed-out" });
    assert.equal(server.sent.at(-1), undefined);
    assert.equal(second.session.account, "");
  });

  // Attack: 92
  it("signing out while a token is renewed leaves nothing behind", async () => {
    const server = await bench.server();
    const first = await bench.window(server);
    const second = await bench.window(server);
    await first.signIn();
    bench.clock.advance(HOUR);
    const { asked, goOn } = holdTokens(server);
    const renewing = first.request().catch((error: unknown) => error);
    await asked;
    const out = second.session.signOut(never);
    goOn.resolve(undefined);
    assert.deepEqual(await out, { kind: "revoked" });
    assert.deepEqual(server.revocations.at(-1)?.get("token"), "late-refresh", "the newest one is revoked");
    await renewing;
    for (const window of [first, second, await bench.window(server)]) {
      await failsWith("sign-in-needed", window.request());
      assert.equal(window.session.account, "");
    }
  });

  // Attack: 92
  it("a renewal that signing out did not wait for stores nothing", async () => {
    const server = await bench.server();
    const first = await bench.window(server);
    const second = await bench.window(server, { lock: freeLock });
    await first.signIn();
    bench.clock.advance(HOUR);
    const { asked, goOn } = holdTokens(server);
    const renewing = first.request().catch((error: unknown) => error);
    await asked;
    await second.session.signOut(never);
    goOn.resolve(undefined);
    assert.equal((await renewing) instanceof Error, true);
    assert.equal(server.sent.includes("Bearer late"), false);
    assert.equal((await bench.window(server)).session.account, "");
  });

  // Attack: 53
  // Duty: 16.8.2
  it("another address or name for a server gets no old token, and the old record is deleted", async () => {
    const [server, other] = [await bench.server(), await bench.server()];
    const window = await bench.window(server);
    await window.signIn();
    window.session.dispose();
    const renamed = await bench.window(server, { settings: { serverName: "Other" } });
    await failsWith("sign-in-needed", renamed.request());
    const moved = await bench.window(other);
    assert.deepEqual(moved.session.status, { kind: "needs-sign-in", reason: "settings-changed" });
    await failsWith("sign-in-needed", moved.request());
    assert.deepEqual(other.sent, [undefined]);
    assert.equal(/access-|family-/.test(other.received), false);
    const back = await bench.window(server);
    await failsWith("sign-in-needed", back.request());
    assert.equal(server.sent.at(-1), undefined, "what was deleted does not come back");
  });

  // Attack: 54
  it("servers of the same name from two places share nothing", async () => {
    const [mine, theirs] = [await bench.server(), await bench.server()];
    const here = await bench.window(mine, { scope: "folder:/one" });
    const there = await bench.window(theirs, { scope: "folder:/two" });
    await here.signIn();
    await failsWith("sign-in-needed", there.request());
    await there.signIn();
    assert.equal(await here.request(), 200);
    assert.equal(await there.request(), 200);
    assert.equal(server(theirs.sent), 1);
    assert.notEqual(here.session.account, there.session.account);
    function server(sent: readonly (string | undefined)[]): number {
      return sent.filter((value) => value !== undefined).length;
    }
  });

  // Attack: 52
  it("a record that is broken is deleted, and asks for a new sign-in", async () => {
    const server = await bench.server();
    const first = await bench.window(server);
    await first.signIn();
    first.session.dispose();
    const keys: string[] = [];
    const subscription = bench.store.onDidChange((key) => keys.push(key));
    const probe = await bench.window(server);
    await probe.session.signOut(never);
    await probe.signIn();
    probe.session.dispose();
    const key = keys[0] ?? "";
    const whole = (await bench.store.get(key)) ?? "";
    await bench.store.set(
      key,
      whole.replace(`"issuer":"${server.origin}"`, '"issuer":"https://evil.example"'),
    );
    const broken = await bench.window(server);
    subscription.dispose();
    assert.deepEqual(broken.session.status, { kind: "needs-sign-in", reason: "record-unusable" });
    assert.equal(await bench.store.get(key), undefined);
    await failsWith("sign-in-needed", broken.request());
  });

  // Attack: 77
  it("a server that is in another network now is shown to be, until it is back", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    assert.equal(window.session.authorizer.zone, undefined);
    await window.signIn();
    assert.equal(window.session.authorizer.zone, "loopback");
    const error = new NetError("zone-changed", {
      server: "Files",
      host: "h",
      expected: "public",
      actual: "loopback",
    });
    window.session.authorizer.failed?.({ method: "POST", url: server.endpoint }, error);
    assert.deepEqual(window.session.status, { kind: "needs-sign-in", reason: "zone-changed" });
    assert.equal(await window.request(), 200);
    assert.equal(window.session.status.kind, "signed-in");
  });

  // Attack: 55
  // Duty: 16.2.5, 16.4.8
  it("another authorization server gets a registration of its own and nothing of the first one's", async () => {
    const [first, second] = [await bench.server(), await bench.server()];
    const window = await bench.window(first);
    await window.signIn();
    first.script.issuer = second.origin;
    first.live.clear();
    first.endRefreshTokens();
    await failsWith("sign-in-needed", window.request());
    await window.signIn();
    assert.equal(window.person.plans.at(-1)?.changedFrom, first.origin);
    assert.equal(second.registrations.length, 1);
    assert.equal(second.authorizations.length, 1);
    assert.equal(/family-\d+\.\d+/.test(second.received), false, "no refresh token of the first");
    const kept = window.session.report().authorization;
    assert.equal(kept?.issuer, second.origin);
  });

  // Attack: 56
  // Duty: 16.4.9
  it("a client that is registered by hand is not shown to another authorization server", async () => {
    const [first, second] = [await bench.server(), await bench.server()];
    const settings = { clientId: "by-hand", registration: "preregistered" as const };
    const window = await bench.window(first, { settings });
    await window.signIn();
    first.script.issuer = second.origin;
    first.live.clear();
    first.endRefreshTokens();
    await failsWith("sign-in-needed", window.request());
    const error = await failsWith("issuer-changed", window.signIn());
    assert.match(error.message, new RegExp(second.origin));
    assert.equal(second.received.includes("by-hand"), false);
    assert.deepEqual([second.authorizations.length, second.tokenRequests.length], [0, 0]);
  });
});

/** Has the next tokens of a server wait. `asked` resolves when they are asked for. */
function holdTokens({ script }: SessionServer): {
  readonly asked: Promise<void>;
  readonly goOn: Deferred<undefined>;
} {
  const asked = deferred();
  const goOn = deferred();
  script.token = (_asked, exchange) => {
    asked.resolve(undefined);
    void goOn.promise.then(() => {
      exchange.json(200, { access_token: "late", token_type: "Bearer", refresh_token: "late-refresh" });
    });
    return "answered";
  };
  return { asked: asked.promise, goOn };
}

/** A lock that lets everybody through, as if it had been taken over. */
const freeLock = { run: <T>(_name: string, work: () => Promise<T>): Promise<T> => work() };
