import assert from "node:assert/strict";
import type { AuthError } from "../../../src/auth/authError.ts";
import type { AuthSettings } from "../../../src/auth/model/authSettings.ts";
import type { ClientFacts } from "../../../src/auth/model/facts.ts";
import { createTokenClient } from "../../../src/auth/token/createTokenClient.ts";
import { refreshVerdict } from "../../../src/auth/token/refreshVerdict.ts";
import type { TokenClient } from "../../../src/auth/token/tokenClient.ts";
import { NetError } from "../../../src/net/netError.ts";
import { makeContext, makeIssuer, makeSettings } from "../../support/authFixtures.ts";
import { failsWith } from "../../support/failsWith.ts";
import type { CollectingLog } from "../../support/collectingListener.ts";
import { FakeClock } from "../../support/fakeClock.ts";
import { pinnedNetwork } from "../../support/pinnedHelpers.ts";
import { json, raw, startTokenServer, type TokenServer, tokens } from "../../support/tokenServer.ts";

const RESOURCE = "https://mcp.test";
const CODE = {
  code: "s3cret-code",
  redirectUri: "http://127.0.0.1:1/cb",
  verifier: "s3cret-verifier",
  resource: RESOURCE,
};
const REFRESH = { refresh: "s3cret-refresh", resource: RESOURCE };

describe("the token endpoint", () => {
  let server: TokenServer;
  let clock: FakeClock;
  let log: CollectingLog;
  beforeEach(async () => {
    server = await startTokenServer();
  });
  afterEach(() => server.close());

  function connect(
    client: Partial<ClientFacts> = {},
    settings: Partial<Omit<AuthSettings, "overrides">> = {},
    signal: AbortSignal = new AbortController().signal,
  ): TokenClient {
    const { origin } = server;
    const context = makeContext(pinnedNetwork(), makeSettings(settings), "loopback");
    clock = new FakeClock();
    log = context.log;
    const network = pinnedNetwork({ clock });
    const issuer = makeIssuer({
      issuer: origin,
      tokenEndpoint: `${origin}/token`,
      revocationEndpoint: `${origin}/revoke`,
      parEndpoint: `${origin}/par`,
    });
    const facts: ClientFacts = { kind: "dcr", id: "me", authMethod: "none", ...client };
    return createTokenClient({ ...context, network, clock, signal }, issuer, facts, undefined);
  }

  /** Nothing of what was sent in secret stands in an error or in the log, wherever one looks. */
  function assertSilent(error: AuthError): void {
    const logged = [...log.lines, ...log.sensitive];
    const whole = [
      ...logged,
      error.message,
      error.stack,
      error.detail,
      JSON.stringify(error.args),
      String(error.cause),
    ];
    assert.doesNotMatch(whole.join(" "), /s3cret/);
  }

  // Duty: 16.7.1
  it("is told what belongs to a code, and the resource byte for byte", async () => {
    server.replies.push(tokens("a1", { refresh_token: "r1", scope: "x y" }));
    const got = await connect().exchangeCode({ ...CODE, resource: "https://mcp.test" });
    assert.deepEqual(got, {
      access: "a1",
      type: "bearer",
      obtainedAtMs: 0,
      expiresAtMs: 3_600_000,
      refresh: "r1",
      scopes: ["x", "y"],
    });
    const { form, headers, path } = server.last;
    assert.equal(path, "/token");
    assert.deepEqual(form, {
      grant_type: "authorization_code",
      code: CODE.code,
      redirect_uri: CODE.redirectUri,
      code_verifier: CODE.verifier,
      resource: "https://mcp.test",
      client_id: "me",
    });
    assert.equal(headers["accept"], "application/json");
    assert.match(String(headers["content-type"]), /^application\/x-www-form-urlencoded/);
    assert.equal(headers["dpop"], undefined);
    assert.equal(headers["authorization"], undefined);
  });

  // Duty: 16.4.10
  it("is shown a secret in the way that was agreed on", async () => {
    server.replies.push(tokens("a1"), tokens("a2"));
    await connect({ authMethod: "client_secret_basic", secret: "a b" }).refresh(REFRESH);
    const basic = `Basic ${Buffer.from("me:a+b").toString("base64")}`;
    assert.equal(server.last.headers["authorization"], basic);
    assert.equal(server.last.form["client_id"], undefined);
    await connect({ authMethod: "client_secret_post", secret: "a b" }).refresh(REFRESH);
    assert.equal(server.last.form["client_secret"], "a b");
    assert.equal(server.last.headers["authorization"], undefined);
  });

  // Attack: 39
  it("is sent a code once, even when it never answers", async () => {
    const held = new Promise<void>((resolve) => server.replies.push(() => resolve()));
    const exchanged = failsWith("exchange-uncertain", () => connect().exchangeCode(CODE));
    await held;
    clock.advance(10_000);
    const error = await exchanged;
    assert.match(error.message, /did not answer completely .* within 10 seconds/);
    assertSilent(error);
    assert.equal(server.received.length, 1);
  });

  for (const [name, reply] of [
    ["fails by itself", raw(502, "<html>")],
    ["says that it fails by itself", json(503, { error: "temporarily_unavailable" })],
    ["hangs up", (exchange) => exchange.socket.resetAndDestroy()],
    ["answers without end", (exchange) => exchange.answer(200, "x".repeat(300_000))],
  ] as const satisfies readonly (readonly [string, TokenServer["replies"][number]])[]) {
    // Attack: 39
    it(`is sent a code once, even when it ${name}`, async () => {
      server.replies.push(reply, tokens("never"));
      assertSilent(await failsWith("exchange-uncertain", () => connect().exchangeCode(CODE)));
      assert.equal(server.received.length, 1);
    });
  }

  // Attack: 40
  it("is sent a code once, even when it takes it for one that was used before", async () => {
    server.replies.push(json(400, { error: "invalid_grant" }), tokens("never"));
    const error = await failsWith("token-refused", () => connect().exchangeCode(CODE));
    assert.equal(error.args["error"], "invalid_grant");
    assert.equal(server.received.length, 1);
  });

  it("is not to blame for a code that cannot have reached it", async () => {
    const client = connect();
    await server.close();
    await assert.rejects(client.exchangeCode(CODE), (error) => {
      assert.ok(error instanceof NetError);
      assert.equal(error.code, "refused");
      return true;
    });
    server = await startTokenServer();
  });

  it("is left alone when it is given up, with the reason of that", async () => {
    const controller = new AbortController();
    const held = new Promise<void>((resolve) => server.replies.push(() => resolve()));
    const exchanged = connect({}, {}, controller.signal).exchangeCode(CODE);
    await held;
    controller.abort(new Error("closed"));
    await assert.rejects(exchanged, /^Error: closed$/);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    // Attack: 43
    it(`is not left for another one by a redirect (${status})`, async () => {
      const other = await startTokenServer();
      try {
        server.replies.push(raw(status, "", { location: `${other.origin}/token` }));
        const error = await failsWith("bad-token-answer", () => connect().exchangeCode(CODE));
        assert.match(error.message, new RegExp(`redirect \\(HTTP ${status}\\)`));
        assert.deepEqual(other.paths, []);
        assert.equal(server.received.length, 1);
      } finally {
        await other.close();
      }
    });
  }

  describe("gives no tokens", () => {
    const bearer = { access_token: "s3cret-token", token_type: "Bearer" };
    const rows: readonly [
      name: string,
      reply: TokenServer["replies"][number],
      code: AuthError["code"],
      text: RegExp,
    ][] = [
      [
        "with an error and 200",
        json(200, { error: "bad_code", error_description: "why" }),
        "token-refused",
        /200\): bad_code why/,
      ],
      [
        "with an error beside a token",
        json(200, { ...bearer, error: "bad_code" }),
        "token-refused",
        /bad_code/,
      ],
      [
        "with a challenge over an error",
        json(401, { error: "invalid_grant" }, { "www-authenticate": 'Basic realm="x"' }),
        "token-refused",
        /invalid_grant/,
      ],
      [
        "with a page",
        raw(400, "<html>s3cret", { "content-type": "text/html" }),
        "bad-token-answer",
        /HTTP 400 with a page/,
      ],
      ["without a type", json(200, { access_token: "s3cret" }), "bad-token-answer", /token_type/],
      ["of the type mac", json(200, { ...bearer, token_type: "mac" }), "bad-token-answer", /token_type/],
      [
        "with a lifetime in words",
        json(200, { ...bearer, expires_in: "abc" }),
        "bad-token-answer",
        /expires_in/,
      ],
      [
        "with a negative lifetime",
        json(200, { ...bearer, expires_in: -1 }),
        "bad-token-answer",
        /expires_in/,
      ],
      [
        "that no header can carry",
        json(200, { ...bearer, access_token: "s3\r\ncret" }),
        "bad-token-answer",
        /header/,
      ],
      [
        "of which it does not know this client",
        json(401, { error: "invalid_client" }),
        "client-unknown",
        /client me/,
      ],
    ];
    for (const [name, reply, code, text] of rows) {
      // Attack: 41
      it(name, async () => {
        server.replies.push(reply);
        const error = await failsWith(code, () => connect().exchangeCode(CODE));
        assert.match(error.message, text);
        assertSilent(error);
        assert.equal(server.received.length, 1);
      });
    }
  });

  for (const expires_in of [null, 1e12]) {
    // Attack: 41
    it(`gives tokens of which nobody knows how long they live with ${expires_in}`, async () => {
      server.replies.push(tokens("a1", { expires_in, refresh_token: null, scope: null }));
      assert.deepEqual(await connect().exchangeCode(CODE), { access: "a1", type: "bearer", obtainedAtMs: 0 });
    });
  }

  it("may quote secrets and paint over texts in an error, and neither is shown", async () => {
    const error_description = `code s3cret-code, verifier s3cret-verifier,\n\u202Ebasic ${Buffer.from("me:s3cret-client").toString("base64")}`;
    server.replies.push(json(400, { error: "s3cret-code", error_description }));
    const client = connect({ authMethod: "client_secret_basic", secret: "s3cret-client" });
    const error = await failsWith("token-refused", () => client.exchangeCode(CODE));
    assertSilent(error);
    assert.equal(error.args["description"], "code •••, verifier •••, basic •••");
    assert.equal(error.args["error"], "•••");
  });

  it("talks at length, and is cut short", async () => {
    server.replies.push(json(400, { error: "e".repeat(5_000), error_description: "d".repeat(5_000) }));
    const error = await failsWith("token-refused", () => connect().exchangeCode(CODE));
    assert.ok(error.message.length < 600);
  });

  describe("renews tokens", () => {
    // Duty: 16.7.1
    it("for the same resource, without scopes, and keeps the refresh token that it does not replace", async () => {
      server.replies.push(tokens("a2", { expires_in: 2 }), tokens("a3", { refresh_token: "r2" }));
      const client = connect();
      const second = await client.refresh({ refresh: "r1", resource: RESOURCE });
      assert.deepEqual(server.last.form, {
        grant_type: "refresh_token",
        refresh_token: "r1",
        resource: RESOURCE,
        client_id: "me",
      });
      assert.equal(second.refresh, "r1");
      assert.equal(second.expiresAtMs, 2_000);
      const third = await client.refresh({ refresh: second.refresh ?? "", resource: RESOURCE });
      assert.equal(server.last.form["refresh_token"], "r1");
      assert.equal(third.refresh, "r2");
    });

    it("when they come in a form", async () => {
      const body = "access_token=t1&expires_in=28800&refresh_token=r1&scope=repo%2Cgist&token_type=bearer";
      server.replies.push(raw(200, body, { "content-type": "application/x-www-form-urlencoded" }));
      const got = await connect().refresh(REFRESH);
      assert.deepEqual(got, {
        access: "t1",
        type: "bearer",
        obtainedAtMs: 0,
        expiresAtMs: 28_800_000,
        refresh: "r1",
        scopes: ["repo", "gist"],
      });
    });

    it("unless the client or the token is unknown, however that is said", async () => {
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const rows = [
        [json(400, { error: "invalid_grant" }), "token-refused", "revoked"],
        [raw(200, "error=bad_refresh_token", form), "token-refused", "revoked"],
        [json(401, { error: "invalid_client" }), "client-unknown", "client-unknown"],
        [
          json(200, { error: "incorrect_client_credentials", error_description: "secret required" }),
          "client-unknown",
          "client-unknown",
        ],
        [json(400, { error: "invalid_target" }), "token-refused", "refused"],
      ] as const;
      for (const [reply, code, verdict] of rows) {
        server.replies.push(reply);
        const error = await failsWith(code, () => connect().refresh(REFRESH));
        assert.equal(refreshVerdict(error), verdict);
        assertSilent(error);
      }
    });

    it("unless it does not take the client of the settings, which is told with its words", async () => {
      for (const client of [
        { kind: "preregistered", authMethod: "client_secret_post", secret: "s3cret-client" },
        { kind: "cimd" },
      ] as const) {
        const description = "the secret s3cret-client is wrong";
        server.replies.push(json(401, { error: "invalid_client", error_description: description }));
        const error = await failsWith("client-refused", () => connect(client).refresh(REFRESH));
        assert.match(error.message, /the client me of the settings of “demo”: invalid_client the secret/);
        assert.match(error.remedy ?? "", /“oauth\.clientId”, its secret/);
        assert.equal(refreshVerdict(error), "refused");
        if ("secret" in client) assertSilent(error);
      }
    });

    // Attack: 48
    it("later, when it fails for a reason that may pass", async () => {
      const rows = [
        json(503, { error: "temporarily_unavailable" }),
        json(400, { error: "temporarily_unavailable" }),
        raw(503, ""),
        raw(429, "slow down"),
        json(429, {}),
        (exchange) => exchange.socket.resetAndDestroy(),
      ] satisfies TokenServer["replies"];
      for (const reply of rows) {
        server.replies.push(reply);
        const error = await failsWith("refresh-unavailable", () => connect().refresh(REFRESH));
        assert.equal(refreshVerdict(error), "later");
        assertSilent(error);
      }
      assert.equal(server.received.length, rows.length);
    });

    // Attack: 48
    it("later, when it does not answer in time or is not there", async () => {
      const held = new Promise<void>((resolve) => server.replies.push(() => resolve()));
      const refreshed = failsWith("refresh-unavailable", () => connect().refresh(REFRESH));
      await held;
      clock.advance(10_000);
      assert.equal(refreshVerdict(await refreshed), "later");
      const client = connect();
      await server.close();
      const error = await failsWith("refresh-unavailable", () => client.refresh(REFRESH));
      assert.equal(refreshVerdict(error), "later");
      server = await startTokenServer();
    });
  });

  it("takes pushed requests", async () => {
    server.replies.push(json(201, { request_uri: "urn:x:1", expires_in: 60 }));
    const client = connect({ authMethod: "client_secret_post", secret: "s3cret" });
    const pushed = await client.push(new URLSearchParams({ response_type: "code", resource: RESOURCE }));
    assert.deepEqual(pushed, { requestUri: "urn:x:1" });
    assert.equal(server.last.path, "/par");
    assert.deepEqual(server.last.form, {
      response_type: "code",
      resource: RESOURCE,
      client_id: "me",
      client_secret: "s3cret",
    });
    server.replies.push(json(400, { error: "invalid_scope" }), json(201, {}));
    const refused = await failsWith("token-refused", () => client.push(new URLSearchParams()));
    assert.equal(refused.args["error"], "invalid_scope");
    await failsWith("bad-token-answer", () => client.push(new URLSearchParams()));
  });

  describe("revokes a token", () => {
    it("of either kind, and may say anything about it", async () => {
      for (const reply of [raw(200, ""), raw(204, ""), raw(200, "<html>ok"), json(202, {})]) {
        server.replies.push(reply);
        assert.equal(await connect().revoke("s3cret", "refresh_token"), "revoked");
      }
      assert.equal(server.last.path, "/revoke");
      assert.deepEqual(server.last.form, {
        token: "s3cret",
        token_type_hint: "refresh_token",
        client_id: "me",
      });
    });

    it("or says why not", async () => {
      server.replies.push(
        json(400, { error: "unsupported_token_type", error_description: "not s3cret" }),
        json(200, { error: "invalid_client" }),
        raw(503, ""),
        raw(302, "", { location: "https://evil.test" }),
      );
      const client = connect();
      const outcomes = [];
      for (let index = 0; index < 4; index += 1) outcomes.push(await client.revoke("s3cret", "access_token"));
      assert.deepEqual(outcomes, [
        { failed: "HTTP 400 unsupported_token_type not •••" },
        { failed: "HTTP 200 invalid_client" },
        { failed: "HTTP 503 without a body" },
        { failed: "a redirect (HTTP 302), and none is followed" },
      ]);
    });

    it("within five seconds, or not at all", async () => {
      const held = new Promise<void>((resolve) => server.replies.push(() => resolve()));
      const revoked = connect().revoke("s3cret", "access_token");
      await held;
      clock.advance(5_000);
      assert.deepEqual(await revoked, { failed: "no answer within 5 seconds" });
      assert.equal(clock.pending, 0);
    });

    it("only as long as somebody waits for it", async () => {
      const controller = new AbortController();
      const held = new Promise<void>((resolve) => server.replies.push(() => resolve()));
      const revoked = connect({}, {}, controller.signal).revoke("s3cret", "access_token");
      await held;
      controller.abort(new Error("closed"));
      await assert.rejects(revoked, /^Error: closed$/);
    });
  });
});
