import assert from "node:assert/strict";

import { createMemoryCredentialStore } from "../../../src/auth/store/memoryCredentialStore.ts";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { deferred } from "../../../src/base/deferred.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { AuthWindow, type AuthWindowOptions, briskClock } from "../../support/authWindow.ts";
import { browse } from "../../support/browse.ts";
import { type Bend, EvilAuth } from "../../support/evilAuth.ts";
import { untilServed } from "../../support/guardedPool.ts";
import type { ScriptedExchange } from "../../support/scriptedHttp.ts";

const HOUR = 3_600_000;
const ROOT = "/.well-known/oauth-protected-resource";

/** Answers one path in place of whoever is asked. */
type Places = Readonly<Record<string, (exchange: ScriptedExchange) => void>>;

/** A clock that a test can put ahead. */
class AheadClock implements Clock {
  aheadMs = 0;
  now(): number {
    return systemClock.now() + this.aheadMs;
  }
  after(delayMs: number, run: () => void): ReturnType<Clock["after"]> {
    return briskClock.after(delayMs, run);
  }
}

describe("signing in to servers that do things in their own way", () => {
  let auth: EvilAuth;
  beforeEach(async () => {
    auth = await EvilAuth.start();
  });
  afterEach(() => auth.close());

  const open = (entry: JsonObject = {}, options: AuthWindowOptions = {}): AuthWindow =>
    new AuthWindow({ s: { url: auth.url, ...entry } }, { browse, ...options });

  /** Lets the MCP server answer some paths itself. */
  function serverAnswers(places: Places): void {
    const { guard } = auth.server;
    auth.server.guard = (exchange, about) => {
      const answer = places[exchange.request.path];
      if (answer === undefined) return guard(exchange, about);
      answer(exchange);
      return "answered";
    };
  }

  function authorityAnswers(places: Places): void {
    const { handler } = auth.authority.http;
    auth.authority.http.handler = (exchange) => {
      const answer = places[exchange.request.path.split("?")[0] ?? ""];
      return answer === undefined ? handler(exchange) : answer(exchange);
    };
  }

  const wellKnownAsked = (): string[] =>
    auth.server.http.requests.map(({ path }) => path).filter((path) => path.startsWith("/.well-known/"));

  describe("with metadata at the root alone", () => {
    const page = "<html>Are you a robot?</html>";
    for (const [what, status, body] of [
      ["nothing", 404, ""],
      ["401", 401, ""],
      ["403", 403, page],
      ["a page", 200, page],
    ] as const) {
      it(`works where there is ${what} at the path, and the 401 says nothing`, async () => {
        serverAnswers({
          [`${ROOT}/mcp`]: (exchange) => exchange.answer(status, body, { "content-type": "text/html" }),
          [ROOT]: (exchange) =>
            exchange.json(200, { resource: auth.url, authorization_servers: auth.issuers }),
        });
        const { guard } = auth.server;
        auth.server.guard = (exchange, about) => {
          if (guard(exchange, about) !== false)
            return exchange.request.headers.authorization !== undefined || "answered";
          exchange.answer(401);
          return "answered";
        };
        await using window = open();
        await window.servers.connect();
        assert.equal(await window.call("t"), "done");
        assert.deepEqual(wellKnownAsked(), [`${ROOT}/mcp`, ROOT]);
        assert.equal(window.session.report().authorization?.resourceHow, "root");
        assert.equal(window.person.query.has("scope"), false);
      });
    }
  });

  it("looks where metadata has to be when a challenge is not written as one", async () => {
    const { origin } = auth.server.http;
    for (const challenge of [
      `Bearer resource_metadata=${origin}${ROOT}/mcp`,
      `Bearer realm='s', resource_metadata='${origin}/elsewhere'`,
      'Bearer error_description="no "token" here", scope="wrong"',
    ]) {
      auth.server.challenge = challenge;
      await using window = open();
      await window.servers.connect();
      assert.equal(await window.call("t"), "done");
      assert.equal(window.session.report().authorization?.resourceHow, "path");
      assert.equal(window.person.query.has("scope"), false);
    }
  });

  describe("with a resource that is", () => {
    const forms: readonly [what: string, form: (origin: string) => string][] = [
      ["the whole origin", (origin) => origin],
      ["the whole origin with a slash", (origin) => `${origin}/`],
      ["the endpoint", (origin) => `${origin}/mcp`],
      ["the endpoint with a slash", (origin) => `${origin}/mcp/`],
    ];
    for (const [what, form] of forms)
      it(`${what} sends that to the byte, also when it renews`, async () => {
        const resource = form(auth.server.http.origin);
        auth.bends.resource = (document) => ({ ...document, resource });
        auth.bends.token = (exchange, normal) => {
          const { body } = exchange.request;
          if (new URLSearchParams(body).get("resource") === resource) normal();
          else exchange.json(400, { error: "invalid_target" });
        };
        await using window = open();
        await window.servers.connect();
        assert.deepEqual(window.person.query.getAll("resource"), [resource]);
        auth.authority.expire();
        assert.equal(await window.call("t"), "done");
        const sent = auth.authority.at("/token").map((asked) => asked.form.getAll("resource"));
        assert.deepEqual(sent, [[resource], [resource]]);
      });
  });

  it("uses the most exact of several documents, whether it is told of it or not", async () => {
    const { origin } = auth.server.http;
    serverAnswers({
      [ROOT]: (exchange) =>
        exchange.json(200, { resource: origin, authorization_servers: ["https://other.test"] }),
    });
    for (const challenge of [auth.server.challenge, "Bearer"]) {
      auth.server.challenge = challenge;
      await using window = open();
      await window.servers.connect();
      assert.equal(window.person.query.get("resource"), auth.url);
    }
    assert.ok(!wellKnownAsked().includes(ROOT));
  });

  // Whoever writes the address with a slash is led to the one without, or the other way round.
  it("is led by a redirect that adds or takes a slash, and finds the metadata of where it ends", async () => {
    serverAnswers({ "/mcp/": (exchange) => exchange.answer(307, "", { location: "/mcp" }) });
    await using window = open({ url: `${auth.url}/` });
    // The first thing that is asked for is the metadata, before anybody was sent anywhere.
    await window.signIn();
    assert.equal(await window.call("t"), "done");
    assert.deepEqual(wellKnownAsked(), [`${ROOT}/mcp/`, `${ROOT}/mcp`]);
    assert.equal(window.person.query.get("resource"), auth.url);
  });

  it("sends the query of an address to the endpoint alone, and shows it nowhere", async () => {
    const url = `${auth.url}?tenant=7&key=k3y`;
    serverAnswers({});
    await using window = open({ url });
    await window.servers.connect();
    assert.equal(await window.call("t"), "done");
    const paths = new Set(auth.server.http.requests.map(({ path }) => path));
    assert.deepEqual([...paths].sort(), [`${ROOT}/mcp`, "/mcp?tenant=7&key=k3y"]);
    assert.equal(window.person.query.get("resource"), auth.url);
    const shown = JSON.stringify([
      window.session.report(),
      window.person.plans,
      window.log,
      window.servers.log,
    ]);
    for (const text of [shown, auth.authority.received]) assert.equal(text.includes("k3y"), false);
  });

  it("says what mends an issuer with a slash too many, and works once that is set", async () => {
    const { issuer } = auth.authority;
    auth.issuers = [`${issuer}/`];
    await using window = open();
    await assert.rejects(window.servers.connect(), (error: Error & { code: string; remedy: string }) => {
      assert.equal(error.code, "issuer-slash");
      assert.ok(error.message.includes(`“${issuer}/”`) && error.message.includes(`“${issuer}”`));
      assert.ok(error.remedy.includes(`set “oauth.issuer” to exactly “${issuer}” in your user settings`));
      return true;
    });
    assert.deepEqual(auth.authority.asked, []);
    await using mended = open({ oauth: { issuer } });
    await mended.servers.connect();
    assert.equal(await mended.call("t"), "done");
    assert.equal(mended.session.report().authorization?.issuer, issuer);
  });

  it("needs no issuer in an answer where none is announced, and none comes", async () => {
    auth.bends.metadata = ({ authorization_response_iss_parameter_supported: _left, ...rest }) => rest;
    auth.bends.authorize = withoutIssuer;
    await using window = open();
    await window.servers.connect();
    assert.equal(await window.call("t"), "done");
    assert.equal(window.session.report().authorization?.issInAnswers, false);
  });

  it("takes tokens in the form that was usual once, the first time and when they are renewed", async () => {
    const clock = new AheadClock();
    auth.bends.token = (exchange, normal) => {
      exchange.json = (status, value) => {
        const fields = Object.entries(value as object).map(([name, field]) => [name, String(field)]);
        const body = new URLSearchParams(fields as [string, string][]).toString();
        exchange.answer(status, body, { "content-type": "application/x-www-form-urlencoded" });
      };
      normal();
    };
    await using window = open({}, { clock });
    await window.servers.connect();
    assert.equal(await window.call("t"), "done");
    clock.aheadMs = HOUR;
    assert.equal(await window.call("t"), "done");
    const grants = auth.authority.at("/token").map(({ form }) => form.get("grant_type"));
    assert.deepEqual(grants, ["authorization_code", "refresh_token"]);
    assert.equal(window.person.opened.length, 1);
  });

  it("tells the words of a token server that refuses with 200, and asks once", async () => {
    auth.bends.token = (exchange) => {
      exchange.json(200, { error: "incorrect_client_credentials", error_description: "secret required" });
    };
    await using window = open();
    await assert.rejects(window.servers.connect(), (error: Error & { code: string }) => {
      assert.equal(error.code, "client-unknown");
      return true;
    });
    assert.equal(auth.authority.at("/token").length, 1);
    auth.bends.token = (exchange) => {
      exchange.json(200, { error: "invalid_request", error_description: "secret required" });
    };
    await assert.rejects(window.servers.connect(), /invalid_request secret required/);
  });

  it("stays signed in while the token server fails, and goes on when it is back", async () => {
    const clock = new AheadClock();
    await using window = open({}, { clock });
    await window.servers.connect();
    clock.aheadMs = HOUR;
    auth.bends.token = (exchange) => exchange.answer(503);
    await assert.rejects(window.call("t"), { code: "refresh-unavailable" });
    assert.equal(window.servers.state().kind, "connected");
    const status = window.servers.pool.get("s")?.authorization;
    assert.equal(status?.kind === "signed-in" && status.refreshProblem?.includes("HTTP 503"), true);
    delete auth.bends.token;
    clock.aheadMs += HOUR;
    assert.equal(await window.call("t"), "done");
    assert.equal(window.person.opened.length, 1);
  });

  it("needs no browser the next morning, and no new sign-in after a morning without a network", async () => {
    const clock = new AheadClock();
    const store = createMemoryCredentialStore();
    {
      await using evening = open({}, { clock, store });
      await evening.servers.connect();
    }
    clock.aheadMs = 14 * HOUR;
    await using morning = open({}, { clock, store, ports: { isAttended: false } });
    auth.bends.token = (exchange) => exchange.socket.resetAndDestroy();
    await assert.rejects(morning.servers.connect(), { code: "refresh-unavailable" });
    assert.equal(morning.servers.pool.get("s")?.authorization?.kind, "signed-in");
    delete auth.bends.token;
    clock.aheadMs += HOUR;
    await morning.servers.connect();
    assert.equal(await morning.call("t"), "done");
    assert.deepEqual(morning.person.opened, []);
    assert.equal(auth.authority.at("/register").length, 1);
  });

  it("asks for a client where nobody can register, keeps it in the store, and uses it again", async () => {
    const { issuer } = auth.authority;
    const tenant = `${issuer}/tenant1/v2.0`;
    auth.issuers = [tenant];
    authorityAnswers({
      "/tenant1/v2.0/.well-known/openid-configuration": (exchange) =>
        exchange.json(200, {
          issuer: tenant,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          code_challenge_methods_supported: ["S256"],
        }),
    });
    // It names no issuer in its answers, as such servers do.
    auth.bends.authorize = withoutIssuer;
    const store = createMemoryCredentialStore();
    await using window = open({}, { store });
    await assert.rejects(window.servers.connect(), { code: "sign-in-declined" });
    window.person.client = { id: "typed-in", secret: "typed-s3cret" };
    await window.servers.connect();
    assert.equal(await window.call("t"), "done");
    assert.equal(window.person.query.get("client_id"), "typed-in");
    assert.ok(window.secrets.has("typed-s3cret"));
    const [exchanged] = auth.authority.at("/token");
    const [authorization] = auth.authority.http.requests.flatMap(
      ({ headers }) => headers.authorization ?? [],
    );
    const basic = Buffer.from("typed-in:typed-s3cret").toString("base64");
    assert.ok(exchanged?.form.get("client_secret") === "typed-s3cret" || authorization === `Basic ${basic}`);
    await using later = open({}, { store });
    await later.servers.connect();
    assert.equal(later.person.opened.length, 0, "the editor was opened again");
    await later.signIn();
    assert.equal(later.person.query.get("client_id"), "typed-in", "and nobody is asked again");
    window.person.client = { id: "another" };
    await window.signIn({ newRegistration: true });
    assert.equal(window.person.query.get("client_id"), "another");
    const asked = auth.authority.asked.filter((path) => !path.endsWith("/openid-configuration"));
    assert.deepEqual([...new Set(asked)], ["/authorize", "/token"], "no place to register was guessed");
  });

  it("comes back to the one port and host that the settings name, each time", async () => {
    for (const redirectHost of ["127.0.0.1", "localhost"] as const) {
      const probe = await EvilAuth.start();
      const redirectPort = Number(new URL(probe.url).port);
      await probe.close();
      await using window = open({ oauth: { clientId: "by-hand", redirectPort, redirectHost } });
      await window.servers.connect();
      await window.signIn();
      const used = window.person.opened.map(({ url }) => new URL(url).searchParams.get("redirect_uri"));
      const expected = `http://${redirectHost}:${String(redirectPort)}/callback`;
      assert.deepEqual(used, [expected, expected]);
    }
  });

  it("begins anew while a page hangs, and the connection stays until that has succeeded", async () => {
    let isHanging = false;
    await using window = open({}, { browse: (url) => (isHanging ? Promise.resolve() : browse(url)) });
    const { servers, person } = window;
    await servers.connect();
    isHanging = true;
    const stuck = servers.pool.signIn("s", {});
    stuck.catch(() => undefined);
    await untilServed(() => person.opened.length >= 2);
    assert.equal(servers.state().kind, "connected");
    assert.equal(await window.call("t"), "done", "what was signed in before is still good");
    isHanging = false;
    await servers.pool.signIn("s", { newRegistration: true });
    await assert.rejects(stuck, { code: "sign-in-declined" });
    assert.equal(auth.authority.at("/register").length, 2);
    assert.equal(await window.call("t"), "done");
    assert.equal(servers.pool.get("s")?.authorization?.kind, "signed-in");
  });

  it("says that something is forbidden, and nothing of signing in, where a token is good", async () => {
    await using window = open();
    await window.servers.connect();
    auth.bends.mcp = (exchange, normal) => {
      if (exchange.request.headers["mcp-method"] === "tools/call")
        exchange.answer(403, "blocked by a filter");
      else normal();
    };
    await assert.rejects(window.call("t"), (error: Error & { code: string; detail: string }) => {
      assert.equal(error.code, "forbidden");
      assert.match(error.message, /does not allow this \(HTTP 403\)/);
      assert.equal(error.detail, "blocked by a filter");
      return true;
    });
    assert.equal(window.servers.pool.get("s")?.authorization?.kind, "signed-in");
    assert.equal(auth.authority.at("/token").length, 1);
  });

  it("is signed in to where it answers 403 to whoever sends no token", async () => {
    auth.server.status = 403;
    await using window = open();
    await window.servers.connect();
    assert.equal(await window.call("t"), "done");
  });

  it("asks for a sign-in when only its tools want one, and keeps what needs none", async () => {
    const { guard } = auth.server;
    auth.server.guard = (exchange, about) =>
      about === "tools/call" ? guard(exchange, about) : guard(exchange, about) || true;
    await using window = open();
    const { servers, person } = window;
    await servers.connect();
    assert.deepEqual(servers.tools(), ["t"]);
    assert.equal(person.opened.length, 0, "nothing wanted it yet");
    await assert.rejects(window.call("t"), { code: "sign-in-needed" });
    assert.equal(servers.state().kind, "connected");
    assert.deepEqual(servers.pool.get("s")?.authorization, { kind: "needs-sign-in", reason: "first" });
    await window.signIn();
    assert.equal(await window.call("t"), "done");
  });

  it("keeps no other server waiting for a person who signs in to one", async () => {
    const other = await EvilAuth.start();
    try {
      const opened = deferred();
      const browseOther = (url: string): Promise<unknown> => {
        if (url.startsWith(other.authority.issuer)) return browse(url);
        return Promise.resolve(opened.resolve(undefined));
      };
      await using window = new AuthWindow(
        { s: { url: auth.url }, t: { url: other.url } },
        { browse: browseOther },
      );
      const waiting = window.servers.connect("s");
      waiting.catch(() => undefined);
      await opened.promise;
      await window.servers.connect("t");
      assert.equal(await window.call("t", {}, "t"), "done");
      const statuses = ["s", "t"].map((id) => window.servers.pool.get(id)?.authorization?.kind);
      assert.deepEqual(statuses, ["signing-in", "signed-in"]);
      await window.servers.pool.disconnect("s");
      await assert.rejects(waiting);
      assert.equal(await window.call("t", {}, "t"), "done");
    } finally {
      await other.close();
    }
  });

  it("takes two servers of one authorization server for two, each with a token for itself", async () => {
    const other = await EvilAuth.start();
    try {
      other.issuers = [auth.authority.issuer];
      other.trusted.add(auth.authority);
      await using window = new AuthWindow({ s: { url: auth.url }, t: { url: other.url } }, { browse });
      await window.servers.connect("s");
      await window.servers.connect("t");
      const resources = window.person.opened.map(({ url }) => new URL(url).searchParams.get("resource"));
      assert.deepEqual(resources, [auth.url, other.url]);
      const both = auth.tokensSent.filter((token) => other.tokensSent.includes(token));
      assert.deepEqual(both, []);
      await window.servers.pool.signOut("s");
      assert.equal(await window.call("t", {}, "t"), "done");
    } finally {
      await other.close();
    }
  });
});

/** Sends the browser back without the name of the issuer. */
const withoutIssuer: Bend = (exchange, normal) => {
  const answer = exchange.answer.bind(exchange);
  exchange.answer = (status, body, headers) => {
    const location = new URL(String(headers?.["location"]));
    location.searchParams.delete("iss");
    answer(status, body, { ...headers, location: location.href });
  };
  normal();
};
