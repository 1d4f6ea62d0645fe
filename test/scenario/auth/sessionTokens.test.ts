import assert from "node:assert/strict";

import { createMemoryCredentialStore } from "../../../src/auth/store/memoryCredentialStore.ts";
import { failsWith } from "../../support/failsWith.ts";
import { SessionBench } from "../../support/sessionBench.ts";
import { never } from "../../support/transportHelpers.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("the tokens of a server", () => {
  let bench: SessionBench;
  beforeEach(() => {
    bench = new SessionBench();
  });
  afterEach(() => bench.end());

  it("nothing is sent before the first sign-in, and what the server wants is remembered for it", async () => {
    const server = await bench.server({ challenge: ', scope="files:read"' });
    const window = await bench.window(server);
    assert.deepEqual(window.session.status, { kind: "none" });
    await failsWith("sign-in-needed", window.request());
    assert.deepEqual(window.session.status, { kind: "needs-sign-in", reason: "first" });
    assert.deepEqual(server.tokenRequests, [], "nobody but a person signs in");
    await window.signIn();
    assert.equal(server.authorizations[0]?.get("scope"), "files:read");
    assert.equal(await window.request(), 200);
    assert.deepEqual(window.session.status, {
      kind: "signed-in",
      issuer: server.origin,
      scopes: ["files:read"],
      expiresAtMs: HOUR,
      canRefresh: true,
    });
  });

  it("a sign-in before the first connection asks the server what it wants", async () => {
    const server = await bench.server({ challenge: ', scope="files:read"' });
    const window = await bench.window(server);
    await window.signIn();
    assert.deepEqual(server.sent, [undefined]);
    assert.equal(server.authorizations[0]?.get("scope"), "files:read");
  });

  it("another window and a later one use what is stored, under the same account", async () => {
    const server = await bench.server();
    const first = await bench.window(server);
    const open = await bench.window(server);
    await first.signIn();
    assert.equal(await open.request(), 200);
    const later = await bench.window(server);
    assert.equal(await later.request(), 200);
    assert.equal(server.authorizations.length, 1);
    assert.notEqual(first.session.account, "");
    assert.equal(open.session.account, first.session.account);
    assert.equal(later.session.account, first.session.account);
  });

  it("each sign-in is another account, and a refresh is not", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    const { account } = window.session;
    bench.clock.advance(HOUR);
    await window.request();
    assert.equal(server.refreshes.length, 1);
    assert.equal(window.session.account, account);
    await window.signIn();
    assert.notEqual(window.session.account, account);
  });

  // Duty: 16.8.3
  it("a token is renewed before its end, once for all requests, and the new refresh token is kept", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    bench.clock.advance(HOUR - 6 * MINUTE - 1);
    await window.request();
    assert.equal(server.refreshes.length, 0, "it is fresh until a tenth of its life is left");
    bench.clock.advance(1);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => window.request()));
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(server.refreshes.length, 1);
    assert.equal(server.refreshes[0]?.get("resource"), `${server.origin}/mcp`);
    assert.equal(server.refreshes[0]?.has("scope"), false);
    const later = await bench.window(server);
    bench.clock.advance(HOUR);
    assert.equal(await later.request(), 200, "the store has the rotated token");
    assert.equal(server.refreshes.length, 2);
  });

  // The case P27 of public reports, here and in the store.
  // Attack: 50
  it("keeps the refresh token when the server gives no other, and takes one that it gives", async () => {
    const server = await bench.server({ rotate: false, expiresIn: 2 });
    const window = await bench.window(server);
    await window.signIn();
    bench.clock.advance(2_000);
    assert.deepEqual(await Promise.all([window.request(), window.request()]), [200, 200]);
    assert.equal(server.refreshes.length, 1, "two requests that find it expired share one refresh");
    server.script.rotate = true;
    bench.clock.advance(2_000);
    const later = await bench.window(server);
    assert.equal(await later.request(), 200);
    bench.clock.advance(2_000);
    assert.equal(await window.request(), 200);
    const used = server.refreshes.map((asked) => asked.get("refresh_token"));
    assert.equal(used[0], used[1], "the same one twice");
    assert.notEqual(used[2], used[1], "and then the one that replaced it");
  });

  // Attack: 50
  it("a refresh that grants less is shown as it is", async () => {
    const server = await bench.server({ challenge: ', scope="a b"' });
    const window = await bench.window(server);
    await window.signIn();
    server.script.token = (_asked, exchange) => {
      exchange.json(200, { access_token: "narrow", token_type: "Bearer", expires_in: 3600, scope: "a" });
      return "answered";
    };
    server.live.add("narrow");
    bench.clock.advance(HOUR);
    assert.equal(await window.request(), 200);
    const { status } = window.session;
    assert.deepEqual(status.kind === "signed-in" && status.scopes, ["a"]);
    assert.deepEqual(window.session.report().authorization?.requestedScopes, ["a", "b"]);
  });

  it("a token without an end is used until the server refuses it", async () => {
    const server = await bench.server({ expiresIn: undefined });
    const window = await bench.window(server);
    await window.signIn();
    bench.clock.advance(1_000 * HOUR);
    assert.equal(await window.request(), 200);
    assert.equal(server.refreshes.length, 0);
    server.live.clear();
    assert.equal(await window.request(), 200, "renewed, and sent once more");
    assert.equal(server.refreshes.length, 1);
  });

  // Duty: 16.5.5
  it("a token that ends without another is shown as expired, and not sent", async () => {
    const server = await bench.server({ refresh: false });
    const window = await bench.window(server);
    await window.signIn();
    let changes = 0;
    const subscription = window.session.onDidChange(() => (changes += 1));
    bench.clock.advance(HOUR);
    subscription.dispose();
    assert.equal(changes, 1, "the status changes though nobody does anything");
    assert.deepEqual(window.session.status, {
      kind: "expired",
      issuer: server.origin,
      expiredAtMs: HOUR,
    });
    await failsWith("sign-in-needed", window.request());
    assert.equal(server.sent.at(-1), undefined);
    assert.equal(window.session.status.kind, "expired");
  });

  // Attack: 57
  it("a server that refuses the new token too is not asked a third time", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    server.script.takesNothing = true;
    await failsWith("sign-in-needed", window.request());
    assert.equal(server.refreshes.length, 1);
    assert.equal(server.sent.filter((value) => value !== undefined).length, 2);
    assert.deepEqual(window.session.status, { kind: "needs-sign-in", reason: "revoked" });
    await failsWith("sign-in-needed", window.request());
    await failsWith("sign-in-needed", window.request());
    assert.equal(server.refreshes.length, 1, "and no refresh for the same token again");
  });

  // Attack: 57
  it("a server that takes and refuses a token in turn does not have it renewed each time", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    let count = 0;
    server.script.resource = (exchange) => {
      count += 1;
      if (count % 2 === 0) return undefined;
      exchange.answer(401, undefined, { "www-authenticate": 'Bearer error="invalid_token"' });
      return "answered";
    };
    assert.equal(await window.request(), 200, "renewed, and sent once more");
    await failsWith("refresh-unavailable", window.request());
    assert.equal(await window.request(), 200);
    await failsWith("refresh-unavailable", window.request());
    assert.equal(server.refreshes.length, 1);
    assert.equal(window.session.status.kind, "signed-in", "and nobody is asked to sign in");
    await window.request();
    bench.clock.advance(MINUTE);
    assert.equal(await window.request(), 200);
    assert.equal(server.refreshes.length, 2);
  });

  for (const [what, answer] of [
    ["503", 503],
    ["429", 429],
    ["a connection that breaks", "reset"],
  ] as const) {
    // Attack: 48
    it(`a refresh that fails with ${what} keeps everything, and is not tried again at once`, async () => {
      const server = await bench.server();
      const window = await bench.window(server);
      await window.signIn();
      server.script.token = (_asked, exchange) => {
        if (answer === "reset") exchange.socket.resetAndDestroy();
        else exchange.answer(answer);
        return "answered";
      };
      bench.clock.advance(HOUR - MINUTE);
      assert.equal(await window.request(), 200, "the token is good for another minute");
      const { status } = window.session;
      assert.equal(status.kind, "signed-in");
      assert.notEqual(status.kind === "signed-in" && status.refreshProblem, undefined);
      assert.equal(await window.request(), 200);
      assert.equal(server.refreshes.length, 1, "one attempt in this moment");
      bench.clock.advance(MINUTE);
      const error = await failsWith("refresh-unavailable", window.request());
      assert.match(error.remedy ?? "", /You stay signed in/);
      assert.equal(server.authorizations.length, 1, "no browser");
      server.script.token = () => undefined;
      bench.clock.advance(10 * MINUTE);
      assert.equal(await window.request(), 200);
      assert.equal(window.session.status.kind, "signed-in");
    });
  }

  it("a refresh token that is no good ends the sign-in, once, and keeps the client for the next", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    server.endRefreshTokens();
    server.live.clear();
    await failsWith("sign-in-needed", window.request());
    assert.deepEqual(window.session.status, { kind: "needs-sign-in", reason: "revoked" });
    await failsWith("sign-in-needed", window.request());
    assert.equal(server.refreshes.length, 1);
    const later = await bench.window(server);
    assert.deepEqual(later.session.status, { kind: "needs-sign-in", reason: "revoked" });
    bench.clock.advance(2_000); // The port of the first sign-in is free again.
    await later.signIn();
    assert.equal(await later.request(), 200);
    assert.equal(server.registrations.length, 1);
    assert.equal(await window.request(), 200, "the first window goes on with it");
  });

  // Attack: 88
  it("a client that the authorization server forgot goes with its tokens, and the next sign-in registers anew", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    server.script.token = (_asked, exchange) => {
      exchange.json(401, { error: "invalid_client" });
      return "answered";
    };
    server.live.clear();
    await failsWith("client-unknown", window.request());
    assert.deepEqual(window.session.status, { kind: "needs-sign-in", reason: "client-unknown" });
    assert.equal(server.refreshes.length, 1);
    server.script.token = () => undefined;
    await window.signIn();
    assert.equal(server.registrations.length, 2);
    assert.equal(await window.request(), 200);
  });

  // Attack: 51
  it("a token that cannot be stored is used, said so, and stored later", async () => {
    const server = await bench.server();
    const inner = createMemoryCredentialStore();
    let isBroken = false;
    const store = {
      ...inner,
      set: (key: string, value: string) =>
        isBroken ? Promise.reject(new Error("the keychain is locked")) : inner.set(key, value),
    };
    const window = await bench.window(server, { store });
    await window.signIn();
    isBroken = true;
    bench.clock.advance(HOUR);
    assert.equal(await window.request(), 200);
    const { status } = window.session;
    assert.match((status.kind === "signed-in" && status.refreshProblem) || "", /keychain is locked/);
    assert.match(bench.log.visible.join("\n"), /keychain is locked/);
    isBroken = false;
    const stored = new Promise((resolve) => {
      const subscription = window.session.onDidChange(() => {
        subscription.dispose();
        resolve(undefined);
      });
    });
    bench.clock.advance(1_000);
    await stored;
    assert.equal(
      window.session.status.kind === "signed-in" && window.session.status.refreshProblem,
      undefined,
    );
    const later = await bench.window(server, { store });
    assert.equal(await later.request(), 200);
    assert.equal(server.refreshes.length, 1);
  });

  it("a sign-in that cannot be stored fails, and can be used until the window is closed", async () => {
    const server = await bench.server();
    const inner = createMemoryCredentialStore();
    const store = { ...inner, set: () => Promise.reject(new Error("no keychain")) };
    const window = await bench.window(server, { store });
    await failsWith("store-failed", window.signIn());
    assert.equal(await window.request(), 200);
    assert.equal(window.session.status.kind, "signed-in");
  });

  // Attack: 58
  // Duty: 16.8.2
  it("a token goes to the endpoint alone", async () => {
    const server = await bench.server();
    const { session, signIn } = await bench.window(server).then((window) => ({
      session: window.session,
      signIn: () => window.signIn(),
    }));
    await signIn();
    const headersFor = (url: string) =>
      session.authorizer.authorize({ method: "POST", url: new URL(url) }, never);
    assert.notDeepEqual(await headersFor(`${server.origin}/mcp`), {});
    assert.notDeepEqual(await headersFor(`${server.origin}/mcp/`), {}, "a slash more is the same place");
    assert.deepEqual(await headersFor(`${server.origin}/other`), {});
    assert.deepEqual(await headersFor(server.endpoint.href.replace("127.0.0.1", "127.0.0.2")), {});
    assert.deepEqual(await headersFor("https://evil.example/mcp"), {});
  });

  // Attack: 59
  it("no secret is in the log, in a report or in an error, and each is told for redaction", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    bench.clock.advance(HOUR);
    await window.request();
    server.endRefreshTokens();
    server.live.clear();
    const error = await failsWith("sign-in-needed", window.request());
    const shown = [
      ...bench.log.lines,
      ...bench.log.sensitive,
      JSON.stringify(window.session.report()),
      JSON.stringify(window.session.status),
      error.stack ?? "",
      JSON.stringify(error, Object.getOwnPropertyNames(error)),
    ].join("\n");
    const made = [...server.received.matchAll(/(?:access|family|code)-[\d.]+/g)].map(([value]) => value);
    assert.ok(made.length > 3);
    for (const secret of new Set([...bench.secrets, ...made]))
      assert.equal(shown.includes(secret), false, secret);
    const tokens = made.filter((value) => /access|family/.test(value));
    assert.deepEqual(
      tokens.filter((value) => !bench.secrets.has(value)),
      [],
    );
  });
});
