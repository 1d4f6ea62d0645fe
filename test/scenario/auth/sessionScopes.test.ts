import assert from "node:assert/strict";

import { AuthError } from "../../../src/auth/authError.ts";
import type { PinnedNetwork } from "../../../src/net/pinnedRequest.ts";
import { parseAuthChallenges } from "../../../src/net/authChallenges.ts";
import { failsWith } from "../../support/failsWith.ts";
import { SessionBench } from "../../support/sessionBench.ts";
import type { SessionScript } from "../../support/sessionServer.ts";
import { never } from "../../support/transportHelpers.ts";

describe("a refusal for want of scopes", () => {
  let bench: SessionBench;
  beforeEach(() => {
    bench = new SessionBench();
  });
  afterEach(() => bench.end());

  // The case P29 of public reports: a refresh cannot widen what was granted, and a challenge names only what is new.
  // Attack: 66
  // Duty: 16.5.3
  it("asks the person for everything of before and what is new, without a refresh and without a repetition", async () => {
    const server = await bench.server({ challenge: ', scope="t:read"' });
    const window = await bench.window(server);
    await window.signIn();
    server.script.resource = wanting("t:write");
    const error = await failsWith("insufficient-scope", window.request());
    assert.match(error.message, /t:write/);
    assert.deepEqual(window.session.status, {
      kind: "needs-scopes",
      issuer: server.origin,
      required: ["t:write"],
      granted: ["t:read"],
      missing: ["t:write"],
    });
    assert.equal(server.sent.length, 2, "the probe and this request");
    await window.session.stepUp(never);
    assert.equal(server.refreshes.length, 0);
    assert.equal(server.authorizations.length, 2);
    assert.deepEqual(scopesOf(server.authorizations[1]), ["t:read", "t:write"]);
    assert.deepEqual(window.person.plans[1]?.added, ["t:write"]);
    assert.equal(server.sent.length, 2, "nothing was sent again");
    delete server.script.resource;
    assert.equal(await window.request(), 200);
    const { status } = window.session;
    assert.deepEqual(status.kind === "signed-in" && [...status.scopes].sort(), ["t:read", "t:write"]);
  });

  // Attack: 68
  it("is told shortly, however much the server names", async () => {
    const server = await bench.server({ challenge: ', scope="t:read"' });
    const window = await bench.window(server);
    await window.signIn();
    server.script.resource = wanting(`t:${"x".repeat(5_000)}`);
    const error = await failsWith("insufficient-scope", window.request());
    assert.ok(error.message.length < 700);
  });

  it("blames no server that has refused the token of before", async () => {
    const server = await bench.server({ challenge: ', scope="t:read"' });
    const window = await bench.window(server);
    await window.signIn();
    const { authorizer } = window.session;
    const refusedWith = (token: string) =>
      authorizer.refused(
        {
          request: { method: "POST", url: server.endpoint },
          status: 403,
          challenges: parseAuthChallenges('Bearer error="insufficient_scope", scope="t:read"'),
          headers: {},
          sent: { authorization: `Bearer ${token}` },
        },
        never,
      );
    assert.deepEqual(await refusedWith("older"), { kind: "unknown" });
    const [current = ""] = server.live;
    const verdict = await refusedWith(current);
    assert.ok(verdict.kind === "refused" && verdict.error instanceof AuthError);
    assert.equal(verdict.error.code, "scope-already-granted");
  });

  it("is known for what it is when it comes as a 401, and is no end of the sign-in", async () => {
    const server = await bench.server({ challenge: ', scope="t:read"' });
    const window = await bench.window(server);
    await window.signIn();
    server.script.resource = wanting("t:write", 401);
    await failsWith("insufficient-scope", window.request());
    assert.equal(window.session.status.kind, "needs-scopes");
    assert.equal(server.refreshes.length, 0);
    await window.session.stepUp(never);
    assert.deepEqual(scopesOf(server.authorizations[1]), ["t:read", "t:write"]);
    // What is granted already is not missing: then it is about the token after all.
    server.script.resource = wanting("t:read", 401);
    await failsWith("sign-in-needed", window.request());
    assert.equal(server.refreshes.length, 1);
  });

  // Attack: 65
  // Duty: 16.5.6
  it("asks no authorization server when the person declines, and the old token stays in use", async () => {
    const server = await bench.server({ challenge: ', scope="t:read"' });
    const window = await bench.window(server);
    await window.signIn();
    server.script.resource = wanting("t:write");
    await failsWith("insufficient-scope", window.request());
    window.person.confirm = () => Promise.resolve(false);
    await failsWith("sign-in-declined", window.session.stepUp(never));
    assert.equal(server.authorizations.length, 1);
    assert.equal(window.session.status.kind, "needs-scopes", "it can be tried again");
    delete server.script.resource;
    assert.equal(await window.request(), 200);
  });

  // Attack: 67
  // Duty: 16.5.4
  it("is asked about once when the server refuses whatever it gets", async () => {
    const server = await bench.server({ challenge: ', scope="t:read"' });
    const window = await bench.window(server);
    await window.signIn();
    server.script.resource = wanting("t:write");
    await failsWith("insufficient-scope", window.request());
    await window.session.stepUp(never);
    await failsWith("scope-already-granted", window.request());
    assert.equal(window.session.status.kind, "signed-in");
    await window.session.stepUp(never);
    assert.equal(server.authorizations.length, 2, "there is nothing to ask for any more");
  });

  // Attack: 67
  it("is asked about once when the authorization server does not grant it", async () => {
    const server = await bench.server({ challenge: ', scope="t:read"', grant: () => "t:read" });
    const window = await bench.window(server);
    await window.signIn();
    server.script.resource = wanting("t:write");
    await failsWith("insufficient-scope", window.request());
    await window.session.stepUp(never);
    const error = await failsWith("scope-withheld", window.request());
    assert.match(error.message, /t:write/);
    assert.equal(window.session.status.kind, "signed-in");
  });

  // Attack: 68
  it("says so when the scopes are granted already or have no name", async () => {
    const server = await bench.server({ challenge: ', scope="t:read"' });
    const window = await bench.window(server);
    await window.signIn();
    server.script.resource = wanting("t:read");
    await failsWith("scope-already-granted", window.request());
    server.script.resource = (exchange) => {
      exchange.answer(403, "", { "www-authenticate": 'Bearer error="insufficient_scope"' });
      return "answered";
    };
    await failsWith("insufficient-scope-unnamed", window.request());
    assert.equal(window.session.status.kind, "signed-in");
    assert.equal(server.authorizations.length, 1);
  });

  it("is left alone when it is about something else", async () => {
    const server = await bench.server();
    const window = await bench.window(server);
    await window.signIn();
    server.script.resource = (exchange) => {
      exchange.answer(403);
      return "answered";
    };
    assert.equal(await window.request(), 403);
    assert.equal(window.session.status.kind, "signed-in");
  });

  // Attack: 69
  it("contacts no authorization server when the metadata names another one now", async () => {
    const [server, other] = [await bench.server({ challenge: ', scope="a"' }), await bench.server()];
    const settings = { clientId: "by-hand", clientSecret: "hush" };
    const overrides = { assumePkceS256: false, fakeIpRanges: [], issuer: server.origin };
    const window = await bench.window(server, { settings: { ...settings, overrides } });
    await window.signIn();
    server.script.resource = wanting("b");
    await failsWith("insufficient-scope", window.request());
    server.script.issuer = other.origin;
    const error = await window.session.stepUp(never).catch((reason: unknown) => reason);
    assert.ok(
      error instanceof AuthError && /issuer-changed|issuer-not-listed/.test(error.code),
      String(error),
    );
    assert.equal(other.received, "");
    assert.equal(server.authorizations.length, 1);
    delete server.script.resource;
    assert.equal(await window.request(), 200);
  });

  // Attack: 77
  it("contacts nobody when the server is in another network now", async () => {
    const server = await bench.server({ challenge: ', scope="a"' });
    const first = await bench.window(server);
    await first.signIn();
    server.script.resource = wanting("b");
    const elsewhere: PinnedNetwork = {
      send: (request) => first.network.send({ ...request, from: "loopback" }),
      zoneOf: () => Promise.resolve({ zone: "public", proxy: undefined }),
    };
    const window = await bench.window(server, { network: elsewhere });
    await failsWith("insufficient-scope", window.request());
    const received = server.received.length;
    await failsWith("zone-changed", window.session.stepUp(never));
    assert.equal(server.received.length, received);
    await window.signIn();
    assert.deepEqual(window.person.plans[0]?.moved, { from: "loopback", to: "public" });
    assert.equal(window.session.authorizer.zone, "public");
  });

  // Attack: 70
  it("leaves the old token in use when the authorization server refuses", async () => {
    const server = await bench.server({ challenge: ', scope="a"' });
    const window = await bench.window(server);
    await window.signIn();
    server.script.resource = wanting("b");
    await failsWith("insufficient-scope", window.request());
    server.script.token = (_asked, exchange) => {
      exchange.json(400, { error: "invalid_scope" });
      return "answered";
    };
    const error = await window.session.stepUp(never).catch((reason: unknown) => reason);
    assert.ok(error instanceof AuthError, String(error));
    delete server.script.resource;
    assert.equal(await window.request(), 200);
    assert.deepEqual(window.session.report().authorization?.grantedScopes, ["a"]);
  });
});

describe("tokens that need no person", () => {
  let bench: SessionBench;
  beforeEach(() => {
    bench = new SessionBench();
  });
  afterEach(() => bench.end());

  const open = async (script: SessionScript = {}) => {
    const server = await bench.server(script);
    const window = await bench.window(server, {
      settings: {
        grant: { kind: "client_credentials" },
        clientId: "machine",
        clientSecret: "hush-hush",
        overrides: { assumePkceS256: false, fakeIpRanges: [], issuer: server.origin },
      },
    });
    return { server, window };
  };

  it("are got when the server asks for one, once for all requests", async () => {
    const { server, window } = await open();
    assert.equal(window.session.isUnattended, true);
    assert.deepEqual(
      await Promise.all([window.request(), window.request(), window.request()]),
      [200, 200, 200],
    );
    assert.equal(server.tokenRequests.length, 1);
    assert.equal(server.authorizations.length, 0);
    const { account } = window.session;
    bench.clock.advance(3_600_000);
    assert.equal(await window.request(), 200);
    assert.equal(server.tokenRequests.length, 2);
    assert.equal(window.session.account, account);
    assert.equal(window.session.status.kind, "signed-in");
  });

  it("that are refused by the authorization server are not asked for again at once", async () => {
    const { server, window } = await open({
      token: (_asked, exchange) => {
        exchange.json(400, { error: "unauthorized_client" });
        return "answered";
      },
    });
    await failsWith("token-refused", window.request());
    await failsWith("token-refused", window.request());
    assert.equal(server.tokenRequests.length, 1);
    server.script.token = () => undefined;
    await window.signIn();
    assert.equal(await window.request(), 200);
  });

  it("are not got again by themselves after signing out", async () => {
    const { server, window } = await open();
    assert.equal(await window.request(), 200);
    await window.session.signOut(never);
    await failsWith("sign-in-needed", window.request());
    assert.equal(server.tokenRequests.length, 1);
    await window.signIn();
    assert.equal(await window.request(), 200);
  });

  it("that cannot be had while the authorization server is out of order are asked for again later", async () => {
    const { server, window } = await open();
    assert.equal(await window.request(), 200);
    server.script.outage = 503;
    bench.clock.advance(3_600_000);
    await failsWith("refresh-unavailable", window.request());
    assert.equal(window.session.status.kind, "signed-in");
    delete server.script.outage;
    bench.clock.advance(60_000);
    assert.equal(await window.request(), 200);
  });

  it("that the server does not take are not fetched over and over", async () => {
    const { server, window } = await open({ takesNothing: true });
    for (let count = 0; count < 5; count += 1) await failsWith("sign-in-needed", window.request());
    assert.equal(server.tokenRequests.length, 1);
  });
});

function wanting(scope: string, status = 403): NonNullable<SessionScript["resource"]> {
  return (exchange) => {
    exchange.answer(status, "", {
      "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"`,
    });
    return "answered";
  };
}

function scopesOf(asked: URLSearchParams | undefined): string[] {
  return (asked?.get("scope") ?? "").split(" ").sort();
}
